// The pages about audit: path, title, place in the navigation, and the file of each, which is loaded when
// the page is opened.
import type { PageEntry } from '../../route/page-entry.ts'
import { isSeenIn } from '../../session/scopes.ts'

export const AUDIT_PAGES: readonly PageEntry[] = [
  {
    path: 'audit',
    title: 'Audit',
    nav: { label: 'Audit', icon: 'list', group: 'oversight', order: 1, key: 'u' },
    isFor: (scope) => isSeenIn(scope, 'run'),
    load: () => import('./audit-page.tsx'),
  },
  {
    path: 'audit/seen',
    title: 'What a person saw',
    isFor: (scope) => isSeenIn(scope, 'run'),
    load: () => import('./seen-page.tsx'),
  },
]
