// The client of a run: pooled connections, and the retries of a real client. Retries a 503 after its
// Retry-After, and a lost connection only for a repeatable request. Builds no request and checks no
// answer.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, openConnection, type RawAnswer } from '../../bench/src/connection.ts'

/** The connection broke after the request was sent; its effect is unknown. */
export class ConnectionLost extends Error {
  /** What tells a fault of a node from one of this client: how long it was open and idle. */
  readonly evidence: string
  constructor(message: string, evidence: string, options: ErrorOptions) {
    super(message, options)
    this.evidence = evidence
  }
}

/** Each try was answered with 503. */
export class AlwaysUnavailable extends Error {}

/** The connection is open and the answer did not come in time. */
export class AnswerTimeout extends Error {}

export interface Call {
  readonly request: string
  /**
   * Whether to retry after a lost connection. A browser reloads a GET, an app may revoke and
   * introspect again (RFC 7009 2.2.1); no client repeats a launch or a code without knowing.
   */
  readonly isRepeatable?: boolean
  /** A connection of its own: the balancer gives consecutive ones to different nodes. */
  readonly hasOwnConnection?: boolean
}

export interface Served {
  readonly answer: RawAnswer
  /** An earlier try may have had its effect without an answer. */
  readonly isRepeated: boolean
}

export interface Caller {
  /** @throws ConnectionLost, AlwaysUnavailable, AnswerTimeout */
  call(call: Call): Promise<Served>
  readonly counts: { requests: number; unavailable: number; cut: number }
  close(): void
}

const MAX_CONNECTIONS = 256
/** A connection is replaced after so many requests, so that a restarted node gets its share. */
const MAX_USES = 60
/** Below the shortest drain: what was not used in a drain must not be used when the node closes it. */
const IDLE_MS = 500
const MAX_TRIES = 30
const TIMEOUT_MS = 30_000

interface PooledConnection {
  readonly connection: Connection
  uses: number
  idleSince: number
}

export function openCaller(port: number): Caller {
  const idle: PooledConnection[] = []
  const waiting: (() => void)[] = []
  const counts = { requests: 0, unavailable: 0, cut: 0 }
  let open = 0

  async function take(hasOwnConnection: boolean): Promise<PooledConnection> {
    for (;;) {
      const kept = hasOwnConnection ? undefined : takeIdle()
      if (kept) return kept
      const oldest = open >= MAX_CONNECTIONS && idle.shift()
      if (oldest) drop(oldest)
      if (open < MAX_CONNECTIONS) return openNew()
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }

  function takeIdle(): PooledConnection | undefined {
    for (let kept = idle.pop(); kept; kept = idle.pop()) {
      if (kept.connection.isOpen && performance.now() - kept.idleSince < IDLE_MS) return kept
      drop(kept)
    }
    return undefined
  }

  async function openNew(): Promise<PooledConnection> {
    open += 1
    try {
      return { connection: await openConnection(port), uses: 0, idleSince: 0 }
    } catch (error) {
      open -= 1
      waiting.shift()?.()
      throw error
    }
  }

  function drop({ connection }: PooledConnection): void {
    connection.close()
    open -= 1
  }

  function release(kept: PooledConnection): void {
    kept.uses += 1
    kept.idleSince = performance.now()
    if (kept.uses < MAX_USES && kept.connection.isOpen) idle.push(kept)
    else drop(kept)
    waiting.shift()?.()
  }

  async function askOnce(request: string, hasOwnConnection: boolean): Promise<RawAnswer> {
    const kept = await take(hasOwnConnection)
    const sentAt = performance.now()
    const idleMs = kept.uses === 0 ? 0 : sentAt - kept.idleSince
    counts.requests += 1
    const timeout = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      timeout.reject(new AnswerTimeout(`no answer in ${TIMEOUT_MS / 1000} s`))
    }, TIMEOUT_MS)
    try {
      const answer = await Promise.race([kept.connection.ask(request), timeout.promise])
      if (CLOSES.test(answer.head)) kept.uses = MAX_USES
      release(kept)
      return answer
    } catch (error) {
      drop(kept)
      waiting.shift()?.()
      if (error instanceof AnswerTimeout) throw error
      counts.cut += 1
      const sent = `sent after ${Math.round(idleMs)} ms idle and ${kept.uses} uses`
      const cutMs = Math.round(performance.now() - sentAt)
      throw new ConnectionLost('the connection was cut', `${sent}, cut after ${cutMs} ms`, {
        cause: error,
      })
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    counts,
    async call({ request, isRepeatable = false, hasOwnConnection = false }) {
      for (let tries = 1; tries <= MAX_TRIES; tries++) {
        try {
          const answer = await askOnce(request, hasOwnConnection)
          if (answer.status !== 503) return { answer, isRepeated: tries > 1 }
          counts.unavailable += 1
          await sleep(secondsToWait(answer) * 1000)
        } catch (error) {
          if (!isRepeatable || error instanceof AnswerTimeout) throw error
        }
      }
      throw new AlwaysUnavailable(`no answer but 503 in ${MAX_TRIES} tries`)
    },
    close() {
      for (const kept of idle.splice(0)) drop(kept)
    },
  }
}

/** A node that drains asks for this. */
const CLOSES = /\r\nconnection: close/i

/** @throws Error for a 503 without Retry-After; the service always sends it */
function secondsToWait({ head }: RawAnswer): number {
  const seconds = /\r\nretry-after: (\d+)/i.exec(head)?.[1]
  if (seconds === undefined) throw new Error(`a 503 without Retry-After: ${head}`)
  return Number(seconds)
}
