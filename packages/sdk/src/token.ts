// Gets the SDK's tokens from the caller (spec §5.1, §5.3) or from the app's registered token
// endpoint (§5.2, §4.3). Makes the only network request of the SDK. Tokens stay in memory; no
// message quotes one. Spec §7 TOKEN_FETCH_ERROR; security L05.
import { ServiceSDKError } from './errors.ts'
import type { Log, Page } from './page.ts'
import { readCode } from './page-code.ts'
import { type Limits, waitFor } from './wait.ts'

export interface Tokens {
  readonly accessToken: string
  readonly idToken: string | undefined
  /** True when the tokens are from the token endpoint, not from the caller. */
  readonly isFetched: boolean
}

export interface GivenTokens {
  readonly accessToken?: string | undefined
  readonly idToken?: string | undefined
  readonly code?: string | undefined
}

export type ObtainTokens = (
  given: GivenTokens,
  tokenEndpoint: string | undefined,
  signal: AbortSignal | undefined,
  log: Log,
) => Promise<Tokens>

/** The token endpoint waits for the service; it does so for ten seconds at most. */
const TOKEN_TIMEOUT_MS = 20_000

export function createTokenSource(page: Page): ObtainTokens {
  // A page may remove the code from its URL before init.
  const codeAtLoad = readCode(page)
  // A code is posted once, because redeeming it twice revokes its token (spec §7). Another init on
  // this page gets the answer to the first request.
  let posted: { readonly code: string; readonly answer: Promise<Answer> } | null = null

  return async (given, tokenEndpoint, signal, log) => {
    const { accessToken } = given
    // A backend sends null in JSON when it has none.
    const idToken = requireText('idToken', 'id_token', given.idToken ?? undefined)
    if (accessToken !== undefined) {
      const text = requireText('accessToken', 'access_token', accessToken)
      return { accessToken: text, idToken, isFetched: false }
    }
    if (tokenEndpoint === undefined) {
      throw fetchError(
        'No accessToken was passed to init and the app has no token endpoint registered.',
        'Pass initServiceSDK({ accessToken, idToken }), or register a token endpoint.',
      )
    }
    const code = given.code ?? readCode(page) ?? codeAtLoad
    if (!code) {
      throw fetchError(
        "This page's URL has no code parameter.",
        'Load the SDK on the page of the redirect URI before its URL changes, or pass the code to ' +
          'init, then launch again.',
      )
    }
    if (posted?.code !== code) posted = { code, answer: post(page, tokenEndpoint, code) }
    const limits = { ms: TOKEN_TIMEOUT_MS, signal }
    const fetched = await readTokens(posted.answer, tokenEndpoint, limits, log)
    return { ...fetched, idToken: fetched.idToken ?? idToken }
  }
}

function requireText<T>(option: string, field: string, value: T): T {
  if (value === undefined || isText(value)) return value
  throw fetchError(
    `The ${option} passed to init is not a string (${typeof value}) or is empty.`,
    `Pass the ${field} field of the token response.`,
  )
}

interface Answer {
  readonly ok: boolean
  readonly status: number
  readonly body: string
  /** The trace id of the service's refusal, when the token endpoint passes it on. */
  readonly traceId: string | null
}

async function post(page: Page, url: string, code: string): Promise<Answer> {
  const response = await page.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
    // A redirect would send the code to an unregistered address.
    redirect: 'error',
    cache: 'no-store',
  })
  const { ok, status, headers } = response
  return { ok, status, body: await response.text(), traceId: headers.get('x-trace-id') }
}

async function readTokens(
  posted: Promise<Answer>,
  url: string,
  limits: Limits,
  log: Log,
): Promise<Tokens> {
  const endpoint = `The token endpoint ${url}`
  const late = () =>
    fetchError(
      `${endpoint} did not answer within ${limits.ms / 1000} s.`,
      'Read the log of its server, then launch again.',
    )
  const unreachable = () =>
    fetchError(
      `${endpoint} could not be reached: it does not run, redirects, has no CORS for this origin, or ` +
        'connect-src forbids it.',
      "Read the browser's console, then launch again.",
    )
  const answer = await waitFor<Answer>(limits, late, (resolve, reject) => {
    posted.then(resolve, () => reject(unreachable()))
  })
  const fields = readObject(answer.body)
  const { access_token: accessToken, id_token: idToken } = fields ?? {}
  if (answer.ok && isText(accessToken)) {
    const held = isText(idToken) ? idToken : undefined
    // The specification fails on access_token only.
    if (idToken != null && !held)
      log.warn(`${endpoint} answered with id_token that is not a string.`)
    return { accessToken, idToken: held, isFetched: true }
  }
  const [cause, fix] = explainAnswer(answer, fields)
  throw fetchError(`${endpoint} ${cause}`, fix)
}

function explainAnswer(
  { ok, status, body, traceId }: Answer,
  fields: Record<string, unknown> | null,
): readonly [cause: string, fix: string] {
  if (!ok) {
    const error = isText(fields?.error) ? ` and error "${fields.error.slice(0, 200)}"` : ''
    return [
      `answered ${status}${error}${traceId ? ` (trace ${traceId})` : ''}. A code is posted once, or its token is revoked.`,
      'Read the log of its server, then launch again.',
    ]
  }
  if (!fields) {
    const what = /^\s*</.test(body) ? 'an HTML page' : 'a body that is not a JSON object'
    return [`answered with ${what}.`, 'Register the token endpoint, not a page of the app.']
  }
  if ('accessToken' in fields) {
    return [
      'answered with accessToken in camelCase.',
      'Pass on the fields of the token response unchanged.',
    ]
  }
  return [
    'answered without an access_token string.',
    'Pass on the fields of the token response unchanged.',
  ]
}

/**
 * The launch an ID token names, or undefined when it names none. Decoded, not verified: it guards
 * against mixed-up launches, and the app's server is what verifies the token (spec §5.4).
 */
export function readLaunchId(idToken: string): unknown {
  try {
    const payload = idToken.split('.')[1] ?? ''
    return JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/'))).launch_id
  } catch {
    return undefined
  }
}

function readObject(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const fetchError = (cause: string, fix: string) =>
  new ServiceSDKError('TOKEN_FETCH_ERROR', cause, fix)
