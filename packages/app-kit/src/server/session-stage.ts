// A clock, a browser's cookies and its requests around createSessions, for the tests of this folder.
// Not part of the package.
import type { LaunchIdentity } from './launch-identity.ts'
import type { SessionsOptions } from './session-settings.ts'
import { createMemorySessionStore } from './session-store.ts'
import { createSessions } from './sessions.ts'

export const ORIGIN = 'https://app.example'

export const identity = (launchId = 'lnch_1'): LaunchIdentity => ({
  userId: 'usr_1',
  name: 'Dr. Amara Okafor',
  email: null,
  account: { id: 'acc_1', name: 'Lakeside' },
  ehrType: 'meadow',
  sessionId: 'ses_1',
  deviceId: 'dev_1',
  launchId,
  expiresAt: 0,
  jti: 'jti_1',
})

export function stage(options: SessionsOptions = {}) {
  let now = 1_800_000_000_000
  const store = createMemorySessionStore(() => now)
  const sessions = createSessions({ store, now: () => now, ...options })
  return {
    sessions,
    store,
    now: () => now,
    pass: (seconds: number) => {
      now += seconds * 1000
    },
  }
}

export const pair = (setCookie: string) => setCookie.split(';')[0] ?? ''

/** A request of the app's own page, with a jar of cookies. */
export const request = (
  method: string,
  id: string,
  jar: string[],
  headers: Record<string, string> = {},
) =>
  new Request(`${ORIGIN}/api/session`, {
    method,
    headers: { origin: ORIGIN, cookie: jar.join('; '), 'x-session-id': id, ...headers },
  })

export const renewal = (id: string, jar: string[]) => request('POST', id, jar)

export const bearing = (bearer: string) =>
  new Request(`${ORIGIN}/api/me`, { headers: { authorization: `Bearer ${bearer}` } })

export interface Renewed {
  readonly status: number
  readonly bearer: string
  readonly cookie: string
}

export async function renew(
  { sessions }: ReturnType<typeof stage>,
  id: string,
  jar: string[],
): Promise<Renewed> {
  const response = await sessions.renew(renewal(id, jar))
  const { session } = (await response.json()) as { session?: { token: string } }
  const cookie = pair(response.headers.get('set-cookie') ?? '')
  return { status: response.status, bearer: session?.token ?? '', cookie }
}
