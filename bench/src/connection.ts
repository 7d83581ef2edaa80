// One keep-alive HTTP/1.1 connection with one request at a time, on a bare socket: only the HTTP of
// the answers of this service, so that the load generator costs far less than the service. Throws on
// anything else.
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
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    if (length === undefined) {
      fail(new Error(`an answer without Content-Length: ${head}`))
      return
    }
    const end = headEnd + 4 + Number(length)
    if (received.length < end) return
    const answer = {
      status: Number(head.slice(9, 12)),
      head,
      body: received.slice(headEnd + 4, end),
    }
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

/** A request as text. Bodies are ASCII here, so their length is their size. */
export function requestText(
  method: 'GET' | 'POST',
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  if (method === 'POST') lines.push(`content-length: ${body.length}\r\n`)
  return `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}\r\n${body}`
}
