// Stands between the service and a PostgreSQL and does what networks do: holds everything back for a
// while, swallows it, or breaks a connection at a chosen byte of one request or of its reply. Knows
// of the protocol only how a reply ends. Expects nothing.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Cut {
  /** What the request to be cut contains. */
  readonly marker: string
  /** Cut while the request travels, while the reply does, or between the two. */
  readonly during: 'request' | 'reply'
  /** How much of it still arrives, from 0 to 1. */
  readonly share: number
  /** Runs at the moment of the cut, before either side can notice it. */
  readonly onCut?: () => void
}

export interface FaultyRelay {
  readonly url: string
  /** Holds back everything that the service sends for so long. */
  delayMs: number
  /** Takes everything and passes nothing on, as a network that drops packets. */
  isSilent: boolean
  /** Breaks one connection, once. */
  cutNext(cut: Cut): void
  /** Cuts every connection and closes the port, until `oidcCallback`. */
  goDown(): Promise<void>
  oidcCallback(): Promise<void>
  stop(): Promise<void>
}

export async function startFaultyRelay(url: string): Promise<FaultyRelay> {
  const target = new URL(url)
  const host = target.hostname
  const port = Number(target.port || 5432)
  const sockets = new Set<Socket>()
  let armed: Cut | undefined

  function join(near: Socket): void {
    const far = connect({ host, port, noDelay: true })
    let cutting: Cut | undefined
    let reply: Buffer[] = []
    let sent: Promise<void> = Promise.resolve()

    function breakBoth(): void {
      cutting?.onCut?.()
      near.destroy()
      // What was passed on still arrives; only then does the server see the end.
      far.end()
    }
    near.on('data', (chunk: Buffer) => {
      if (relay.isSilent) return
      if (armed && chunk.includes(armed.marker)) {
        cutting = armed
        armed = undefined
        if (cutting.during === 'request') {
          far.write(chunk.subarray(0, Math.floor(cutting.share * chunk.length)))
          breakBoth()
          return
        }
      }
      if (relay.delayMs === 0) far.write(chunk)
      else {
        const due = sleep(relay.delayMs)
        sent = sent.then(() => due).then(() => void far.write(chunk))
      }
    })
    far.on('data', (chunk: Buffer) => {
      if (relay.isSilent) return
      if (cutting?.during !== 'reply') {
        near.write(chunk)
        return
      }
      reply.push(chunk)
      const whole = Buffer.concat(reply)
      if (!endsWithReady(whole)) return
      reply = []
      near.write(whole.subarray(0, Math.floor(cutting.share * whole.length)), breakBoth)
    })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroySoon()
      })
    }
  }

  let server = await listenSomewhere(join)
  const address = server.address()
  const listensOn = typeof address === 'object' && address ? address.port : 0
  target.hostname = '127.0.0.1'
  target.port = String(listensOn)
  const relay: FaultyRelay = {
    url: target.href,
    delayMs: 0,
    isSilent: false,
    cutNext(cut) {
      armed = cut
    },
    goDown() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
    async oidcCallback() {
      server = await listenOn(listensOn, join)
    },
    stop: () => relay.goDown(),
  }
  return relay
}

/** Below those that systems give to outgoing connections, so that no other process takes it while it is closed. */
const freePort = () => 20_000 + Math.floor(Math.random() * 12_000)

async function listenOn(port: number, join: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ noDelay: true }, join).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function listenSomewhere(join: (socket: Socket) => void): Promise<Server> {
  for (let tries = 1; ; tries++) {
    try {
      return await listenOn(freePort(), join)
    } catch (error) {
      if (tries === 20) throw error
    }
  }
}

/** ReadyForQuery: the byte Z, a length of five, one byte. PostgreSQL manual, "Message Formats". */
function endsWithReady(bytes: Buffer): boolean {
  return bytes.length >= 6 && bytes.subarray(-6, -1).equals(Buffer.from([0x5a, 0, 0, 0, 5]))
}
