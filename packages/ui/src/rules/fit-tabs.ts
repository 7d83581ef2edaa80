// How many app tabs fit a strip: the open one needs room for its name, the others only for their icon.
// The rest goes into a menu, never more than six tabs stand in the strip, and the open one always
// does. Pure, in pixels.

const ICON = 38
const OPEN_TAB = 130
const MAX_TABS = 6

export interface FittedTabs {
  /** Indexes in the strip, in the order of the apps. */
  readonly shown: readonly number[]
  /** Indexes in the menu. */
  readonly hidden: readonly number[]
}

export function fitTabs(count: number, open: number, width: number): FittedTabs {
  const all = Array.from({ length: count }, (_, index) => index)
  const room = (within: number) => 1 + Math.max(0, Math.floor((within - OPEN_TAB) / ICON))
  if (count <= Math.min(MAX_TABS, room(width))) return { shown: all, hidden: [] }
  const places = Math.min(MAX_TABS, room(width - ICON), count - 1)
  const shown = all.slice(0, Math.max(1, places))
  if (open >= shown.length && open < count) shown[shown.length - 1] = open
  return { shown, hidden: all.filter((index) => !shown.includes(index)) }
}
