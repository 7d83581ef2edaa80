// Knows the connections on which no request has come yet, such as those that a browser opens ahead of need.
// Node.js does not count them as idle, so a server that closes would wait a minute for each. Knows no route.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'

export interface UnusedConnections {
  /** Ends them. One that is sending its first request is left alone. */
  close(): void
}

export function trackUnusedConnections(server: Server): UnusedConnections {
  const silent = new Set<Socket>()
  const withoutRequest = new Set<Socket>()
  const keepIn = (sockets: Set<Socket>) => (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  server.on('connection', keepIn(silent))
  if (server instanceof TlsServer) {
    // With TLS bytes have come before the first request: it is known by the connection above the bytes.
    server.on('secureConnection', keepIn(withoutRequest))
    server.on('request', ({ socket }: IncomingMessage) => withoutRequest.delete(socket))
  }
  return {
    close() {
      for (const socket of silent) if (socket.bytesRead === 0) socket.destroy()
      for (const socket of withoutRequest) socket.destroy()
    },
  }
}
