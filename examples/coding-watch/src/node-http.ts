// The bridge between node:http and the web-standard Request and Response that this app is written
// in. Bounds the body; sets the headers that every answer carries. Knows no route.
import type { IncomingMessage, ServerResponse } from 'node:http'

const MAX_BODY_BYTES = 16_384

export async function toRequest(incoming: IncomingMessage, origin: string): Promise<Request> {
  const url = new URL(incoming.url ?? '/', origin)
  const method = incoming.method ?? 'GET'
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (typeof value === 'string') headers.set(name, value)
  }
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers })
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new Error('the request body is too large')
    chunks.push(chunk)
  }
  return new Request(url, { method, headers, body: Buffer.concat(chunks) })
}

export async function answer(outgoing: ServerResponse, response: Response): Promise<void> {
  response.headers.set('referrer-policy', 'no-referrer')
  response.headers.set('x-content-type-options', 'nosniff')
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}
