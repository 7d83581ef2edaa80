// How apps and hosts call the service in a run: over connections that are kept and shared, with a
// second try where a real client has one. A 503 is tried again after its Retry-After; a request that
// was cut off only when repeating it is harmless. Owns no request and no expectation.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, openConnection, type RawAnswer } from '../../bench/src/connection.ts'

/** The connection broke after the request was sent: what became of it is unknown. */
export class CutOff extends Error {}

/** Every try was answered with 503. */
export class NeverServed extends Error {}

/** The connection stands and no answer comes: no client waits longer. */
export class Unanswered extends Error {}

export interface Call {
  readonly request: string
  /**
   * Whether a cut connection is answered with a second try. A browser reloads a GET, an app may
   * revoke and introspect again (RFC 7009 2.2.1); nobody sends a launch or a code again blindly.
   */
  readonly isRepeatable?: boolean
  /** A connection of its own: the balancer gives consecutive ones to different nodes. */
  readonly isAlone?: boolean
}

export interface Served {
  readonly answer: RawAnswer
  /** An earlier try may have been carried out although it got no good answer. */
  readonly isRepeated: boolean
}

export interface Caller {
  /** @throws CutOff, NeverServed, Unanswered */
  call(call: Call): Promise<Served>
  readonly counts: { requests: number; unavailable: number; cut: number }
  close(): void
}

const MAX_CONNECTIONS = 256
/** A connection is replaced after so many requests, so that a node that came back gets its share. */
const MAX_USES = 60
/** Well below the time after which the service closes an idle connection. */
const IDLE_MS = 5000
const MAX_TRIES = 30
const PATIENCE_MS = 30_000

interface Kept {
  readonly connection: Connection
  uses: number
  idleSince: number
}

export function openCaller(port: number): Caller {
  const idle: Kept[] = []
  const waiting: (() => void)[] = []
  const counts = { requests: 0, unavailable: 0, cut: 0 }
  let open = 0

  async function take(isAlone: boolean): Promise<Kept> {
    for (;;) {
      const kept = isAlone ? undefined : takeIdle()
      if (kept) return kept
      const oldest = open >= MAX_CONNECTIONS && idle.shift()
      if (oldest) drop(oldest)
      if (open < MAX_CONNECTIONS) return openNew()
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }

  function takeIdle(): Kept | undefined {
    for (let kept = idle.pop(); kept; kept = idle.pop()) {
      if (kept.connection.isOpen && performance.now() - kept.idleSince < IDLE_MS) return kept
      drop(kept)
    }
    return undefined
  }

  async function openNew(): Promise<Kept> {
    open += 1
    try {
      return { connection: await openConnection(port), uses: 0, idleSince: 0 }
    } catch (error) {
      open -= 1
      waiting.shift()?.()
      throw error
    }
  }

  function drop({ connection }: Kept): void {
    connection.close()
    open -= 1
  }

  function giveBack(kept: Kept): void {
    kept.uses += 1
    kept.idleSince = performance.now()
    if (kept.uses < MAX_USES && kept.connection.isOpen) idle.push(kept)
    else drop(kept)
    waiting.shift()?.()
  }

  async function askOnce(request: string, isAlone: boolean): Promise<RawAnswer> {
    const kept = await take(isAlone)
    counts.requests += 1
    const patience = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      patience.reject(new Unanswered(`no answer in ${PATIENCE_MS / 1000} s`))
    }, PATIENCE_MS)
    try {
      const answer = await Promise.race([kept.connection.ask(request), patience.promise])
      giveBack(kept)
      return answer
    } catch (error) {
      drop(kept)
      waiting.shift()?.()
      if (error instanceof Unanswered) throw error
      counts.cut += 1
      throw new CutOff('the connection was cut', { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    counts,
    async call({ request, isRepeatable = false, isAlone = false }) {
      for (let tries = 1; tries <= MAX_TRIES; tries++) {
        try {
          const answer = await askOnce(request, isAlone)
          if (answer.status !== 503) return { answer, isRepeated: tries > 1 }
          counts.unavailable += 1
          await sleep(secondsToWait(answer) * 1000)
        } catch (error) {
          if (!isRepeatable || error instanceof Unanswered) throw error
        }
      }
      throw new NeverServed(`no answer but 503 in ${MAX_TRIES} tries`)
    },
    close() {
      for (const kept of idle.splice(0)) drop(kept)
    },
  }
}

/** @throws Error when a 503 does not say when to come again: every one of ours does. */
function secondsToWait({ head }: RawAnswer): number {
  const seconds = /\r\nretry-after: (\d+)/i.exec(head)?.[1]
  if (seconds === undefined) throw new Error(`a 503 without Retry-After: ${head}`)
  return Number(seconds)
}
