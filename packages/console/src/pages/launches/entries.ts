// The pages about launches: path, title, place in the navigation, and the file of each, which is loaded when
// the page is opened.
import type { PageEntry } from '../../route/page-entry.ts'

export const LAUNCH_PAGES: readonly PageEntry[] = [
  {
    path: 'launches',
    title: 'Launches',
    nav: { label: 'Launches', icon: 'bolt', group: 'work', order: 2, key: 'l' },
    load: () => import('./launches-page.tsx'),
  },
  { path: 'launches/:id', title: 'Launch', load: () => import('./launch-page.tsx') },
]
