// Sessions with a clock and a store, and requests as a browser sends them, for the tests of this
// folder. Not part of the package.
import type { LaunchIdentity } from './launch-identity.ts'
import type { SessionsOptions } from './session-settings.ts'
import { createMemorySessionStore } from './session-store.ts'
import { createSessions } from './sessions.ts'

export const ORIGIN = 'https://app.example'

export const buildIdentity = (launchId = 'lnch_1'): LaunchIdentity => ({
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

export function createFixture(options: SessionsOptions = {}) {
  let now = 1_800_000_000_000
  const store = createMemorySessionStore(() => now)
  const sessions = createSessions({ store, now: () => now, ...options })
  return {
    sessions,
    store,
    now: () => now,
    advance: (seconds: number) => {
      now += seconds * 1000
    },
  }
}

/** `name=value` of a Set-Cookie header. */
export const cookieOf = (setCookie: string) => setCookie.split(';')[0] ?? ''

/** A request of the app's own page, with the cookies of its browser. */
export const buildRequest = (
  method: string,
  id: string,
  cookies: string[],
  headers: Record<string, string> = {},
) =>
  new Request(`${ORIGIN}/api/session`, {
    method,
    headers: { origin: ORIGIN, cookie: cookies.join('; '), 'x-session-id': id, ...headers },
  })

/** POST /api/session of the app's own page. */
export const OWN_PAGE = new Request(`${ORIGIN}/api/session`, {
  method: 'POST',
  headers: { origin: ORIGIN },
})

export const buildRenewal = (id: string, cookies: string[]) => buildRequest('POST', id, cookies)

export const buildBearerRequest = (bearer: string) =>
  new Request(`${ORIGIN}/api/me`, { headers: { authorization: `Bearer ${bearer}` } })

export interface Renewed {
  readonly status: number
  readonly bearer: string
  readonly cookie: string
}

export async function renew(
  { sessions }: Pick<ReturnType<typeof createFixture>, 'sessions'>,
  id: string,
  cookies: string[],
): Promise<Renewed> {
  const response = await sessions.renew(buildRenewal(id, cookies))
  const { session } = (await response.json()) as { session?: { token: string } }
  const cookie = cookieOf(response.headers.get('set-cookie') ?? '')
  return { status: response.status, bearer: session?.token ?? '', cookie }
}
