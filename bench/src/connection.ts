// One keep-alive HTTP/1.1 connection with one request at a time, on a bare socket: only the HTTP of
// the answers of this service and its peers, so that the load generator costs far less than the service.
// Throws on anything else.
import { once } from 'node:events'
import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  /** Status line and headers. */
  readonly head: string
  readonly body: string
}

export interface Connection {
  /** False once one of the two ends has closed it. */
  readonly isOpen: boolean
  /** Sends a whole request, as text, and waits for its whole answer. */
  ask(request: string): Promise<RawAnswer>
  close(): void
}

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await once(socket, 'connect')
  socket.setEncoding('latin1')
  let received = ''
  let waiting: PromiseWithResolvers<RawAnswer> | undefined

  const fail = (error: Error) => {
    waiting?.reject(error)
    waiting = undefined
  }
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the service closed the connection')))
  socket.on('data', (chunk: string) => {
    received = received === '' ? chunk : received + chunk
    const headEnd = received.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = received.slice(0, headEnd)
    // 204 has no body and no length (RFC 9110 15.3.5).
    const isEmpty = head.startsWith('204', 9)
    const body = isEmpty ? { text: '', end: headEnd + 4 } : readBody(received, headEnd + 4, head)
    if (body === undefined) return fail(new Error(`an answer without a length: ${head}`))
    if (body === 'incomplete') return
    const { text, end } = body
    const answer = { status: Number(head.slice(9, 12)), head, body: text }
    received = received.slice(end)
    waiting?.resolve(answer)
  })
  return {
    get isOpen() {
      return socket.readable && socket.writable
    },
    ask(request) {
      waiting = Promise.withResolvers<RawAnswer>()
      socket.write(request, 'latin1')
      return waiting.promise
    },
    close: () => socket.destroy(),
  }
}

interface Body {
  readonly text: string
  /** The place where the next answer begins. */
  readonly end: number
}

/** Reads by Content-Length or in chunks (RFC 9112 7.1, without trailers); undefined when the answer has neither. */
function readBody(received: string, start: number, head: string): Body | 'incomplete' | undefined {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) {
    const end = start + Number(length)
    return received.length < end ? 'incomplete' : { text: received.slice(start, end), end }
  }
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return undefined
  let text = ''
  for (let at = start; ; ) {
    const lineEnd = received.indexOf('\r\n', at)
    const size = Number.parseInt(received.slice(at, lineEnd), 16)
    const chunk = lineEnd + 2
    const next = chunk + size + 2
    if (lineEnd < 0 || received.length < next) return 'incomplete'
    if (size === 0) return { text, end: next }
    text += received.slice(chunk, chunk + size)
    at = next
  }
}

/** A request as text. Bodies are ASCII here, so their length is their size. */
export function requestText(
  method: 'DELETE' | 'GET' | 'POST',
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  if (method === 'POST') lines.push(`content-length: ${body.length}\r\n`)
  return `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}\r\n${body}`
}
