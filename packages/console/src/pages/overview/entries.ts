// The first page of a scope: its place in the navigation, and its file. The path is empty, so it is
// what the name of a scope alone leads to.
import type { PageEntry } from '../../route/page-entry.ts'

export const OVERVIEW_PAGES: readonly PageEntry[] = [
  {
    path: '',
    title: 'Overview',
    nav: { label: 'Overview', icon: 'home', group: 'work', order: 1, key: 'o' },
    load: () => import('./overview-page.tsx'),
  },
]
