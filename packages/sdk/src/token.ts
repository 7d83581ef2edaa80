// Where the SDK's tokens come from: the caller (spec §5.1, §5.3) or the app's registered token
// endpoint (§5.2, §4.3). The only network request of the SDK is here. Tokens stay in memory; no
// message quotes one. Spec §7 TOKEN_FETCH_ERROR; security L05.
import { ServiceSDKError } from './errors.ts'
import type { Page } from './page.ts'
import { type Limits, waitFor } from './wait.ts'

export interface Tokens {
  readonly accessToken: string
  readonly idToken: string | undefined
}

export interface GivenTokens {
  readonly accessToken?: string | undefined
  readonly idToken?: string | undefined
}

/** A relay waits for the service in turn; this is longer than any sound relay does. */
const RELAY_TIMEOUT_MS = 20_000

export async function obtainTokens(
  page: Page,
  given: GivenTokens,
  tokenEndpoint: string | undefined,
  code: string | null,
  signal: AbortSignal | undefined,
): Promise<Tokens> {
  if (given.accessToken !== undefined) {
    if (isToken(given.accessToken))
      return { accessToken: given.accessToken, idToken: given.idToken }
    throw fetchError(
      `The accessToken passed to init is not a string (${typeof given.accessToken}) or is empty: ` +
        'pass the access_token field of the token response.',
    )
  }
  if (tokenEndpoint === undefined) {
    throw fetchError(
      'No accessToken was passed to init and the app has no token endpoint registered. Pass ' +
        'initServiceSDK({ accessToken }), or register a Token Endpoint in the app configuration.',
    )
  }
  if (!code) {
    throw fetchError(
      "This page's URL has no code parameter. Call init on the page of the redirect URI, and load " +
        'the SDK before a router or the app changes the URL. After a reload a new launch is needed.',
    )
  }
  const fetched = await fetchTokens(page, tokenEndpoint, code, { ms: RELAY_TIMEOUT_MS, signal })
  return { accessToken: fetched.accessToken, idToken: fetched.idToken ?? given.idToken }
}

async function fetchTokens(page: Page, url: string, code: string, limits: Limits): Promise<Tokens> {
  const late = () =>
    fetchError(`The token endpoint ${url} did not answer within ${limits.ms / 1000} s.`)
  const { response, body } = await waitFor<Answer>(limits, late, (resolve, reject, over) => {
    post(page, url, code, over).then(resolve, () =>
      reject(
        fetchError(
          `The token endpoint ${url} could not be reached. Likely causes: it is not running; it ` +
            "redirects; it is on another origin without CORS; the page's connect-src forbids it.",
        ),
      ),
    )
  })
  const answer = readObject(body)
  const { access_token: accessToken, id_token: idToken } = answer ?? {}
  if (response.ok && isToken(accessToken)) {
    return { accessToken, idToken: isToken(idToken) ? idToken : undefined }
  }
  throw fetchError(`The token endpoint ${url} ${explainAnswer(response, body, answer)}`)
}

interface Answer {
  readonly response: Response
  readonly body: string
}

async function post(page: Page, url: string, code: string, signal: AbortSignal): Promise<Answer> {
  const response = await page.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
    // A redirect would carry the code to an address nobody registered.
    redirect: 'error',
    cache: 'no-store',
    signal,
  })
  return { response, body: await response.text() }
}

function explainAnswer(
  response: Response,
  body: string,
  answer: Record<string, unknown> | null,
): string {
  if (!response.ok) {
    const error =
      typeof answer?.error === 'string' ? ` and error "${answer.error.slice(0, 200)}"` : ''
    return `answered ${response.status}${error}. The code is spent: launch again once the relay works.`
  }
  if (!answer) {
    const what = body.trimStart().startsWith('<')
      ? 'an HTML page'
      : 'a body that is not a JSON object'
    return `answered with ${what}. Check that the registered URL is the relay itself, not a page of the app.`
  }
  if ('accessToken' in answer) {
    return 'answered with accessToken in camelCase: the field must be access_token (and id_token).'
  }
  return 'answered without an access_token string: pass on the fields of the token response unchanged.'
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

const isToken = (value: unknown): value is string => typeof value === 'string' && value !== ''

const fetchError = (message: string) => new ServiceSDKError('TOKEN_FETCH_ERROR', message)
