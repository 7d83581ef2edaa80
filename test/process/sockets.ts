// Sends many HTTP requests at the same moment over as many open sockets: every connection is made
// first, then every request is written in one turn of the event loop. For races, where a client
// library's own connecting would spread the requests out. Knows nothing of OAuth.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: string
  readonly body: string
}

export const jsonRequest = (
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): string => {
  const text = JSON.stringify(body)
  const length = Buffer.byteLength(text)
  const further = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return (
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${length}\r\n${further.join('')}Connection: close\r\n\r\n${text}`
  )
}

export const getRequest = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`

export async function sendTogether(
  port: number,
  requests: readonly string[],
): Promise<RawAnswer[]> {
  const sockets = await Promise.all(
    requests.map(async () => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true })
      await once(socket, 'connect')
      return socket
    }),
  )
  const answers = sockets.map(readToEnd)
  sockets.forEach((socket, i) => {
    socket.write(requests[i] ?? '')
  })
  return Promise.all(answers)
}

async function readToEnd(socket: Socket): Promise<RawAnswer> {
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const split = text.indexOf('\r\n\r\n')
  return {
    status: Number(text.slice(9, 12)),
    headers: text.slice(0, split),
    body: text.slice(split + 4),
  }
}
