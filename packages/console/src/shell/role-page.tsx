// What an address shows whose page the person's role in the account does not have: what it is, for whom, and
// whom to ask. Nothing of the page itself is loaded.
/** @jsxImportSource preact */
import { StatePage } from '@chartside/ui'
import { useEffect } from 'preact/hooks'
import { ContactAdministrator } from '../parts/contact-administrator.tsx'
import { findScopedPage, scopedAddress } from '../route/addresses.ts'
import type { PageEntry } from '../route/page-entry.ts'
import { ROLE_NAMES, type Scope } from '../session/scopes.ts'

export interface ForbiddenPage {
  readonly entry: PageEntry
  /** The least role that has it. */
  readonly role: 'developer' | 'admin'
}

/** The page at a path that another role of the account has; undefined when none has. */
export function findForbiddenPage(scope: Scope, path: string): ForbiddenPage | undefined {
  for (const role of ['developer', 'admin'] as const) {
    const found = findScopedPage({ ...scope, role }, path)
    if (found && scope.kind === 'account') return { entry: found.entry, role }
  }
  return undefined
}

const FOR_WHOM = {
  developer: 'developers and administrators',
  admin: 'administrators',
} as const

export function RolePage({
  forbidden: { entry, role },
  scope,
}: {
  readonly forbidden: ForbiddenPage
  readonly scope: Scope
}) {
  useEffect(() => {
    document.title = `${entry.title} · Chartside`
  }, [entry])
  return (
    <div class="problem-page">
      <StatePage
        icon="person"
        tone="quiet"
        title="Your role does not allow this"
        actions={
          <a class="button primary" href={scopedAddress(scope, '')}>
            Go to the overview
          </a>
        }
      >
        <p class="quiet">
          {entry.title} of {scope.name} is for {FOR_WHOM[role]}. Your role there:{' '}
          {ROLE_NAMES[scope.role]}.
        </p>
        <p class="quiet">
          <ContactAdministrator />
        </p>
      </StatePage>
    </div>
  )
}
