// The seven steps of a launch as every page names them, in causal order, and the rows in which a page shows
// a launch: a try that failed before the step succeeded stands in a row of its own. Pure. Contract §3.
import type { ChartHandling, Launch, LaunchSpan, LaunchStep, LaunchStepName } from './launch.ts'

type SpanName = LaunchSpan['span']

/** One name for each step: of card, pill, title, waterfall, strip and terminal. */
export const STEP_NAMES: Readonly<Record<SpanName, string>> = {
  open: 'Frame',
  load: 'Page load',
  authorize: 'Authorize',
  prepare: 'Callback',
  exchange: 'Exchange',
  hello: 'Handshake',
  context: 'Context',
}

/** Events of the timeline that belong to no step: they follow the seven. */
type LaterEvent = 'ended' | 'chart_changed' | 'logout'

/** The step to which a recorded event of the timeline belongs. */
export const STEP_OF = {
  created: 'open',
  opened: 'open',
  authorize: 'authorize',
  code: 'authorize',
  exchange: 'exchange',
  handshake: 'hello',
  context: 'context',
} as const satisfies Readonly<Record<Exclude<LaunchStepName, LaterEvent>, SpanName>>

/** The code of a host that got no hello in time, for a launch that stopped at any step before. */
export const HANDSHAKE_TIMEOUT = 'HANDSHAKE_TIMEOUT'

/** Whether the failure says that a launch stands still: any later step of it shows that it went on. */
export const isSilence = ({ code, reason }: Pick<LaunchStep, 'code' | 'reason'>): boolean =>
  code === HANDSHAKE_TIMEOUT || reason === 'page_not_opened'

export interface LaunchRow extends LaunchSpan {
  /** `exchange`, and `exchange 2` for the second row of a step. */
  readonly id: string
  /** A try that failed and that a later one made good. */
  readonly isRecovered: boolean
}

/**
 * The spans of a launch, with a row before a step for each earlier try that failed. Never throws.
 * Contract §3.
 * @example const rows = listLaunchRows(launch)
 */
export function listLaunchRows({ spans, steps }: Pick<Launch, 'spans' | 'steps'>): LaunchRow[] {
  const counts = new Map<string, number>()
  return spans.flatMap((span) =>
    withTries(span, steps).map((row) => {
      const count = (counts.get(row.span) ?? 0) + 1
      counts.set(row.span, count)
      return { ...row, id: count === 1 ? row.span : `${row.span} ${count}` }
    }),
  )
}

/** The step that stopped the launch, if one did. */
export const findStopped = ({ spans }: Pick<Launch, 'spans'>): LaunchSpan | undefined =>
  spans.find(({ outcome }) => outcome === 'failed')

/** The step that stopped a launch: as the service says, and before that as its host says. */
export function nameFailedStep(spans: readonly LaunchSpan[], recorded: LaunchStepName): string {
  const span = findStopped({ spans })?.span ?? findStep(recorded)
  return span === undefined ? '' : STEP_NAMES[span]
}

/** A launch that became ready although a step of it had failed. */
export const isLate = ({ outcome, spans, steps }: Pick<Launch, 'outcome' | 'spans' | 'steps'>) =>
  outcome === 'ready' && listLaunchRows({ spans, steps }).some(({ isRecovered }) => isRecovered)

const HANDLINGS: Readonly<Record<ChartHandling, string>> = {
  relaunch: 'the app was launched again for it',
  cover: 'the app was covered until the person decided',
  event: 'the app switched by itself',
  keep: 'the app does not depend on it',
  returned: 'the earlier one was back at once, and nothing changed',
  observe: 'recorded only',
}

/**
 * Says what the host did at a change of the chart, or whether the app's server was notified of the end;
 * undefined for other events.
 */
export function describeLaterEvent({
  step,
  handled,
  shownMs,
  cause,
}: Pick<LaunchStep, 'step' | 'handled' | 'shownMs' | 'cause'>): string | undefined {
  if (step === 'logout') return cause
  if (step !== 'chart_changed' || handled === undefined) return undefined
  const after = shownMs === undefined ? '' : `, shown after ${shownMs} ms`
  return `Another chart: ${HANDLINGS[handled]}${after}.`
}

type Row = Omit<LaunchRow, 'id'>

function withTries(span: LaunchSpan, steps: readonly LaunchStep[]): Row[] {
  const { startedAt, durationMs } = span
  if (span.outcome !== 'ok' || startedAt === undefined || durationMs === undefined) {
    return [{ ...span, isRecovered: false }]
  }
  const startMs = Date.parse(startedAt)
  const endMs = startMs + durationMs
  let fromMs = startMs
  const tries = steps.filter((step) => isTryOf(step, span.span, startMs, endMs))
  const failed = tries.map(({ at, code, reason, cause, fix, who, traceId }): Row => {
    const began = Math.min(fromMs, Date.parse(at))
    fromMs = Math.max(fromMs, Date.parse(at))
    const times = { startedAt: rfc3339(began), durationMs: Date.parse(at) - began }
    const why = dropUndefined({ code, reason, cause, fix, who, traceId })
    return { ...span, ...times, ...why, outcome: 'failed', isRecovered: true }
  })
  const rest = { startedAt: rfc3339(fromMs), durationMs: Math.max(endMs - fromMs, 0) }
  return [...failed, { ...span, ...(failed.length > 0 ? rest : {}), isRecovered: false }]
}

const findStep = (event: LaunchStepName): SpanName | undefined =>
  event in STEP_OF ? STEP_OF[event as keyof typeof STEP_OF] : undefined

/** A silence says only that the step that ran then took long. */
function isTryOf(
  { step, outcome, at, ...why }: LaunchStep,
  span: SpanName,
  startMs: number,
  endMs: number,
): boolean {
  const ms = Date.parse(at)
  if (outcome !== 'failed' || ms > endMs) return false
  return isSilence(why) ? ms >= startMs : findStep(step) === span
}

const rfc3339 = (ms: number) => new Date(ms).toISOString()

const dropUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
