// The page about what runs in an account, for its administrators and the platform: path, place in the
// navigation, file.
import type { PageEntry } from '../../route/page-entry.ts'
import { isSeenIn } from '../../session/scopes.ts'

export const RUNNING_PAGES: readonly PageEntry[] = [
  {
    path: 'running',
    title: 'What runs here',
    nav: { label: 'What runs here', icon: 'apps', group: 'setup', order: 0, key: 'h' },
    isFor: (scope) => scope.kind === 'account' && isSeenIn(scope, 'run'),
    load: () => import('./running-page.tsx'),
  },
]
