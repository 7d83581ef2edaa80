// The times that are chosen in the histogram of launches, by pointer or by keys. Pure: bars and a key in, a selection
// out. A selection keeps moments, since the bars move on while launches come.
import { formatClock, formatCount, formatDate, formatTime } from '@chartside/ui/times'

/** Both are beginnings of bars, in any order. */
export interface Selection {
  readonly anchor: number
  readonly head: number
}

export interface Bars {
  readonly first: number
  readonly slotMs: number
  readonly count: number
}

const clamp = (index: number, { count }: Bars) => Math.max(0, Math.min(count - 1, index))
const at = (index: number, bars: Bars) => bars.first + clamp(index, bars) * bars.slotMs

/** The bar at a share of the width. */
export const barAt = (share: number, bars: Bars): number => at(Math.floor(share * bars.count), bars)

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/**
 * Moves the selection; undefined for a key that moves nothing. The first key begins at the nearest end: the
 * newest bar is the last.
 */
export function moveSelection(
  selection: Selection | undefined,
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  bars: Bars,
): Selection | undefined {
  const step = STEPS[key]
  if (step === undefined || bars.count === 0) return undefined
  const begin = step < 0 ? bars.count : -1
  const from = selection ? Math.round((selection.head - bars.first) / bars.slotMs) : begin
  const isEnd = key === 'Home' || key === 'End'
  const head = at(isEnd && !selection ? (step < 0 ? 0 : bars.count - 1) : from + step, bars)
  return { anchor: shiftKey && selection ? selection.anchor : head, head }
}

/** Returns the time from the beginning of the first chosen bar to the end of the last. */
export const timeOfSelection = ({ anchor, head }: Selection, { slotMs }: Bars) => ({
  from: Math.min(anchor, head),
  to: Math.max(anchor, head) + slotMs,
})

export interface SlotCounts {
  readonly at: string
  readonly launches: number
  readonly failed: number
}

/** Describes a time: “Nov 26, 3:00 PM to 4:00 PM: 41 launches, 3 failed”. */
export function describeTime(
  { from, to }: { readonly from: number; readonly to: number },
  slots: readonly SlotCounts[],
  { now, timeZone }: { readonly now: number; readonly timeZone: string | undefined },
): string {
  const chosen = slots.filter((slot) => Date.parse(slot.at) >= from && Date.parse(slot.at) < to)
  const sum = (of: 'launches' | 'failed') => chosen.reduce((all, slot) => all + slot[of], 0)
  const clock = (to - from) % 60_000 === 0 ? formatClock : formatTime
  const day = (moment: number) => formatDate(moment, now, { timeZone })
  const begin = `${day(from)}, ${clock(from, { timeZone })}`
  const end = `${day(to) === day(from) ? '' : `${day(to)}, `}${clock(to, { timeZone })}`
  const launches = sum('launches') === 1 ? '1 launch' : `${formatCount(sum('launches'))} launches`
  return `${begin} to ${end}: ${launches}, ${formatCount(sum('failed'))} failed`
}

/** Describes the width of a bar: “Launches per 30 minutes”. */
export function describeWidth(seconds: number): string {
  const [count, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 3600
        ? [seconds / 60, 'minute']
        : seconds < 86_400
          ? [seconds / 3600, 'hour']
          : [seconds / 86_400, 'day']
  return count === 1 ? `Launches per ${unit}` : `Launches per ${count} ${unit}s`
}
