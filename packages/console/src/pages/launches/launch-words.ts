// How launches look in lists and waterfalls: the strip of seven steps, the words of an outcome, and the
// spans with what the app usually takes. Pure.
import type { Launch, LaunchSpan, UsualTimes } from '@chartside/protocol/payloads'
import type { Party, Span, StateName } from '@chartside/ui'
import { SPAN_NAMES } from '../../parts/span-names.ts'

export const STATE_OF = {
  failed: 'failed',
  opening: 'opening',
  ready: 'ready',
  ended: 'ended',
} as const satisfies Record<Launch['outcome'], StateName>

const STEP_WORDS: Readonly<Record<LaunchSpan['span'], string>> = {
  open: 'opening',
  load: 'loading',
  authorize: 'authorize',
  prepare: 'callback',
  exchange: 'exchange',
  hello: 'hello',
  context: 'context',
}

const failedSpan = ({ spans }: Launch) => spans.find(({ outcome }) => outcome === 'failed')

/** The detail beside the word of the state. */
export function describeOutcome(launch: Launch): string {
  if (launch.outcome === 'failed') {
    const span = failedSpan(launch)
    return span ? STEP_WORDS[span.span] : ''
  }
  return launch.outcome === 'ended' ? (launch.ended?.reason.replaceAll('_', ' ') ?? '') : ''
}

export const whyOf = (launch: Launch): string =>
  launch.outcome === 'failed'
    ? (failedSpan(launch)?.cause ??
      launch.steps.findLast(({ outcome }) => outcome === 'failed')?.cause ??
      '')
    : ''

export function listCells({ spans }: Launch): ('ok' | 'failed' | 'never')[] {
  return spans.slice(0, 7).map(({ outcome }) => {
    if (outcome === 'ok') return 'ok'
    return outcome === 'failed' ? 'failed' : 'never'
  })
}

export function describeCells(launch: Launch): string {
  const done = launch.spans.filter(({ outcome }) => outcome === 'ok').length
  const failed = failedSpan(launch)
  const end = failed ? `, failed at ${STEP_WORDS[failed.span]}` : ''
  return `${done} of ${launch.spans.length} steps${end}`
}

const PARTY: Readonly<Record<LaunchSpan['party'], Party>> = {
  host: 'host',
  app_page: 'page',
  app_server: 'server',
  service: 'service',
}

export const PARTY_NAMES: Readonly<Record<Party, string>> = {
  host: 'Host',
  page: 'App page',
  server: 'App server',
  service: 'Chartside',
}

/** The spans of the waterfall; `now` is for a span that runs. */
export function listSpans(launch: Launch, usual: UsualTimes | undefined, now: number): Span[] {
  const created = Date.parse(launch.createdAt)
  return launch.spans.map((span) => {
    const startedAt = span.startedAt === undefined ? undefined : Date.parse(span.startedAt)
    const hasBegun = startedAt !== undefined && span.outcome !== 'did_not_happen'
    const isRunning = span.outcome === 'running'
    const usualMs = usual?.spans.find((one) => one.span === span.span)?.p50Ms
    const detail = span.code ?? (isRunning ? 'running' : undefined)
    return {
      id: span.span,
      name: SPAN_NAMES[span.span],
      ...(detail === undefined ? {} : { detail }),
      party: PARTY[span.party],
      startMs: hasBegun ? Math.max(startedAt - created, 0) : null,
      durationMs:
        span.durationMs ??
        (isRunning && startedAt !== undefined ? Math.max(now - startedAt, 0) : 0),
      ...(usualMs === undefined ? {} : { usualMs }),
      isFailed: span.outcome === 'failed',
    }
  })
}
