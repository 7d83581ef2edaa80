// Calls the backend API from this origin, with the session cookie that only the browser can read. A
// sign-in that has ended leads to the sign-in page and back to the same address. Keeps nothing but
// whether the service answered lately.
import { signal } from '@preact/signals'
import { BASE } from '../installation.ts'
import { ApiProblem, NoAnswer } from './problem.ts'

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** The entity tag of the record as the person saw it; 412 when it has changed since. */
  readonly ifMatch?: string | undefined
  /** The page calls by itself, so the call is no activity of the person. */
  readonly isBackground?: boolean | undefined
}

export interface Answered<T> {
  readonly data: T
  /** The entity tag of a record; a change sends it as `ifMatch`. */
  readonly etag: string | undefined
}

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
  /** True for an empty list when the role of the caller hides what others see. */
  readonly hidden?: true
}

/** The end of the last call; the shell shows a strip unless it is `ok`. */
export const connection = signal<'ok' | 'offline' | 'unavailable'>('ok')

async function call<T>(
  method: string,
  path: string,
  body: object | undefined,
  { signal, ifMatch, isBackground }: CallOptions,
): Promise<Answered<T>> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const answer = await fetch(BASE + path, {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': type }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      ...(isBackground === true ? { 'chartside-background': '1' } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
    redirect: 'error',
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    connection.value = 'offline'
    throw new NoAnswer()
  })
  connection.value = answer.status === 503 ? 'unavailable' : 'ok'
  const text = await answer.text()
  if (answer.ok) {
    const data = (text === '' ? undefined : JSON.parse(text)) as T
    return { data, etag: answer.headers.get('etag') ?? undefined }
  }
  const problem = new ApiProblem(answer.status, objectOf(text), retryAfterOf(answer))
  if (problem.code === 'not_signed_in') leaveForSignIn()
  throw problem
}

/** A proxy in front of the service may answer with a page. */
function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function retryAfterOf(answer: Response): number | undefined {
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : undefined
}

/** The page that is open now, as an address to return to. */
const here = () => location.pathname.slice(BASE.length) + location.search + location.hash

export function leaveForSignIn(): void {
  location.assign(`${BASE}/auth/sign-in?${new URLSearchParams({ return_to: here() })}`)
}

/** Opens a tab of its own, so that a form keeps what was typed. `again` makes the provider ask anew, too. */
export function openSignInAgain(): void {
  const query = new URLSearchParams({ return_to: here(), again: '1' })
  window.open(`${BASE}/auth/sign-in?${query}`, '_blank', 'noopener')
}

export const api = {
  /** A record with its entity tag. */
  read: <T>(path: string, options: CallOptions = {}) => call<T>('GET', path, undefined, options),
  get: async <T>(path: string, options: CallOptions = {}) =>
    (await call<T>('GET', path, undefined, options)).data,
  post: async <T>(path: string, body: object = {}, options: CallOptions = {}) =>
    (await call<T>('POST', path, body, options)).data,
  put: async <T>(path: string, body: object, options: CallOptions = {}) =>
    (await call<T>('PUT', path, body, options)).data,
  patch: <T>(path: string, body: object, options: CallOptions = {}) =>
    call<T>('PATCH', path, body, options),
  remove: async (path: string, options: CallOptions = {}) => {
    await call<undefined>('DELETE', path, undefined, options)
  },
} as const

/** A path with its query; what is undefined or empty is left out. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | undefined | null>>,
): string {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  if (given.length === 0) return path
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
