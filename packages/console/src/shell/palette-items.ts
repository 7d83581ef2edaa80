// What the palette lists for a text: the record that it names, then where it has led lately, pages, accounts and commands
// whose name has every word of it, then what the service has found by name; each address once. Pure.
import type { IconName } from '@chartside/ui'
import type { Lookup } from './lookups.ts'

export interface PaletteItem {
  /** The id is unique in the list. */
  readonly id: string
  readonly label: string
  readonly detail?: string | undefined
  readonly icon: IconName
  readonly target: { readonly address: string } | { readonly lookup: Lookup }
}

/** The most items of a group. */
const MAX_SHOWN = 8

const addressOf = ({ target }: PaletteItem) => ('address' in target ? target.address : undefined)

const hasEveryWord = (name: string, words: readonly string[]) =>
  words.every((word) => name.toLocaleLowerCase().includes(word))

export function listMatches(
  text: string,
  lookup: Lookup | undefined,
  items: readonly (readonly PaletteItem[])[],
  named: readonly PaletteItem[],
): readonly PaletteItem[] {
  const words = text.trim().toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const found = items.flatMap((group) =>
    group
      .filter(({ label, detail = '' }) => hasEveryWord(`${label} ${detail}`, words))
      .slice(0, MAX_SHOWN),
  )
  const seen = new Set<string>()
  const all = [...found, ...named].filter((item) => {
    const key = addressOf(item) ?? item.id
    return !seen.has(key) && seen.add(key)
  })
  if (!lookup) return all
  const first = { id: 'lookup', label: lookup.label, icon: 'search', target: { lookup } } as const
  return [first, ...all]
}
