// The navigation beside the page: the account switcher on top, then the pages that exist for this scope
// in their groups, and the environment below. On narrow screens it is a dialog that a button opens.
/** @jsxImportSource preact */
import { Icon, Pill } from '@chartside/ui'
import { ENVIRONMENT } from '../installation.ts'
import { useShortcut } from '../keys/shortcuts.ts'
import { personalAddress, scopedAddress } from '../route/addresses.ts'
import { knownPages } from '../route/known-pages.ts'
import { navigate } from '../route/location.ts'
import type { NavGroup, NavItem, PageEntry } from '../route/page-entry.ts'
import type { Scope } from '../session/scopes.ts'
import { AccountSwitcher } from './account-switcher.tsx'

interface ShownItem extends NavItem {
  readonly entry: PageEntry
  readonly address: string
}

const GROUPS: readonly { readonly group: NavGroup; readonly title: string | undefined }[] = [
  { group: 'work', title: undefined },
  { group: 'setup', title: 'Set up' },
  { group: 'oversight', title: 'Oversight' },
]

const groupOrder = (item: NavItem): number => GROUPS.findIndex(({ group }) => group === item.group)

/** Lists what the navigation shows for a scope, in its order. */
export const listItems = (scope: Scope): readonly ShownItem[] =>
  knownPages()
    .flatMap((entry) => {
      const { nav, isFor, isPersonal, path } = entry
      const isShown = isPersonal || (scope.id !== '' && (isFor?.(scope) ?? true))
      if (!nav || !isShown) return []
      const address = isPersonal ? personalAddress(path) : scopedAddress(scope, path)
      return [{ ...nav, entry, address }]
    })
    .sort((one, other) => groupOrder(one) - groupOrder(other) || one.order - other.order)

export function Navigation({
  scope,
  current,
}: {
  readonly scope: Scope
  readonly current: PageEntry | undefined
}) {
  const items = listItems(scope)
  return (
    <>
      <AccountSwitcher scope={scope} />
      <nav aria-label="Console" class="nav-groups">
        {GROUPS.map(({ group, title }) => {
          const shown = items.filter((item) => item.group === group)
          if (shown.length === 0) return null
          return (
            <div key={group} class="nav-group">
              {title && <p class="nav-title">{title}</p>}
              <ul>
                {shown.map((item) => (
                  <NavLink key={item.entry.path} item={item} current={current} />
                ))}
              </ul>
            </div>
          )
        })}
      </nav>
      <EnvironmentChip />
    </>
  )
}

function NavLink({ item, current }: { item: ShownItem; current: PageEntry | undefined }) {
  const { entry, label, icon, address, key } = item
  useShortcut({ keys: key ? `g ${key}` : `none ${entry.path}`, label, group: 'Go to' }, () =>
    navigate(address),
  )
  const isCurrent = current !== undefined && isBelow(entry, current)
  return (
    <li>
      <a href={address} aria-current={isCurrent ? 'page' : undefined}>
        <Icon name={icon} />
        {label}
      </a>
    </li>
  )
}

/** A page of a record counts to the list above it. */
const isBelow = (entry: PageEntry, current: PageEntry): boolean =>
  entry === current ||
  (entry.path !== '' &&
    current.path.startsWith(`${entry.path}/`) &&
    entry.isPersonal === current.isPersonal)

/** Production shows none: a chip that is always there is not read. */
export function EnvironmentChip() {
  if (ENVIRONMENT === 'production') return null
  const isStaging = ENVIRONMENT === 'staging'
  return (
    <p class="environment">
      <Pill tone={isStaging ? 'warn' : 'accent'} icon="flag">
        {isStaging ? 'Staging' : 'Development'}
      </Pill>
    </p>
  )
}
