// Builds the addresses of pages, and finds the page of an address. A page of the scope stands below the
// scope's id, a personal page directly below the console; two scopes may have two pages at one path.
import type { Scope } from '../session/scopes.ts'
import { knownPages } from './known-pages.ts'
import { addressOf } from './location.ts'
import { type Matched, matchPath } from './match.ts'
import type { PageEntry } from './page-entry.ts'

/** `scopedAddress(scope, 'launches/lau_1')`; each segment that comes from a record is encoded. */
export const scopedAddress = ({ id }: Pick<Scope, 'id'>, path: string): string =>
  addressOf([id, path].filter((part) => part !== '').join('/'))

/**
 * The values of `do` in the query of a page, by which a command of the palette leads to its open dialog or its field.
 */
export const DO = {
  switchOff: 'switch-off',
  stopHere: 'stop-here',
  newSecret: 'new-secret',
  publish: 'publish',
  invite: 'invite',
  create: 'create',
  find: 'find',
  around: 'around',
} as const

export type Asked = (typeof DO)[keyof typeof DO]

export const personalAddress = (path: string): string => addressOf(path)

export type FoundPage = Matched<PageEntry>

const isPersonal = (entry: PageEntry) => entry.isPersonal === true

/** The page about the signed-in person at a path below the console. */
export const findPersonalPage = (path: string): FoundPage | undefined =>
  matchPath(knownPages().filter(isPersonal), path)

/** The page at a path below a scope; undefined when the scope has none there. */
export const findScopedPage = (scope: Scope, path: string): FoundPage | undefined =>
  matchPath(
    knownPages().filter((entry) => !isPersonal(entry) && (entry.isFor?.(scope) ?? true)),
    path,
  )
