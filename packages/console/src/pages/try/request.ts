// A request of the page "API": its address, the same as curl, what it answers, and which values of the answer
// are secrets, which the page shows once and leaves out of what it keeps.
import { BASE } from '../../installation.ts'
import { cut, type Secret } from './answer-secrets.ts'
import type { Operation } from './operations.ts'
import type { Texts } from './schema-fields.ts'

export interface PreparedRequest {
  readonly method: string
  /** The path with its query, below the service. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The body as JSON text. */
  readonly body: string | undefined
}

export interface ShownAnswer {
  /** Says which of two equal answers it is. */
  readonly sentAt: number
  readonly status: number
  readonly statusText: string
  readonly durationMs: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly traceId: string | undefined
  /** The text of the answer without the secrets. */
  readonly text: string
  readonly secrets: readonly Secret[]
}

/** Prepares the request; `texts` has them by the name of each parameter. */
export function prepare(
  { method, path, parameters, bodyType }: Operation,
  texts: Texts,
  body: string | undefined,
): PreparedRequest {
  const given = parameters.filter(({ name }) => (texts[name] ?? '').trim() !== '')
  const at = (place: string) => given.filter((one) => one.in === place)
  const filled = at('path').reduce(
    (text, { name }) => text.replace(`{${name}}`, encodeURIComponent((texts[name] ?? '').trim())),
    path,
  )
  const query = new URLSearchParams(at('query').map(({ name }) => [name, texts[name] ?? '']))
  const text = query.toString()
  return {
    method,
    path: text === '' ? filled : `${filled}?${text}`,
    headers: {
      ...Object.fromEntries(
        at('header').map(({ name }) => [name.toLowerCase(), texts[name] ?? '']),
      ),
      ...(body === undefined ? {} : { 'content-type': bodyType }),
    },
    body,
  }
}

/** One word of a POSIX shell, whatever it holds. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

export function buildCurl({ method, path, headers, body }: PreparedRequest): string {
  return [
    `curl -i${method === 'GET' ? '' : ` -X ${method}`} ${quote(`${location.origin}${BASE}${path}`)}`,
    '  --oauth2-bearer "$CHARTSIDE_TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `  -H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`  -d ${quote(body)}`]),
  ].join(' \\\n')
}

/** Sends it with the session cookie of this origin. @throws TypeError without an answer */
export async function send(
  { method, path, headers, body }: PreparedRequest,
  signal: AbortSignal,
): Promise<ShownAnswer> {
  const begun = performance.now()
  const ownTrace = hex(16)
  const answer = await fetch(BASE + path, {
    method,
    headers: { accept: 'application/json', traceparent: `00-${ownTrace}-${hex(8)}-00`, ...headers },
    ...(body === undefined ? {} : { body }),
    cache: 'no-store',
    redirect: 'error',
    signal,
  })
  const text = await answer.text()
  const durationMs = performance.now() - begun
  const secrets: Secret[] = []
  const value = parse(text)
  const shown = value === undefined ? text : JSON.stringify(cut(value, '', secrets), undefined, 2)
  return {
    sentAt: begun,
    status: answer.status,
    statusText: answer.statusText,
    durationMs,
    headers: [...answer.headers],
    // The service joins the trace of its caller, and its log line has the id.
    traceId: traceOf(value) ?? ownTrace,
    text: shown,
    secrets,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const hex = (bytes: number) =>
  [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

const traceOf = (value: unknown): string | undefined => {
  const { traceId } = (value ?? {}) as { readonly traceId?: unknown }
  return typeof traceId === 'string' ? traceId : undefined
}
