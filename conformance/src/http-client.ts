// Sends every request of the suite: bounded in number, time and size, never a redirect followed by
// itself, never an address off this machine unless the person allowed it. Judges no answer.
import type { Transcript } from './transcript.ts'

export interface Answer {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as a JSON object; undefined when it is none. */
  readonly json: Readonly<Record<string, unknown>> | undefined
  readonly location: string | undefined
}

export interface SendOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>> | URLSearchParams
  readonly json?: unknown
}

export interface HttpLimits {
  readonly maxRequests: number
  readonly timeoutMs: number
  readonly allowRemote: boolean
  /** Ends the whole run. */
  readonly signal: AbortSignal
}

const MAX_BODY_BYTES = 1_000_000
/** The limits for removing what a run registered, however it ended. */
const REMOVAL = { maxRequests: 50, timeoutMs: 30_000 }

/** The run cannot go on: what it is about is not the service under test. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun'
}

/** No answer: refused, reset or too slow. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

export class HttpClient {
  #limits: HttpLimits
  #sent = 0

  constructor(limits: HttpLimits) {
    this.#limits = limits
  }

  get sent(): number {
    return this.#sent
  }

  /** The bounds of the run are over, and those of the removal begin. */
  beginRemoval(): void {
    const maxRequests = this.#sent + REMOVAL.maxRequests
    const signal = AbortSignal.timeout(REMOVAL.timeoutMs)
    this.#limits = { ...this.#limits, maxRequests, signal }
  }

  async send(address: string, options: SendOptions, transcript?: Transcript): Promise<Answer> {
    const { maxRequests, timeoutMs, allowRemote, signal } = this.#limits
    signal.throwIfAborted()
    const url = new URL(address)
    if (!allowRemote && !isLoopback(url)) {
      throw new CannotRun(
        `${url.origin} is not on this machine. Give --allow-remote when the service is yours to test.`,
      )
    }
    if (this.#sent >= maxRequests) {
      throw new CannotRun(`The run has sent ${maxRequests} requests, its limit (--max-requests).`)
    }
    this.#sent++
    const { method = 'GET', headers, body } = encode(options)
    const started = performance.now()
    try {
      const response = await fetch(url, {
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        ...(body === undefined ? {} : { body }),
      })
      const text = await readBounded(response)
      const answer = { status: response.status, headers: response.headers, text }
      const request = { method, url: url.href, headers, body }
      transcript?.recordRequest(request, answer, performance.now() - started)
      const location = response.headers.get('location')
      return {
        ...answer,
        url: url.href,
        json: parseObject(text),
        location: location === null ? undefined : location,
      }
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof CannotRun) throw cause
      const why = cause instanceof Error ? describe(cause) : String(cause)
      throw new NoAnswer(`${method} ${url.origin}${url.pathname} got no answer: ${why}`, { cause })
    }
  }
}

function describe(error: Error): string {
  const { cause } = error
  return cause instanceof Error && cause.message ? cause.message : error.message
}

function encode({ method, headers = {}, form, json }: SendOptions) {
  if (form !== undefined) {
    const type = 'application/x-www-form-urlencoded'
    return {
      method: method ?? 'POST',
      headers: { 'content-type': type, ...headers },
      body: new URLSearchParams(form).toString(),
    }
  }
  if (json !== undefined) {
    return {
      method: method ?? 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(json),
    }
  }
  return { method, headers, body: undefined }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BODY_BYTES) {
      throw new NoAnswer(`the body is larger than ${MAX_BODY_BYTES} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
