// The sections of the reference, in reading order, and the prefixes of the addresses of each. Plain
// data.

export const SECTIONS = [
  {
    title: 'App authentication',
    about: 'What a launched app calls: authorize, token, and the endpoints of the token.',
    prefixes: ['/app-auth/', '/.well-known/'],
  },
  { title: 'In-page SDK', about: 'The script that an app loads.', prefixes: ['/sdk/'] },
  {
    title: 'Sign-in',
    about: 'How users and their clients sign in and out.',
    prefixes: ['/auth/'],
  },
  {
    title: 'EHR sessions and launches',
    about: 'What a host calls: it opens an EHR session and launches apps in it.',
    prefixes: ['/api/sessions', '/api/launches'],
  },
  {
    title: 'Users',
    about: 'The signed-in user, and the users of the platform.',
    prefixes: ['/api/users'],
  },
  {
    title: 'Accounts',
    about: 'Practices and vendors, their members and their audit trails.',
    prefixes: ['/api/accounts'],
  },
  { title: 'Apps', about: 'Registered apps and their client secrets.', prefixes: ['/api/apps'] },
  {
    title: 'Collections',
    about: 'Which apps run where: drafts, and immutable published versions.',
    prefixes: ['/api/collections'],
  },
  {
    title: 'Signing keys',
    about: 'The keys that sign ID tokens, for the platform.',
    prefixes: ['/api/signing-keys'],
  },
  { title: 'Audit', about: 'The audit trail of the platform.', prefixes: ['/api/'] },
  { title: 'The service itself', about: 'Health and this reference.', prefixes: ['/'] },
] as const

/** The first section that has a prefix of the path. */
export const sectionOf = (path: string): string | undefined =>
  SECTIONS.find(({ prefixes }) => prefixes.some((prefix) => path.startsWith(prefix)))?.title
