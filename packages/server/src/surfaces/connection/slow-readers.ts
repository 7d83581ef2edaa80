// Cuts connections whose client does not read its answer: unread answers stay in the memory of the
// node, and a client that asks for many and reads none would fill it. Security V02.
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long a socket may take nothing while an answer waits for it. Contract §9. */
const MAX_UNREAD_MS = 30_000

/** An idle event stream is not cut: its pings are read. */
export function cutSlowReaders(server: FastifyInstance, afterMs = MAX_UNREAD_MS): void {
  server.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw
    // A request that tests inject has no connection.
    if (!(socket instanceof Socket)) return
    // The socket reports itself when it has neither sent nor received anything for so long. After the
    // answer Node sets the keep-alive time in its place.
    reply.raw.setTimeout(afterMs, () => {
      request.log.warn({ traceId: request.id }, 'cut a connection that did not read its answer')
      socket.destroy()
    })
  })
}
