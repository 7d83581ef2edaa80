// Cuts connections whose client does not read its answer: unread answers stay in the memory of the
// node, and a client that asks for many and reads none would fill it. Security V02.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'

/** A socket may take nothing for this time while an answer waits for it. Contract §9. */
const MAX_UNREAD_MS = 30_000

/**
 * Node.js reports a socket that has neither sent nor received anything for so long; after an answer it sets the
 * keep-alive time in its place. An idle event stream is not cut: its pings are read.
 */
export function cutSlowReaders(
  server: Pick<Server, 'setTimeout'>,
  log: Pick<FastifyBaseLogger, 'warn'>,
  findRunning: (socket: Socket) => string | undefined,
  afterMs = MAX_UNREAD_MS,
): void {
  server.setTimeout(afterMs, (socket) => {
    const traceId = findRunning(socket)
    if (traceId) log.warn({ traceId }, 'cut a connection that did not read its answer')
    socket.destroy()
  })
}
