// The pages about people: the members of an account, and the users of the whole platform, each with a page for one
// of them. One address for both, since the scope says which are meant.
import type { PageEntry } from '../../route/page-entry.ts'

const nav = { label: 'People', icon: 'people', group: 'setup', order: 3, key: 'p' } as const

export const PEOPLE_PAGES: readonly PageEntry[] = [
  {
    path: 'people',
    title: 'People',
    nav,
    isFor: ({ kind }) => kind === 'account',
    load: () => import('./people-page.tsx'),
  },
  {
    path: 'people',
    title: 'People',
    nav,
    isFor: ({ kind }) => kind === 'platform',
    load: () => import('./users-page.tsx'),
  },
  {
    path: 'people/:id',
    title: 'Person',
    isFor: ({ kind }) => kind === 'account',
    load: () => import('./person-page.tsx'),
  },
  {
    path: 'people/:id',
    title: 'Person',
    isFor: ({ kind }) => kind === 'platform',
    load: () => import('./user-page.tsx'),
  },
]
