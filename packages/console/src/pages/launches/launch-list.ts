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
  readonly window: keyof typeof WINDOWS
  /** Differs between two lists. */
  readonly key: string
  /** Whether a filter may be why the list is empty. */
  readonly hasFilter: boolean
}

export function readListedLaunches(query: URLSearchParams, scope: Scope): ListedLaunches {
  const find = (name: string) => query.get(name) ?? undefined
  const outcome = find('outcome') ?? ''
  const window = (['hour', 'day', 'week'] as const).find((name) => name === find('in')) ?? 'day'
  const accountId = scope.kind === 'account' ? scope.id : find('accountId')
  const choices = {
    ...{ reason: find('reason'), appId: find('appId') },
    ...{ practiceId: find('practiceId'), userId: find('userId') },
  }
  const filter: LaunchFilter = { accountId, ...choices }
  return {
    filter,
    outcome,
    window,
    key: JSON.stringify([filter, outcome, window]),
    hasFilter:
      outcome !== '' ||
      Object.values(choices).some((choice) => choice !== undefined) ||
      (scope.kind === 'platform' && accountId !== undefined),
  }
}

/** The time from which launches are listed. */
export const startOf = ({ window }: ListedLaunches, now: number): string =>
  new Date(now - WINDOWS[window]).toISOString()

/** The summary of a list, such as “12 launches · 83 % ready · median 1.2 s”. */
export function describeSummary({ launches, isCapped, successRate, toReady }: LaunchSummary) {
  const count = launches === 1 ? '1 launch' : `${formatCount(launches)} launches`
  return [
    `${isCapped ? 'the newest ' : ''}${count}`,
    ...(typeof successRate === 'number' ? [`${Math.round(successRate * 100)} % ready`] : []),
    ...(toReady ? [`median ${formatDuration(toReady.p50Ms)}`] : []),
  ].join(' · ')
}
