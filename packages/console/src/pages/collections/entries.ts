// The pages about what runs where: collections, the draft of one, and its published versions. Every member of
// the account sees them; administrators change them.
import type { PageEntry } from '../../route/page-entry.ts'

export const COLLECTION_PAGES: readonly PageEntry[] = [
  {
    path: 'collections',
    title: 'What runs where',
    nav: { label: 'What runs where', icon: 'grid', group: 'setup', order: 2, key: 'w' },
    load: () => import('./collections-page.tsx'),
  },
  { path: 'collections/:id', title: 'Collection', load: () => import('./collection-page.tsx') },
  {
    path: 'collections/:id/versions',
    title: 'Versions',
    load: () => import('./versions-page.tsx'),
  },
]
