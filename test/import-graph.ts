// Which room of the server may import which: the declared graph, held by house-rules.test.ts. A room
// that is in no list of another is imported by none. Adding an edge here is a decision, not a fix.

import { dirname, join, normalize } from 'node:path'

/** Every room may import these. They import nothing but each other. */
export const GROUND: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  db: ['kernel'],
}

/** What each room imports beside the ground. */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  cluster: ['liveness'],
  liveness: [],
  keys: ['cluster'],
  http: ['keys'],
  config: ['http'],
  audit: ['cluster', 'http'],
  // The statements that other rooms put into the write of a change are in it.
  outbox: [],
  apps: ['audit', 'cluster', 'config', 'http', 'keys', 'liveness', 'outbox'],
  users: ['http'],
  accounts: ['cluster', 'http', 'liveness', 'outbox'],
  credentials: ['config', 'http', 'keys', 'mail', 'users'],
  'developer-keys': ['accounts', 'http', 'users'],
  domains: ['accounts', 'audit', 'http'],
  members: ['accounts', 'audit', 'cluster', 'config', 'credentials', 'http', 'liveness', 'users'],
  collections: ['accounts', 'apps', 'cluster', 'config', 'http', 'liveness', 'outbox'],
  // audit: access in an emergency is an event before its token leaves.
  'sign-in': [
    'audit',
    'cluster',
    'config',
    'credentials',
    'domains',
    'http',
    'identity-providers',
    'keys',
    'liveness',
    'members',
    'users',
  ],
  // audit: each person whom an erased account takes along is an event.
  access: [
    'accounts',
    'audit',
    'cluster',
    'config',
    'credentials',
    'http',
    'identity-providers',
    'members',
    'scim',
    'sign-in',
    'users',
  ],
  sessions: ['accounts', 'apps', 'cluster', 'collections', 'config', 'http', 'liveness'],
  launches: [
    'accounts',
    'apps',
    'audit',
    'cluster',
    'config',
    'http',
    'keys',
    'liveness',
    'logout',
    'metrics',
    'preflight',
    'sessions',
  ],
  running: [
    'accounts',
    'apps',
    'audit',
    'cluster',
    'collections',
    'config',
    'http',
    'launches',
    'liveness',
  ],
  streams: ['apps', 'cluster', 'config', 'http', 'launches', 'liveness', 'sessions', 'sign-in'],
  authorize: ['apps', 'audit', 'cluster', 'config', 'http', 'launches', 'liveness', 'metrics'],
  token: [
    'apps',
    'audit',
    'cluster',
    'config',
    'http',
    'keys',
    'launches',
    'liveness',
    'logout',
    'metrics',
    'sign-in',
  ],
  metrics: ['audit', 'cluster', 'config', 'keys'],
  workers: [],
  tracing: ['config'],
  preflight: ['apps', 'config', 'http', 'outbox'],
  'fault-runs': ['apps', 'config', 'http'],
  diagnosis: ['apps', 'cluster', 'config', 'http', 'launches', 'metrics', 'preflight'],
  logout: ['apps', 'audit', 'cluster', 'config', 'http', 'keys', 'liveness', 'outbox', 'preflight'],
  webhooks: ['accounts', 'audit', 'cluster', 'config', 'http', 'keys', 'outbox', 'preflight'],
  mail: ['config'],
  onboarding: ['accounts', 'audit', 'config', 'http', 'mail', 'members'],
  jobs: [
    'apps',
    'audit',
    'cluster',
    'config',
    'credentials',
    'domains',
    'http',
    'keys',
    'launches',
    'logout',
    'members',
    'preflight',
    'running',
    'sign-in',
    'users',
    'webhooks',
  ],
  surfaces: [
    'audit',
    'cluster',
    'config',
    'developer-keys',
    'http',
    'liveness',
    'metrics',
    'scim',
    'sign-in',
    'tracing',
  ],
  meta: ['cluster', 'config', 'http', 'keys'],
  'signing-keys': ['config', 'http', 'keys'],
  console: ['config', 'http'],
  docs: ['config', 'http'],
  // The contract with packages/operator; no room imports it.
  operator: [
    'access',
    'audit',
    'cluster',
    'config',
    'credentials',
    'http',
    'keys',
    'mail',
    'onboarding',
    'sign-in',
    'users',
  ],
  'identity-providers': [
    'accounts',
    'cluster',
    'config',
    'credentials',
    'http',
    'keys',
    'liveness',
    'preflight',
  ],
  scim: ['accounts', 'audit', 'cluster', 'config', 'http', 'members', 'users'],
  seed: ['accounts', 'apps', 'collections', 'config', 'credentials', 'members', 'users'],
}

/**
 * The sub-rooms of a room, and what each imports beside the plain files of its room (those that are no
 * edge). Plain files import no sub-room; edges of the room (-http, -routes) import any.
 */
export const SUB_ROOMS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  launches: {
    timeline: [],
    list: ['timeline'],
    health: ['list', 'timeline'],
  },
  'sign-in': {
    'client-flow': [],
    invitation: [],
    interaction: ['client-flow', 'invitation'],
    pages: ['interaction', 'invitation'],
    password: ['interaction', 'invitation', 'pages'],
    passkey: ['interaction', 'invitation'],
    oidc: ['interaction', 'invitation'],
  },
}

/** The files beside the rooms, and the rooms or files that may import each of them. */
export const TOP_LEVEL: Readonly<Record<string, 'rooms' | readonly string[]>> = {
  'service.ts': ['app.ts', 'main.ts', 'routes.ts'],
  'route.ts': 'rooms',
  'route-builders.ts': 'rooms',
  'route-errors.ts': 'rooms',
  'routes.ts': ['app.ts'],
  'app.ts': ['main.ts'],
  'gathered-lines.ts': ['main.ts'],
  'terminal-log.ts': ['main.ts'],
  'main.ts': ['main.mjs'],
  'built.mjs': ['main.mjs'],
  'main.mjs': [],
}

export interface RoomArrow {
  /** Paths below packages/server/src. */
  readonly from: string
  readonly to: string
}

const SERVER = 'packages/server/src/'

/** Every import between files of the server, static or dynamic. */
export const listServerArrows = (
  files: readonly { readonly path: string; readonly text: string }[],
): RoomArrow[] =>
  files
    .filter(({ path }) => path.startsWith(SERVER) && !path.endsWith('.test.ts'))
    .flatMap(({ path, text }) => {
      const from = path.slice(SERVER.length)
      return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, target = '']) => ({
        from,
        to: normalize(join(dirname(from), target)),
      }))
    })

export const roomOf = (path: string): string =>
  path.includes('/') ? path.slice(0, path.indexOf('/')) : path

export const GRAPH: Readonly<Record<string, readonly string[]>> = { ...GROUND, ...ROOMS }

/** The imports between rooms that the declared graph does not have. */
export function listUndeclared(files: Parameters<typeof listServerArrows>[0]): RoomArrow[] {
  const ground = Object.keys(GROUND)
  const isDeclared = ({ from, to }: RoomArrow) => {
    const [room, other] = [roomOf(from), roomOf(to)]
    const top = TOP_LEVEL[other]
    if (top) return top === 'rooms' ? room in ROOMS || room in TOP_LEVEL : top.includes(from)
    if (room in TOP_LEVEL) return other in GRAPH
    return GRAPH[room]?.includes(other) === true || (room in ROOMS && ground.includes(other))
  }
  return listServerArrows(files).filter(
    (arrow) => roomOf(arrow.from) !== roomOf(arrow.to) && !isDeclared(arrow),
  )
}
