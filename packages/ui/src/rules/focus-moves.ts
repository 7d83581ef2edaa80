// Which item of a row or a list a key moves the focus to: arrows wrap around, Home and End jump, and
// a digit names its place. Pure; the part that calls it moves the focus and opens nothing.

export type Direction = 'row' | 'list'

/** The index to focus, or null when the key means nothing here. */
export function nextFocus(
  key: string,
  index: number,
  count: number,
  direction: Direction,
): number | null {
  if (count === 0) return null
  const [previous, next] =
    direction === 'row' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
  if (key === next) return (index + 1) % count
  if (key === previous) return (index - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return null
}

/** “1” to “9” name the first nine places. */
export function placeOfDigit(key: string, count: number): number | null {
  const place = /^[1-9]$/.test(key) ? Number(key) - 1 : -1
  return place >= 0 && place < count ? place : null
}

/** The item whose name begins with the typed character, after the focused one. */
export function findByFirstCharacter(
  key: string,
  index: number,
  names: readonly string[],
): number | null {
  if (key.length !== 1 || key === ' ') return null
  const wanted = key.toLocaleLowerCase()
  const order = names.map((_, step) => (index + 1 + step) % names.length)
  return order.find((place) => names[place]?.toLocaleLowerCase().startsWith(wanted)) ?? null
}
