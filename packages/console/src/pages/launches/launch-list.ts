// What the list of launches shows, read from its address, and the line that sums it up. Pure: an address
// or an answer in, values and words out.
import type { LaunchSummary } from '@chartside/protocol/payloads'
import { formatCount, formatDuration } from '@chartside/ui/times'
import type { LaunchFilter } from '../../api/launches.ts'
import type { Scope } from '../../session/scopes.ts'

const WINDOWS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const

export interface ListedLaunches {
  /** The choices besides outcome and time. */
  readonly filter: LaunchFilter
  readonly outcome: string
  /** `own` is the time between two moments of the address. */
  readonly window: keyof typeof WINDOWS | 'own'
  /** The beginning of a time of its own, in RFC 3339. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** Differs between two lists. */
  readonly key: string
  /** Whether a filter may be why the list is empty. */
  readonly hasFilter: boolean
}

export function readListedLaunches(query: URLSearchParams, scope: Scope): ListedLaunches {
  const find = (name: string) => query.get(name) ?? undefined
  const outcome = find('outcome') ?? ''
  const from = momentOf(find('from'))
  const to = momentOf(find('to'))
  const isOwn = from !== undefined || to !== undefined
  const named = (['hour', 'day', 'week'] as const).find((name) => name === find('in')) ?? 'day'
  const window = isOwn ? 'own' : named
  const accountId = scope.kind === 'account' ? scope.id : find('accountId')
  const choices = {
    ...{ reason: find('reason'), appId: find('appId') },
    ...{ practiceId: find('practiceId'), userId: find('userId') },
  }
  const filter: LaunchFilter = { accountId, ...choices }
  return {
    filter,
    outcome,
    ...{ window, from, to },
    key: JSON.stringify([filter, outcome, window, from, to]),
    hasFilter:
      outcome !== '' ||
      isOwn ||
      Object.values(choices).some((choice) => choice !== undefined) ||
      (scope.kind === 'platform' && accountId !== undefined),
  }
}

/** A time that the service takes; another one is not asked for. */
const momentOf = (text: string | undefined): string | undefined =>
  text === undefined || Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString()

export interface ListedTime {
  readonly from: string
  readonly to?: string
}

/** The time of the list; one without a beginning is a week. */
export function timeOf({ window, from, to }: ListedLaunches, now: number): ListedTime {
  if (window !== 'own') return { from: new Date(now - WINDOWS[window]).toISOString() }
  const end = to === undefined ? now : Date.parse(to)
  const begin = from ?? new Date(end - WINDOWS.week).toISOString()
  return to === undefined ? { from: begin } : { from: begin, to }
}

/** Whether no launch can come into the list any more. */
export const isOver = ({ to }: ListedLaunches, now: number): boolean =>
  to !== undefined && Date.parse(to) <= now

/** The summary of a list, such as “12 launches · 83 % ready · median 1.2 s”. */
export function describeSummary({ launches, isCapped, successRate, toReady }: LaunchSummary) {
  const count = launches === 1 ? '1 launch' : `${formatCount(launches)} launches`
  return [
    `${isCapped ? 'the newest ' : ''}${count}`,
    ...(typeof successRate === 'number' ? [`${Math.round(successRate * 100)} % ready`] : []),
    ...(toReady ? [`median ${formatDuration(toReady.p50Ms)}`] : []),
  ].join(' · ')
}
