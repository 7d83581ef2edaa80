// Closes the listener of a server and no connection. The system resets what waits in the queue of a
// listener that closes, and the event loop accepts one connection in each turn, so that under load the
// queue is long: it is emptied first. Knows no route.
import { Server } from 'node:net'

/** So many turns without a connection mean that none waits. */
const QUIET_TURNS = 3
/** Clients that never stop connecting must not keep a node from ending. */
const MAX_TURNS = 200

export async function stopListening(server: Server): Promise<void> {
  let quietTurns = 0
  const onConnection = () => {
    quietTurns = 0
  }
  server.on('connection', onConnection)
  for (let turns = 0; quietTurns < QUIET_TURNS && turns < MAX_TURNS; turns++) {
    quietTurns += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  server.off('connection', onConnection)
  if (server.listening) Server.prototype.close.call(server)
}
