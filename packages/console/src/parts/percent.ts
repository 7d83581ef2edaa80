// A share in percent with one decimal, as the health of an app and the page of a practice show it. It never
// rounds to all or to none what is neither.

/** Returns 100 % only when it is all, 0 % only when it is none. */
export function percent(share: number): string {
  const rounded = Math.round(share * 1000) / 10
  const shown = Math.max(Math.min(rounded, share < 1 ? 99.9 : 100), share > 0 ? 0.1 : 0)
  return `${shown} %`
}
