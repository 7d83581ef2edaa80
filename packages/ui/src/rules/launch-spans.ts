// A launch as the waterfall shows it: a span for each row, with the party whose time it was and what the
// app usually takes. For every page that draws one. Pure.
import type { Launch } from '@chartside/protocol/launch'
import { type LaunchRow, listLaunchRows, STEP_NAMES } from '@chartside/protocol/launch-steps'
import type { UsualTimes } from '@chartside/protocol/payloads'
import type { Party, Span } from './spans.ts'

const PARTY: Readonly<Record<LaunchRow['party'], Party>> = {
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

/** `now` is for a span that runs. */
export function listSpans(
  launch: Pick<Launch, 'createdAt' | 'spans' | 'steps'>,
  usual: UsualTimes | undefined,
  now: number,
): Span[] {
  const created = Date.parse(launch.createdAt)
  return listLaunchRows(launch).map((row) => {
    const startedAt = row.startedAt === undefined ? undefined : Date.parse(row.startedAt)
    const hasBegun = startedAt !== undefined && row.outcome !== 'did_not_happen'
    const isRunning = row.outcome === 'running'
    const runsMs = isRunning && startedAt !== undefined ? Math.max(now - startedAt, 0) : 0
    const usualMs = usual?.spans.find((one) => one.span === row.span)?.p50Ms
    const detail = describeRow(row)
    return {
      id: row.id,
      name: STEP_NAMES[row.span],
      ...(detail === undefined ? {} : { detail }),
      party: PARTY[row.party],
      startMs: hasBegun ? Math.max(startedAt - created, 0) : null,
      durationMs: row.durationMs ?? runsMs,
      ...(usualMs === undefined || row.isRecovered ? {} : { usualMs }),
      isFailed: row.outcome === 'failed' && !row.isRecovered,
      isLate: row.isRecovered,
      isRunning,
      isWaiting: row.outcome === 'waiting',
    }
  })
}

function describeRow({ outcome, code, note, isRecovered }: LaunchRow): string | undefined {
  if (isRecovered) return `tried again after ${code}`
  if (note === 'clamped') return 'reported late'
  return code ?? (outcome === 'running' ? 'running' : undefined)
}
