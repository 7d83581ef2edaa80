// Converts Node's request and response from and to the web-standard ones: headers one by one,
// bodies as streams, a parsed body serialized again. Knows no framework and no route.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'

export type Handler = (request: Request) => Promise<Response>

interface RequestDetails {
  /** The original path with its query. */
  readonly url: string
  readonly protocol: string
  /** The result of a body parser, if one has read the body. */
  readonly parsedBody: unknown
}

/** Methods that `Request` refuses (Fetch standard 2.2.1). */
const FORBIDDEN_METHOD = /^(CONNECT|TRACE|TRACK)$/

export async function callHandler(
  handler: Handler,
  incoming: IncomingMessage,
  details: RequestDetails,
): Promise<Response> {
  if (FORBIDDEN_METHOD.test(incoming.method ?? '')) {
    const headers = { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' }
    return Response.json({ error: 'method_not_allowed' }, { status: 405, headers })
  }
  return handler(buildRequest(incoming, details))
}

function buildRequest(incoming: IncomingMessage, details: RequestDetails): Request {
  const method = incoming.method ?? 'GET'
  const headers = readHeaders(incoming)
  const url = buildUrl(details, headers.get('host'))
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers })
  if (incoming.readableDidRead) {
    // The serialized body has another length and encoding than the original one.
    for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) {
      headers.delete(name)
    }
    return new Request(url, { method, headers, body: writeBody(details.parsedBody) })
  }
  const body = Readable.toWeb(incoming) as unknown as ReadableStream<Uint8Array>
  return new Request(url, { method, headers, body, duplex: 'half' } as RequestInit)
}

export function readHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    // HTTP/2 pseudo headers are no headers.
    if (!name.startsWith(':')) headers.append(name, value)
  }
  return headers
}

/** Returns what `new URL(request.url).pathname` gives for the request that `callHandler` makes. */
export const pathOf = (url: string): string =>
  buildUrl({ url, protocol: 'http', parsedBody: undefined }, null).pathname

/** The path is appended, so that one with two leading slashes names no other host. */
function buildUrl({ url, protocol }: RequestDetails, host: string | null): URL {
  const path = url.startsWith('/') ? url : '/'
  const base = `${protocol}://${host}`
  return new URL((host && URL.canParse(base) ? new URL(base).origin : 'http://localhost') + path)
}

function writeBody(parsed: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof parsed === 'string') return parsed
  if (parsed instanceof Uint8Array) return new Uint8Array(parsed)
  return parsed === undefined ? '' : JSON.stringify(parsed)
}

export async function writeResponse(outgoing: ServerResponse, response: Response): Promise<void> {
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') outgoing.setHeader(name, value)
  }
  // Beside those that the app has set before.
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) outgoing.appendHeader('set-cookie', cookies)
  if (!response.body) {
    outgoing.end()
    return
  }
  const body = Readable.fromWeb(response.body as unknown as NodeReadableStream)
  await pipeline(body, outgoing).catch((error: NodeJS.ErrnoException) => {
    // The browser has left the page before its end, and nothing is wrong.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE' || !outgoing.destroyed) throw error
  })
}
