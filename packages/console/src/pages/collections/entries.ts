// The pages about what runs where: collections, the draft of one, and its published versions. Developers
// see them, administrators change them; a provider reads neither.
import type { PageEntry } from '../../route/page-entry.ts'
import { isSeenIn, type Scope } from '../../session/scopes.ts'

const isFor = (scope: Scope) => isSeenIn(scope, 'develop')

export const COLLECTION_PAGES: readonly PageEntry[] = [
  {
    path: 'collections',
    title: 'What runs where',
    nav: { label: 'What runs where', icon: 'grid', group: 'setup', order: 2, key: 'w' },
    isFor,
    load: () => import('./collections-page.tsx'),
  },
  {
    path: 'collections/:id',
    title: 'Collection',
    isFor,
    load: () => import('./collection-page.tsx'),
  },
  {
    path: 'collections/:id/versions',
    title: 'Versions',
    isFor,
    load: () => import('./versions-page.tsx'),
  },
]
