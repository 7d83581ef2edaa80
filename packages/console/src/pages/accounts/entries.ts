// The pages about accounts: the list for the platform, and the settings of one account for those who
// run it.
import type { PageEntry } from '../../route/page-entry.ts'
import { isAllowedIn } from '../../session/scopes.ts'

export const ACCOUNT_PAGES: readonly PageEntry[] = [
  {
    path: 'accounts',
    title: 'Accounts',
    nav: { label: 'Accounts', icon: 'building', group: 'setup', order: 4, key: 'c' },
    isFor: ({ kind }) => kind === 'platform',
    load: () => import('./accounts-page.tsx'),
  },
  {
    path: 'account',
    title: 'Account',
    nav: { label: 'Account', icon: 'building', group: 'setup', order: 4, key: 'c' },
    isFor: (scope) => scope.kind === 'account' && isAllowedIn(scope, 'run'),
    load: () => import('./account-page.tsx'),
  },
]
