// Sends one request to one address, a GET or a POST of a form or of JSON, and reads the answer within bounds of time,
// headers and body. Sends no credentials but those of its caller, and no cookies; connects to the given address
// without resolving a name, decompresses nothing and follows no redirect.
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP } from 'node:net'
import { TLSSocket } from 'node:tls'

export const MAX_HEADER_BYTES = 64 * 1024
export const MAX_BODY_BYTES = 256 * 1024

/** The parts of a request beside the address. */
export interface Sending {
  readonly userAgent: string
  /** The form is posted in place of a GET. */
  readonly form?: URLSearchParams
  /** The JSON is posted in place of a GET, as it is. */
  readonly json?: string
  /** The further headers, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

const PREFLIGHT: Sending = { userAgent: 'Chartside-Preflight/1.0' }

export type RequestProblem =
  | 'connection_refused'
  | 'connection_failed'
  | 'timed_out'
  | 'headers_too_large'
  | 'not_http'
  | 'certificate_expired'
  | 'certificate_of_another_host'
  | 'certificate_untrusted'
  | 'tls_failed'

export class PageRequestFailed extends Error {
  readonly problem: RequestProblem

  constructor(problem: RequestProblem) {
    super(problem)
    this.name = 'PageRequestFailed'
    this.problem = problem
  }
}

export interface PageAnswer {
  readonly status: number
  /** The headers as they arrived, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The first 256 KB, as text; empty for a body that is compressed. */
  readonly body: string
  /** Whether the body ended, or filled its bound, in time. */
  readonly isBodyInTime: boolean
  /** The time when the certificate ends, in milliseconds since 1970. It is present for https. */
  readonly certificateEndsAt?: number
}

/** @param signal aborts at the deadline. @throws PageRequestFailed */
export function requestPage(
  url: URL,
  address: string,
  signal: AbortSignal,
  { userAgent, form, json, headers }: Sending = PREFLIGHT,
): Promise<PageAnswer> {
  const body = json ?? form?.toString()
  const isSecure = url.protocol === 'https:'
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const send = isSecure ? requestSecure : requestPlain
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(new PageRequestFailed(problemOf(error, signal)))
    if (signal.aborted) return fail(signal.reason)
    const request = send({
      host: address,
      port: url.port || (isSecure ? 443 : 80),
      path: url.pathname + url.search,
      method: body === undefined ? 'GET' : 'POST',
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
      setHost: false,
      signal,
      // A server name is a name: a certificate for an address is compared with the address.
      servername: isIP(name) ? '' : name,
      headers: {
        host: url.host,
        accept: 'text/html,application/xhtml+xml',
        'accept-encoding': 'identity',
        'user-agent': userAgent,
        connection: 'close',
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    request.on('error', fail)
    request.on('response', (response) => {
      // From here on an error cuts the body and leaves the headers.
      request.off('error', fail).on('error', () => response.destroy())
      readBody(response).then((body) => resolve(answerOf(response, body)), fail)
    })
    request.end(body)
  })
}

interface Body {
  readonly chunks: readonly Buffer[]
  readonly isInTime: boolean
}

/** Ends when the body ends, at its bound, or when the deadline cuts the connection. */
function readBody(response: IncomingMessage): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes < MAX_BODY_BYTES) return
      resolve({ chunks, isInTime: true })
      response.destroy()
    })
    response.on('end', () => resolve({ chunks, isInTime: true }))
    response.on('error', () => resolve({ chunks, isInTime: false }))
    response.on('close', () => resolve({ chunks, isInTime: false }))
  })
}

function answerOf(response: IncomingMessage, { chunks, isInTime }: Body): PageAnswer {
  const { rawHeaders, headers, socket, statusCode = 0 } = response
  const pairs = Array.from(
    { length: rawHeaders.length / 2 },
    (_, i) => [String(rawHeaders[2 * i]).toLowerCase(), String(rawHeaders[2 * i + 1])] as const,
  )
  const isPlain = [undefined, '', 'identity'].includes(headers['content-encoding'])
  const endsAt =
    socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : Number.NaN
  return {
    status: statusCode,
    headers: pairs,
    body: isPlain ? Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString('latin1') : '',
    isBodyInTime: isInTime,
    ...(Number.isNaN(endsAt) ? {} : { certificateEndsAt: endsAt }),
  }
}

const PROBLEMS: Readonly<Record<string, RequestProblem>> = {
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_refused',
  ENETUNREACH: 'connection_refused',
  EADDRNOTAVAIL: 'connection_refused',
  ETIMEDOUT: 'timed_out',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_of_another_host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_untrusted',
  CERT_SIGNATURE_FAILURE: 'certificate_untrusted',
  CERT_REVOKED: 'certificate_untrusted',
}

function problemOf(error: unknown, signal: AbortSignal): RequestProblem {
  if (signal.aborted) return 'timed_out'
  const { code = '' } = error as NodeJS.ErrnoException
  const known = PROBLEMS[code]
  if (known) return known
  if (code.startsWith('HPE_')) return 'not_http'
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) {
    return 'tls_failed'
  }
  return 'connection_failed'
}
