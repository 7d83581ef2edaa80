// The chapters of the reference, in the order in which somebody meets them, and which address
// belongs to which. Plain data.

export const SECTIONS = [
  {
    title: 'App authentication',
    about: 'What a launched app calls: authorize, token, and what stands on the token.',
    prefixes: ['/app-auth/', '/.well-known/'],
  },
  { title: 'In-page SDK', about: 'The script that an app loads.', prefixes: ['/sdk/'] },
  {
    title: 'Sign-in',
    about: 'How people and their clients sign in and out.',
    prefixes: ['/auth/'],
  },
  {
    title: 'EHR sessions and launches',
    about: 'What a host calls: a provider is on an EHR page, apps are launched there.',
    prefixes: ['/api/sessions', '/api/launches'],
  },
  { title: 'Users', about: 'Yourself, and the people of the platform.', prefixes: ['/api/users'] },
  {
    title: 'Accounts',
    about: 'Practices and vendors, their members, their audit trail.',
    prefixes: ['/api/accounts'],
  },
  { title: 'Apps', about: 'Registered apps and their client secrets.', prefixes: ['/api/apps'] },
  {
    title: 'Collections',
    about: 'What runs where: drafts, and published versions that never change.',
    prefixes: ['/api/collections'],
  },
  { title: 'Audit', about: 'What happened on the platform.', prefixes: ['/api/'] },
  { title: 'The service itself', about: 'Health and this reference.', prefixes: ['/'] },
] as const

/** The first section that has a prefix of the path. */
export const sectionOf = (path: string): string | undefined =>
  SECTIONS.find(({ prefixes }) => prefixes.some((prefix) => path.startsWith(prefix)))?.title
