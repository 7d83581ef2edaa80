// Builds the addresses of pages, and finds the page of an address. A page of the scope stands below the
// scope's id, a personal page directly below the console.
import type { Scope } from '../session/scopes.ts'
import { knownPages } from './known-pages.ts'
import { addressOf } from './location.ts'
import { type Matched, matchPath, splitScope } from './match.ts'
import type { PageEntry } from './page-entry.ts'

/** `scopedAddress(scope, 'launches/lau_1')`; each segment that comes from a record is encoded. */
export const scopedAddress = ({ id }: Pick<Scope, 'id'>, path: string): string =>
  addressOf([id, path].filter((part) => part !== '').join('/'))

export const personalAddress = (path: string): string => addressOf(path)

export interface FoundPage extends Matched<PageEntry> {
  /** The scope in the address; undefined when it names none. */
  readonly scope: string | undefined
}

/** The page at a path below the console; of a path without a scope the personal pages come first. */
export function findPage(path: string): FoundPage | undefined {
  const { scope, rest } = splitScope(path)
  const isPersonal = (entry: PageEntry) => entry.isPersonal === true
  const personal =
    scope === undefined ? matchPath(knownPages().filter(isPersonal), rest) : undefined
  const found =
    personal ??
    matchPath(
      knownPages().filter((entry) => !isPersonal(entry)),
      rest,
    )
  return found && { ...found, scope }
}
