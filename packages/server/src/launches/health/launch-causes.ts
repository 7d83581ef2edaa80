// The causes of failures over apps: what failed for one reason at one step is one cause, whichever apps it hit.
// Pure: rows of the store in, groups out.
import type { LaunchCause } from '../list/launch-list-store.ts'

export interface CauseOverApps extends Omit<LaunchCause, 'appId'> {
  /** The apps with most launches come first. */
  readonly apps: readonly LaunchCause[]
}

/** A launch is of one app, so that the counts of the apps make that of the cause. The most frequent first. */
export function groupCauses(causes: readonly LaunchCause[]): CauseOverApps[] {
  const groups = Map.groupBy(causes, ({ reason, step, code }) =>
    JSON.stringify([reason, step, code]),
  )
  return [...groups.values()]
    .flatMap((found): CauseOverApps[] => {
      const apps = found.toSorted((a, b) => b.count - a.count || b.lastAt - a.lastAt)
      const [first] = apps
      if (!first) return []
      const { appId: _, ...cause } = first
      return [
        {
          ...{ ...cause, apps },
          count: apps.reduce((all, { count }) => all + count, 0),
          firstAt: Math.min(...apps.map(({ firstAt }) => firstAt)),
          lastAt: Math.max(...apps.map(({ lastAt }) => lastAt)),
        },
      ]
    })
    .sort((a, b) => b.count - a.count || b.lastAt - a.lastAt)
}
