// The pages about apps: path, place in the navigation, and the file of each. A provider registers none
// and so sees none.
import { ENVIRONMENT } from '../../installation.ts'
import type { PageEntry } from '../../route/page-entry.ts'
import { isAllowedIn, isSeenIn } from '../../session/scopes.ts'

export const APP_PAGES: readonly PageEntry[] = [
  {
    path: 'apps',
    title: 'Apps',
    nav: { label: 'Apps', icon: 'plug', group: 'setup', order: 1, key: 'a' },
    isFor: (scope) => isSeenIn(scope, 'develop'),
    load: () => import('./apps-page.tsx'),
  },
  {
    path: 'apps/new',
    title: 'Register an app',
    isFor: (scope) => scope.kind === 'account' && isAllowedIn(scope, 'develop'),
    load: () => import('./new-app-page.tsx'),
  },
  {
    path: 'apps/:id',
    title: 'App',
    isFor: (scope) => isSeenIn(scope, 'develop'),
    load: () => import('./app-page.tsx'),
  },
  {
    path: 'apps/:id/fault-runs/:runId',
    title: 'Fault run',
    isFor: (scope) => ENVIRONMENT === 'staging' && isAllowedIn(scope, 'develop'),
    load: () => import('./fault-run-page.tsx'),
  },
]
