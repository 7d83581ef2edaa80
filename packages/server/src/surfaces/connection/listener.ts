// Closes the listener of a server and no connection. The system resets what waits in the queue of a
// listener that closes, and the event loop accepts one connection in each iteration, so that under load the
// queue is long: it is emptied first. Knows no route.
import { Server } from 'node:net'

/** The number of iterations without a connection after which none waits. */
const IDLE_ITERATIONS = 3
/** Clients that never stop connecting must not keep a node from ending. */
const MAX_ITERATIONS = 200

export async function stopListening(server: Server): Promise<void> {
  let idleIterations = 0
  const onConnection = () => {
    idleIterations = 0
  }
  server.on('connection', onConnection)
  for (let count = 0; idleIterations < IDLE_ITERATIONS && count < MAX_ITERATIONS; count++) {
    idleIterations += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  server.off('connection', onConnection)
  if (server.listening) Server.prototype.close.call(server)
}
