// Sends one case: into the server without a socket, or over a socket with bytes that no HTTP client
// would send. Reads at most the first answer, and the first piece of an event stream.
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { InjectOptions } from 'fastify'
import type { FuzzRequest } from './fuzz-request.ts'
import { MARK } from './hostile-values.ts'
import type { World } from './world.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** The request line as the server got it. */
  readonly url: string
}

/** What is sent: the case with the present values of the world. */
export interface Sent {
  readonly url: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | undefined
}

export function fillRequest(
  world: World,
  { path, query, headers, body, encoding }: FuzzRequest,
): Sent {
  const filled = world.fill(query === '' ? path : `${path}?${query}`)
  return {
    url: filled.startsWith('/') ? filled : `/${filled}`,
    headers: headers.map(([name, value]) => [name, fillHeader(world, value)]),
    body: body === undefined ? undefined : Buffer.from(world.fill(body), encoding),
  }
}

/** A Basic header was encoded before its placeholders were filled. */
function fillHeader(world: World, value: string): string {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/.exec(value) ?? []
  const plain = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString()
  if (!plain.includes('{{')) return world.fill(value)
  return `Basic ${Buffer.from(world.fill(plain)).toString('base64')}`
}

export async function sendCase(world: World, request: FuzzRequest): Promise<Answer | undefined> {
  const sent = fillRequest(world, request)
  return request.wire === 'none'
    ? inject(world, request, sent)
    : sendBytes(await portOf(world), bytesOf(request, sent), request.wire, sent.url)
}

async function inject({ node }: World, { method }: FuzzRequest, sent: Sent): Promise<Answer> {
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of sent.headers) {
    const before = headers[name]
    headers[name] =
      before === undefined ? value : `${before}${name === 'cookie' ? '; ' : ', '}${value}`
  }
  const answer = await node.server.inject({
    method: method as InjectOptions['method'] & string,
    url: sent.url,
    headers,
    payloadAsStream: true,
    ...(sent.body ? { payload: sent.body } : {}),
  } as InjectOptions)
  const isEndless = String(answer.headers['content-type']).startsWith('text/event-stream')
  const chunks: Buffer[] = []
  const stream = answer.stream()
  if (isEndless) stream.destroy()
  else for await (const chunk of stream) chunks.push(chunk as Buffer)
  return {
    status: answer.statusCode,
    headers: answer.headers as Answer['headers'],
    body: Buffer.concat(chunks).toString(),
    url: sent.url,
  }
}

const ports = new WeakMap<World, Promise<number>>()

function portOf(world: World): Promise<number> {
  const port =
    ports.get(world) ??
    world.node.server.listen({ port: 0, host: '127.0.0.1' }).then(() => {
      return (world.node.server.server.address() as AddressInfo).port
    })
  ports.set(world, port)
  return port
}

/** One line each, whatever the value: header injection is a case of its own. */
const headerLine = ([name, value]: readonly [string, string]) =>
  `${name}: ${value.replace(/[\r\n]/g, ' ')}\r\n`

function bytesOf({ method, wire }: FuzzRequest, { url, headers, body }: Sent): Buffer {
  const target = wire === 'bad bytes' ? `${url} \0${MARK}` : url.replace(/[\s\0]/g, '%20')
  const lines = headers.map(headerLine)
  const length = body?.length ?? 0
  if (!headers.some(([name]) => name === 'host')) lines.push('host: fuzz.example\r\n')
  if (wire === 'chunks') lines.push('transfer-encoding: chunked\r\n')
  else if (wire === 'truncated body') lines.push(`content-length: ${length + 50}\r\n`)
  else if (body) lines.push(`content-length: ${length}\r\n`)
  if (wire === 'two lengths') lines.push('content-length: 7\r\n', 'transfer-encoding: chunked\r\n')
  if (wire === 'huge header') lines.push(`x-fuzz: ${MARK.repeat(6000)}\r\n`)
  if (wire === 'many headers') lines.push(...Array.from({ length: 3000 }, (_, i) => `x${i}: 1\r\n`))
  if (wire !== 'pipelined') lines.push('connection: close\r\n')
  const head = `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`
  const text = wire === 'bare line feeds' ? head.replaceAll('\r\n', '\n') : head
  const parts = [
    Buffer.from(text, 'latin1'),
    ...(wire === 'chunks' ? [chunk(body ?? Buffer.from('{}'))] : body ? [body] : []),
  ]
  return Buffer.concat(wire === 'pipelined' ? [...parts, ...parts] : parts)
}

/** The second chunk has a length that is none. */
const chunk = (body: Buffer) =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\nzz\r\n')])

/** A client waits no longer; what has not come by then is no answer. */
const MAX_WAIT_MS = 5_000

async function sendBytes(
  port: number,
  bytes: Buffer,
  wire: FuzzRequest['wire'],
  url: string,
): Promise<Answer | undefined> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).on('error', () => {})
  await once(socket, 'connect')
  const chunks: Buffer[] = []
  socket.setTimeout(MAX_WAIT_MS, () => socket.destroy())
  const ended = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
    socket.on('data', (data) => {
      chunks.push(data)
      // One answer is enough; an event stream has no end.
      if (wire === 'pipelined' || isEndless(chunks)) socket.destroy()
    })
  })
  socket.write(bytes)
  if (wire === 'reset') setImmediate(() => socket.resetAndDestroy())
  else if (wire === 'truncated body') socket.end()
  await ended
  return parseAnswer(Buffer.concat(chunks).toString(), url)
}

const isEndless = (chunks: readonly Buffer[]) =>
  chunks[0]?.subarray(0, 2000).toString('latin1').includes('text/event-stream') === true

function parseAnswer(text: string, url: string): Answer | undefined {
  const split = text.indexOf('\r\n\r\n')
  if (split < 0) return undefined
  // An interim answer is none yet.
  if (/^HTTP\/1\.1 1/.test(text)) return parseAnswer(text.slice(split + 4), url)
  const [line = '', ...lines] = text.slice(0, split).split('\r\n')
  const headers: Record<string, string> = {}
  for (const header of lines) {
    const colon = header.indexOf(':')
    headers[header.slice(0, colon).toLowerCase()] = header.slice(colon + 1).trim()
  }
  const raw = text.slice(split + 4)
  const body = headers['transfer-encoding'] === 'chunked' ? unchunk(raw) : raw
  return { status: Number(line.slice(9, 12)), headers, body, url }
}

function unchunk(text: string): string {
  let rest = text
  let body = ''
  for (;;) {
    const [size = '0'] = /^[0-9a-f]+/i.exec(rest) ?? []
    const length = Number.parseInt(size, 16)
    if (!length) return body
    const begin = rest.indexOf('\r\n') + 2
    body += rest.slice(begin, begin + length)
    rest = rest.slice(begin + length + 2)
  }
}
