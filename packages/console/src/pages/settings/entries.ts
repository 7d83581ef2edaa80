// The pages about the signed-in person: path, place in the navigation, and the file of each. None of
// them depends on the chosen account.
import type { PageEntry } from '../../route/page-entry.ts'

export const SETTINGS_PAGES: readonly PageEntry[] = [
  {
    path: 'settings',
    title: 'Settings',
    isPersonal: true,
    nav: { label: 'Settings', icon: 'gear', group: 'oversight', order: 9, key: 'm' },
    load: () => import('./profile-page.tsx'),
  },
  {
    path: 'settings/sign-in',
    title: 'How you sign in',
    isPersonal: true,
    load: () => import('./sign-in-page.tsx'),
  },
  {
    path: 'settings/sessions',
    title: 'Where you are signed in',
    isPersonal: true,
    load: () => import('./sessions-page.tsx'),
  },
  {
    path: 'settings/developer-keys',
    title: 'Developer keys',
    isPersonal: true,
    load: () => import('./developer-keys-page.tsx'),
  },
]
