// The page of the keys that sign ID tokens, for the platform: path, title and place in the navigation. Its file is
// loaded when the page is opened.
import type { PageEntry } from '../../route/page-entry.ts'

export const KEY_PAGES: readonly PageEntry[] = [
  {
    path: 'signing-keys',
    title: 'Signing keys',
    nav: { label: 'Signing keys', icon: 'key', group: 'oversight', order: 2, key: 'k' },
    isFor: ({ kind }) => kind === 'platform',
    load: () => import('./keys-page.tsx'),
  },
]
