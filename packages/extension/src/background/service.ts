// The service as the background sees it: the only file of the background that calls another origin, and
// only the configured one, without cookies. It reads answers and names failures. Contract §3.
import {
  type EhrSession,
  type EndReason,
  type OpenedLaunch,
  parseEndReason,
} from '@chartside/protocol/launch'
import type {
  Account,
  AccountEhrs,
  Preflight,
  SignedIn,
  SignInConfig,
} from '@chartside/protocol/payloads'
import { buildPollBearer, buildSignInUrl } from '@chartside/protocol/sign-in'
import type { Problem } from '../messages.ts'
import type { PracticeEhrs, PreparedSignIn, Target } from './state.ts'

export class ServiceError extends Error {
  readonly status: number | null
  readonly code: string
  readonly traceId: string | null
  /** The reason why the sign-in ended, when the service refuses its token. */
  readonly ended: EndReason | null

  constructor(
    code: string,
    message: string,
    status: number | null,
    traceId: string | null,
    ended: EndReason | null = null,
  ) {
    super(message)
    this.code = code
    this.status = status
    this.traceId = traceId
    this.ended = ended
  }

  /** True when another attempt is worth it: no answer, too many requests, or a fault of the service. */
  get isTransient(): boolean {
    return this.status === null || this.status === 429 || this.status >= 500
  }
}

export interface ServiceClient {
  /** The base URL of the service. */
  readonly base: string
  /** The address of the sign-in page for this client, with the practice whose own sign-in it shows first. */
  findSignInUrl(prepared: PreparedSignIn, accountId: string | null): Promise<string>
  /** Returns the sign-in; null while the person has not approved it. */
  pollToken(prepared: PreparedSignIn, proof: string | null): Promise<SignedIn | null>
  signOut(token: string): Promise<void>
  findMe(token: string): Promise<void>
  /** Definitions that have not changed are those that are known. */
  listPractices(
    token: string,
    accountId: string | null,
    known: readonly PracticeEhrs[],
  ): Promise<PracticeEhrs[]>
  /** The ids of the live sessions of the sign-in on this device. */
  listSessions(token: string, deviceId: string): Promise<string[]>
  openSession(
    token: string,
    opening: {
      readonly target: Target
      readonly deviceId: string
      readonly launch: readonly ('worker' | 'ui')[]
    },
  ): Promise<{ session: EhrSession; launches: readonly OpenedLaunch[] }>
  endSession(token: string, sessionId: string): Promise<void>
  endLaunch(token: string, launch: string): Promise<void>
  reportActivity(token: string, sessionId: string): Promise<void>
  /** Finds what keeps the registered pages of an app from opening in a frame of this origin. */
  preflight(token: string, appId: string, origin: string): Promise<Preflight>
  /** Reports to the administrators of the practice. */
  reportProblem(token: string, practiceId: string, problem: Problem): Promise<void>
}

const TIMEOUT_MS = 15_000

export function createServiceClient(base: string, send: typeof fetch): ServiceClient {
  const call = callService.bind(null, base, send)
  const read = async <Body>(path: string, bearer?: string): Promise<Body> =>
    (await call('GET', path, bearer)).json()
  const segment = encodeURIComponent

  return {
    base,
    findSignInUrl: async ({ sessionId, verifier, hostOrigin }, accountId) => {
      const { signInUrl } = await read<SignInConfig>('/auth/config')
      const isOurs = new URL(signInUrl).origin === new URL(base).origin
      if (!isOurs) throw new ServiceError('foreign_sign_in', 'Not of this service.', 200, null)
      const challenge = await challengeOf(verifier)
      return buildSignInUrl(signInUrl, sessionId, challenge, hostOrigin, accountId ?? undefined)
    },
    pollToken: async ({ sessionId, verifier }, proof) => {
      const bearer = buildPollBearer(verifier, proof)
      const answer = await call('GET', `/auth/token/${segment(sessionId)}`, bearer)
      return answer.status === 202 ? null : answer.json()
    },
    signOut: async (token) => void (await call('POST', '/auth/sign-out', token)),
    findMe: async (token) => void (await call('GET', '/api/users/me', token)),
    listPractices: async (token, accountId, known) => {
      const accounts =
        accountId === null
          ? (await read<{ items: Account[] }>('/api/accounts?limit=100', token)).items
          : [await read<Account>(`/api/accounts/${segment(accountId)}`, token)]
      return Promise.all(
        accounts.map(async ({ id, name }) => {
          const before = known.find(({ practice }) => practice.id === id)
          const path = `/api/accounts/${segment(id)}/ehrs`
          const answer = await call('GET', path, token, undefined, before?.etag)
          if (before && answer.status === 304) return { ...before, practice: { id, name } }
          const { ehrs }: AccountEhrs = await answer.json()
          return { practice: { id, name }, ehrs, etag: answer.headers.get('etag') }
        }),
      )
    },
    listSessions: async (token, own) => {
      // No other session may come here: what the extension does not host, it ends.
      const path = '/api/sessions?signIn=this&state=live&limit=200'
      const { items } = await read<{ items: { id: string; deviceId: string }[] }>(path, token)
      return items.filter(({ deviceId }) => deviceId === own).map(({ id }) => id)
    },
    openSession: async (token, { target, deviceId, launch }) => {
      const { practice, ehrType } = target
      const body = { accountId: practice.id, ehrType, deviceId, launch }
      const answer = await call('POST', '/api/sessions', token, body)
      const { launches = [], ...session } = await answer.json()
      return { session, launches }
    },
    endSession: async (token, id) =>
      void (await call('DELETE', `/api/sessions/${segment(id)}`, token)),
    endLaunch: async (token, id) =>
      void (await call('DELETE', `/api/launches/${segment(id)}`, token)),
    reportActivity: async (token, id) =>
      void (await call('POST', `/api/sessions/${segment(id)}/activity`, token)),
    preflight: async (token, id, origin) =>
      (await call('POST', `/api/apps/${segment(id)}/preflight`, token, { origin })).json(),
    reportProblem: async (token, id, problem) =>
      void (await call('POST', `/api/accounts/${segment(id)}/problem-reports`, token, problem)),
  }
}

async function callService(
  base: string,
  send: typeof fetch,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  bearer?: string,
  body?: object,
  etag?: string | null,
): Promise<Response> {
  // An address that an answer names is never called: paths are ours.
  const url = new URL(base + path)
  if (url.origin !== new URL(base).origin) throw new Error(`${path} leaves the service.`)
  const response = await send(url, {
    method,
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(etag ? { 'if-none-match': etag } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw new ServiceError('service_unreachable', `${base} cannot be reached.`, null, null)
  })
  if (response.ok || (etag && response.status === 304)) return response
  const problem: Record<string, unknown> = await response.json().catch(() => ({}))
  const text = (value: unknown, other: string) => (typeof value === 'string' ? value : other)
  throw new ServiceError(
    text(problem.code, `http_${response.status}`),
    text(problem.detail, `The service answered ${response.status}.`),
    response.status,
    text(problem.traceId, '') || null,
    parseEndReason((problem.ended as { reason?: unknown } | undefined)?.reason),
  )
}

/** Returns SHA-256 in base64url (RFC 7636 4.2). */
export async function challengeOf(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return toBase64Url(new Uint8Array(hash))
}

export const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
