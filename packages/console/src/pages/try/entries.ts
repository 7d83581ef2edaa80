// The pages that call the backend API by hand: path, title, place in the navigation, and the file of each,
// which is loaded when the page is opened. The reference page `/doc` leads here.
import type { PageEntry } from '../../route/page-entry.ts'

export const TRY_PAGES: readonly PageEntry[] = [
  {
    path: 'try',
    title: 'API',
    nav: { label: 'API', icon: 'code', group: 'oversight', order: 8, key: 'i' },
    load: () => import('./try-page.tsx'),
  },
  { path: 'try/:operation', title: 'API', load: () => import('./operation-page.tsx') },
]
