// Answers what the HTTP parser of Node.js refuses before any route is known: a malformed request line,
// headers that are too large, a body in broken chunks, a request that does not arrive. In the shape of
// every other error, with a trace id that is in the log, a few lines a minute. Standards 8, RFC 9112.

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../http/admission/client-address.ts'
import type { HasRefusalCounter } from '../http/admission/minute-counter.ts'
import { oauthErrorReply, problemReply } from '../http/replies.ts'
import { ApiError, type ApiErrorCode, OAuthError } from '../kernel/errors.ts'
import { newTraceId } from '../kernel/identifiers.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'

type Parts = HasClock & HasLog & HasRandomness & HasRefusalCounter

/** The error when Host is missing (RFC 9112 3.2); the surfaces answer it as every malformed request. */
export const hostMissing = () =>
  Object.assign(new Error('a request without Host'), { code: 'ERR_HTTP_HOST_MISSING' })

interface ParserError {
  readonly code?: string
  /** The bytes that the parser was reading: of a new request, they begin with its first line. */
  readonly rawPacket?: unknown
}

const REFUSALS: Readonly<
  Record<string, readonly [code: ApiErrorCode, status: number, detail: string]>
> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 408, 'The request did not arrive whole in time.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 431, 'Send fewer or smaller headers: 16 KB in all.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    'body_too_large',
    413,
    'The extensions of a chunk are too large.',
  ],
}
const MALFORMED = ['invalid_request', 400, 'The request is not well-formed HTTP/1.1.'] as const
/** A browser or a proxy with https where this port has http: it cannot read an answer, so the line is for the operator. */
const TLS_HERE = [
  'invalid_request',
  400,
  'A TLS handshake came to a port that speaks HTTP. The caller uses https: where it needs http:, or TLS ends at another address.',
] as const

/** The first bytes of a TLS record with a ClientHello (RFC 8446 5.1). */
const isTlsHandshake = (packet: unknown): boolean =>
  Buffer.isBuffer(packet) && packet[0] === 0x16 && packet[1] === 0x03

/** A caller has this time to take the answer. */
const TAKEN_WITHIN_MS = 1000

/** Lines of a minute for one network. */
const MAX_LINES = 10

/** Serves as `clientErrorHandler`: answers and ends the connection. */
export function refuseMalformed(
  { clock, log, randomness, refusals }: Parts,
  isOAuthPath: (url: string | undefined) => boolean,
  headers: Readonly<Record<string, string>>,
): (error: ParserError, socket: Socket) => void {
  return (error, socket) => {
    // The caller has ended the connection: an answer would reach no one.
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
      socket.destroy()
      return
    }
    // Without a finished handshake nothing can be written, and a socket that waits to write stays. [V25]
    if (/^ERR_(TLS|SSL)_/.test(error.code ?? '')) {
      socket.destroy()
      return
    }
    // A connection that a browser opened ahead of need: no request came, so none is refused.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) {
      socket.destroy()
      return
    }
    const { rawPacket } = error
    const [code, status, detail] =
      REFUSALS[error.code ?? ''] ?? (isTlsHandshake(rawPacket) ? TLS_HERE : MALFORMED)
    const traceId = newTraceId(randomness)
    const key = `${networkOf(socket.remoteAddress ?? 'unknown')} ${code} parser`
    const { isAllowed, suppressed } = refusals.allow(key, clock(), MAX_LINES)
    if (isAllowed) {
      const further = suppressed ? { leftOut: suppressed } : {}
      log.warn({ traceId, code, parser: error.code, ...further }, `refused: ${detail}`)
    }
    const begin = Buffer.isBuffer(rawPacket) ? rawPacket.subarray(0, 40).toString('latin1') : ''
    const [, url] = /^[A-Z]+ (\S+)/.exec(begin) ?? []
    const reply = isOAuthPath(url)
      ? oauthErrorReply(new OAuthError('invalid_request', detail, { status }), traceId)
      : problemReply(new ApiError(code, detail), traceId)
    const body = JSON.stringify(reply.body)
    const all = {
      'content-type': 'application/json',
      ...reply.headers,
      ...headers,
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
    // What the caller still sends is not read, and a caller that takes no answer is not waited for.
    socket.destroySoon()
    setTimeout(() => socket.destroy(), TAKEN_WITHIN_MS).unref()
  }
}
