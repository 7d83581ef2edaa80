// The pages about sessions: path, title, place in the navigation, and the file of each, which is loaded when
// the page is opened.
import type { PageEntry } from '../../route/page-entry.ts'

export const SESSION_PAGES: readonly PageEntry[] = [
  {
    path: 'sessions',
    title: 'EHR sessions',
    nav: { label: 'EHR sessions', icon: 'screen', group: 'work', order: 3, key: 's' },
    load: () => import('./sessions-page.tsx'),
  },
]
