// Where the palette has led since the console was loaded, the newest first. It stays in memory, so that a shared
// computer keeps no name.
import type { PaletteItem } from './palette-items.ts'

const MAX_RECENT = 5

let items: readonly PaletteItem[] = []

export const listRecent = (): readonly PaletteItem[] => items

export function noteRecent(item: PaletteItem): void {
  items = [item, ...items.filter(({ id }) => id !== item.id)].slice(0, MAX_RECENT)
}
