// Requests of a page to its app's own server, and what its answers mean. Sends nothing to another
// origin, follows no redirect and retries nothing: a code and a ticket work once. Spec §5.1, §5.6.
import { AppKitError, LAUNCH_AGAIN } from './errors.ts'
import { type Page, thisPage } from './page.ts'
import { reporting } from './report-failure.ts'

/** The requests by page, then by address and body. */
const posts = new WeakMap<Page, Map<string, Promise<unknown>>>()

/** The requests of a page that have no answer yet, such as `POST /api/exchange`. */
const waiting = new WeakMap<Page, Set<string>>()

export const listWaiting = (page: Page): readonly string[] => [...(waiting.get(page) ?? [])]

/**
 * Posts `body` as JSON to the app's own server and returns its JSON answer: the code of a callback
 * for its exchange. A doubled call (React's StrictMode) is one call, because a code works once.
 * @throws AppKitError request_failed, server_unreachable, foreign_address
 * @example const { access_token } = await postOnce<Tokens>('/api/exchange', { code, code_verifier })
 */
export function postOnce<Reply = unknown>(
  path: string,
  body: unknown,
  options: { readonly fetch?: typeof fetch } = {},
  page: Page = thisPage(),
): Promise<Reply> {
  const text = JSON.stringify(body)
  const key = `${path} ${text}`
  const sent = posts.get(page) ?? new Map<string, Promise<unknown>>()
  posts.set(page, sent)
  const post = sent.get(key) ?? reporting(page, send(page, path, text, options.fetch))
  sent.set(key, post)
  return post as Promise<Reply>
}

const send = async (page: Page, path: string, body: string, fetchFrom?: typeof fetch) =>
  readReply(await sendToServer(page, path, asJson('POST', body), fetchFrom))

/** @throws AppKitError foreign_address, server_unreachable */
export async function sendToServer(
  page: Page,
  path: string,
  init: RequestInit,
  fetchFrom: typeof fetch = (input, options) => fetch(input, options),
): Promise<Response> {
  const { origin } = page.location
  const url = new URL(path, origin)
  if (url.origin !== origin) throw foreignAddress(url.origin)
  const name = `${init.method ?? 'GET'} ${url.pathname}`
  const names = waiting.get(page) ?? new Set<string>()
  waiting.set(page, names.add(name))
  let isBlocked = false
  const onViolation = (event: Event) => {
    isBlocked ||= (event as SecurityPolicyViolationEvent).blockedURI === url.href
  }
  page.addEventListener?.('securitypolicyviolation', onViolation)
  return fetchFrom(url.href, { ...init, credentials: 'same-origin', redirect: 'error' })
    .catch(async (cause: unknown) => {
      // The browser reports a block in a task after the error of the request.
      await new Promise((resolve) => setTimeout(resolve))
      throw isBlocked ? blocked(name, cause) : unreachable(name, cause)
    })
    .finally(() => {
      page.removeEventListener?.('securitypolicyviolation', onViolation)
      names.delete(name)
    })
}

/** `body`: JSON. */
export const asJson = (method: string, body: string | undefined): RequestInit =>
  body === undefined
    ? { method }
    : { method, headers: { 'content-type': 'application/json' }, body }

/** The JSON of an answer; an error carries status and body on. */
export async function readReply(response: Response): Promise<unknown> {
  const text = await response.text()
  const body = parse(text)
  if (response.ok && (text === '' || body !== undefined)) return body
  throw response.ok ? notJson(text) : refused(response.status, body ?? text)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A server that passes the service's refusal on names its error, cause and trace id. RFC 6749 5.2. */
function refused(status: number, body: unknown): AppKitError {
  const { error, error_description: description, trace_id: traceId } = readFields(body)
  const isPassedOn = typeof error === 'string' && typeof description === 'string'
  const message = isPassedOn ? description : `The app's server answered ${status}.`
  return new AppKitError('request_failed', message, {
    fix: `Look at body, which holds what it said. ${LAUNCH_AGAIN}`,
    ...{ status, body },
    ...(isPassedOn ? { oauthError: error } : {}),
    ...(isPassedOn && typeof traceId === 'string' ? { traceId } : {}),
  })
}

const readFields = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}

/** A catch-all route of a server answers every address with the page of the app. */
const notJson = (text: string) =>
  new AppKitError(
    'request_failed',
    `The app's server answered with ${/^\s*</.test(text) ? 'an HTML page' : 'a text'} in place of JSON.`,
    {
      fix: 'Check that its route answers this address, and not a page for all addresses.',
      body: text,
    },
  )

const unreachable = (request: string, cause: unknown) =>
  new AppKitError('server_unreachable', `The app's server did not answer ${request}.`, {
    fix: "Check that the app's server runs and that the network works, then launch the app again.",
    cause,
  })

const blocked = (request: string, cause: unknown) =>
  new AppKitError(
    'server_unreachable',
    `The page's Content-Security-Policy blocked ${request} to the app's own server.`,
    { fix: "Add 'self' to connect-src, as buildContentSecurityPolicy of the kit does.", cause },
  )

const foreignAddress = (origin: string) =>
  new AppKitError('foreign_address', `${origin} is not this app's own server.`, {
    fix: 'The bearer of the session goes to the origin of the page only; use fetch for others.',
  })
