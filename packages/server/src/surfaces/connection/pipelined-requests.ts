// A connection runs one request at a time. A client may send the next ones before it has an answer (RFC
// 9112 9.3.2), but answers leave in order, so running them early only takes processor and memory from
// all others; a client that reads nothing would have each of its requests worked on. Security V01, V02.
import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** The number of requests that may be ahead of their turn; then the connection is not read until they had it. */
const MAX_AHEAD = 8

interface Connection {
  /** The trace id of the request that has begun and has no answer yet. */
  running: string | undefined
  readonly waiting: (() => void)[]
}

export interface ConnectionTurns {
  /** Begins the request when it is its turn on its connection; its turn ends with its answer. */
  take(socket: Socket, answer: ServerResponse, traceId: string, begin: () => void): void
  /** The trace id of the request that has begun on this connection and has no answer yet. */
  findRunning(socket: Socket): string | undefined
}

export function connectionTurns(): ConnectionTurns {
  const connections = new WeakMap<Socket, Connection>()
  return {
    findRunning: (socket) => connections.get(socket)?.running,
    take(socket, answer, traceId, begin) {
      // A request that tests inject has no connection.
      if (!(socket instanceof Socket)) return begin()
      let connection = connections.get(socket)
      if (!connection) {
        connection = { running: undefined, waiting: [] }
        connections.set(socket, connection)
      }
      const { waiting } = connection
      const end = () => {
        const next = waiting.shift()
        if (waiting.length === 0 && socket.isPaused()) socket.resume()
        // Others have their turn first. What waits on a connection that is gone never begins.
        if (!next) connection.running = undefined
        else if (!socket.destroyed) setImmediate(next)
      }
      const beginNow = () => {
        connection.running = traceId
        answer.once('close', end)
        begin()
      }
      if (connection.running !== undefined) {
        waiting.push(beginNow)
        // Node.js reads on after each request; what it has read already is parsed in this turn.
        if (waiting.length >= MAX_AHEAD) process.nextTick(pauseWhileFull, socket, waiting)
        return
      }
      beginNow()
    },
  }
}

function pauseWhileFull(socket: Socket, waiting: readonly unknown[]): void {
  if (waiting.length >= MAX_AHEAD && !socket.isPaused()) socket.pause()
}
