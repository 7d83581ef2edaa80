// What a page says of itself so that the shell can find it, list it and load it: its path, its place in
// the navigation, and the file that holds it. Plain data; each area has its own list of entries.
import type { IconName } from '@chartside/ui'
import type { ComponentType } from 'preact'
import type { Scope } from '../session/scopes.ts'

export interface PageProps {
  /** The parameters of the path: `{ id }` for `launches/:id`. */
  readonly params: Readonly<Record<string, string>>
  readonly scope: Scope
}

export type NavGroup = 'work' | 'setup' | 'oversight'

export interface NavItem {
  readonly label: string
  readonly icon: IconName
  readonly group: NavGroup
  /** The place within its group; ui.md says which comes first. */
  readonly order: number
  /** The second key after G, such as `l`. */
  readonly key?: string
}

export interface PageEntry {
  /** The path below the scope: `launches`, `launches/:id`. That of personal pages is below the console. */
  readonly path: string
  readonly title: string
  /** True for a page about the signed-in person, whatever the scope is. */
  readonly isPersonal?: true
  /** The item is absent for pages that another page leads to. */
  readonly nav?: NavItem
  /** Whether the page exists for a scope; default: for every one. */
  readonly isFor?: (scope: Scope) => boolean
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>
}
