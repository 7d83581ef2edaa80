// Knows the open connections of a server: bounds those of one network, makes room before the descriptors of the
// process are used up, and ends at a stop those on which no request has come. A connection that a browser opens
// ahead of need, or an unfinished TLS handshake, is none that Node.js counts as idle. Knows no route. Security V25.
import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { networkOf } from '../../http/admission/client-address.ts'

export interface ConnectionBounds {
  /** The bound holds for all networks; more are not accepted. It is absent where the process has no such limit. */
  readonly maxConnections: number | undefined
  /** Whether the peer is a proxy, whose connections belong to many networks. */
  readonly isProxy: (address: string) => boolean
}

export interface OpenConnections {
  /** Ends those without a request. One that is sending its first request is left alone. */
  closeUnused(): void
  /** Ends those whose client keeps the node waiting. */
  closeWaiting(): void
}

/** Connections of one network that have not sent a whole request: a browser opens a few ahead of need. */
const MAX_UNUSED_OF_NETWORK = 256
/** Connections that do nothing make room from this share of the bound on. */
const NEARLY_FULL = 0.9

interface Connection {
  socket: Socket
  readonly network: Network | undefined
  /** The response to the last request; undefined before the first. */
  response: ServerResponse | undefined
}

const isIdle = (response: ServerResponse | undefined) => response?.closed === true
/** Returns true while the node waits for the request or its rest, or for the client to read the answer. */
const waitsForClient = (response: ServerResponse | undefined) =>
  !response?.req.complete || response.writableEnded

/** Builds one key for a connection: with TLS the handshake has a socket of its own. */
const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

/** The connections of one network, in the order in which they were opened. */
interface Network {
  readonly all: Set<Connection>
  /** The connections that had sent no whole request when they were looked at last. */
  readonly unused: Set<Connection>
}

export function trackConnections(
  server: Server,
  { maxConnections, isProxy }: ConnectionBounds,
): OpenConnections {
  const open = new Map<string, Connection>()
  /** The same by the socket that carries requests: each of these looks here. */
  const bySocket = new WeakMap<Socket, Connection>()
  /** Connections of proxies are in no network. */
  const networks = new Map<string, Network>()
  if (maxConnections !== undefined) server.maxConnections = maxConnections

  function add(socket: Socket): void {
    const address = socket.remoteAddress ?? 'unknown'
    const name = isProxy(address) ? undefined : networkOf(address)
    const network = name === undefined ? undefined : (networks.get(name) ?? newNetwork(name))
    const key = keyOf(socket)
    const connection: Connection = { socket, network, response: undefined }
    open.set(key, connection)
    bySocket.set(socket, connection)
    network?.all.add(connection)
    network?.unused.add(connection)
    socket.once('close', () => {
      open.delete(key)
      network?.all.delete(connection)
      network?.unused.delete(connection)
      if (name !== undefined && network?.all.size === 0) networks.delete(name)
    })
    if (network) endUnused(network)
    if (maxConnections !== undefined && open.size > maxConnections * NEARLY_FULL)
      makeRoom(networks.values())
  }

  function newNetwork(name: string): Network {
    const network = { all: new Set<Connection>(), unused: new Set<Connection>() }
    networks.set(name, network)
    return network
  }

  server.on('connection', add)
  if (server instanceof TlsServer) {
    // The same connection, from now on as the socket that carries requests.
    server.on('secureConnection', (socket: Socket) => {
      const connection = open.get(keyOf(socket))
      if (!connection) return
      connection.socket = socket
      bySocket.set(socket, connection)
    })
  }
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = bySocket.get(socket)
    if (connection) connection.response = response
  })
  return {
    closeUnused() {
      for (const { socket, response } of open.values()) {
        const isSending = !(server instanceof TlsServer) && socket.bytesRead > 0
        if (!response && !isSending) socket.destroy()
      }
    },
    closeWaiting() {
      for (const { socket, response } of open.values()) {
        if (waitsForClient(response)) socket.destroy()
      }
    },
  }
}

/** A browser opens another one; a client that holds hundreds without a whole request loses its oldest. */
function endUnused({ unused }: Network): void {
  for (const connection of unused) {
    if (unused.size <= MAX_UNUSED_OF_NETWORK) return
    if (!connection.response?.req.complete) return void connection.socket.destroy()
    unused.delete(connection)
  }
}

/**
 * The oldest idle connection of the network with most connections ends; where none is idle, one whose client
 * keeps the node waiting. It is never one that waits for the node.
 */
function makeRoom(networks: Iterable<Network>): void {
  const bySize = [...networks].sort((a, b) => b.all.size - a.all.size)
  for (const mayEnd of [isIdle, waitsForClient]) {
    for (const { all } of bySize) {
      for (const { response, socket } of all) {
        if (mayEnd(response)) return void socket.destroy()
      }
    }
  }
}

/** Descriptors that the database, files and the outside need beside connections. */
const RESERVED = 256

/** Linux has this file. */
const LIMITS = '/proc/self/limits'

/** Counts by the process's limit on open files (`ulimit -n`); undefined where the system does not say. */
export function countConnectionDescriptors(): number | undefined {
  const limits = existsSync(LIMITS) ? readFileSync(LIMITS, 'utf8') : ''
  const soft = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.NaN)
  return Number.isNaN(soft) ? undefined : Math.max(soft - RESERVED, Math.ceil(soft / 2))
}
