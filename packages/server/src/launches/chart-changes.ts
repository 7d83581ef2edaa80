// How the host handled each change of the chart beside a launch: nothing of the chart itself. Kept as text
// on the row of the launch, to which each report appends one entry. Pure. Contract §11.
import type { ChartHandling } from '@chartside/protocol/launch'

export interface ChartChange {
  /** Counts the changes of one launch. */
  readonly change: number
  readonly handled: ChartHandling
  /** The value is undefined while no app is shown again. */
  readonly shownMs?: number | undefined
  readonly at: number
}

const ENTRY = /(?<change>\d+) (?<handled>[a-z]+) (?<shown>\d*) (?<at>\d+);/g

export const formatChartChange = ({ change, handled, shownMs, at }: ChartChange): string =>
  `${change} ${handled} ${shownMs ?? ''} ${at};`

/** Parses the changes in order, one for each change: its first time, and what was reported last. */
export function parseChartChanges(text: string | undefined): ChartChange[] {
  const changes = new Map<number, ChartChange>()
  for (const { groups = {} } of (text ?? '').matchAll(ENTRY)) {
    const change = Number(groups.change)
    const handled = groups.handled as ChartHandling
    const at = changes.get(change)?.at ?? Number(groups.at)
    const shown = groups.shown ? { shownMs: Number(groups.shown) } : {}
    changes.set(change, { change, handled, at, ...shown })
  }
  return [...changes.values()]
}
