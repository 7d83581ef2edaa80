// Which room of the server may import which: the declared graph, held by house-rules.test.ts. A room
// that is in no list of another is imported by none. Adding an edge here is a decision, not a fix.

/** Every room may import these. They import nothing but each other. */
export const GROUND: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  db: ['kernel'],
}

/** What each room imports beside the ground and the type of the service. */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  cluster: [],
  liveness: [],
  keys: ['cluster'],
  http: ['keys'],
  config: ['http'],
  apps: ['cluster', 'http'],
  audit: ['cluster', 'http'],
  users: ['http'],
  accounts: ['http', 'liveness'],
  credentials: ['http', 'keys', 'users'],
  members: ['accounts', 'credentials', 'http', 'liveness', 'users'],
  collections: ['accounts', 'http'],
  'sign-in': ['config', 'credentials', 'http', 'liveness', 'users'],
  sessions: ['accounts', 'apps', 'collections', 'http', 'liveness'],
  launches: ['apps', 'audit', 'cluster', 'http', 'keys', 'liveness', 'sessions'],
  authorize: ['apps', 'audit', 'config', 'http', 'launches', 'liveness'],
  token: ['apps', 'audit', 'http', 'keys', 'launches', 'liveness', 'sign-in'],
  jobs: ['audit', 'cluster', 'credentials', 'http', 'keys', 'sign-in'],
  surfaces: ['audit', 'http', 'sign-in'],
  meta: ['config', 'http'],
  seed: ['accounts', 'apps', 'collections', 'users'],
}

/** The files beside the rooms, and the rooms or files that may import each of them. */
export const TOP_LEVEL: Readonly<Record<string, 'rooms' | readonly string[]>> = {
  'service.ts': 'rooms',
  'routes.ts': ['app.ts'],
  'app.ts': ['main.ts'],
  'main.ts': ['main.mjs'],
  'main.mjs': [],
}
