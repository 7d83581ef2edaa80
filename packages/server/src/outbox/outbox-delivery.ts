// Sends what is due in an outbox: a table whose rows say when the next attempt is. Taking a row moves that time,
// so a node that dies gives its rows back. At most 64 attempts run on a node and 8 for one host, so that a slow
// server keeps no other waiting. An attempt that is cut off is made again, by any node. Contract §12.
import { setTimeout as sleep } from 'node:timers/promises'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { decideRetryMs } from './outbox.ts'

/** A node that dies gives its rows back after this time; more than an attempt takes. */
const HOLD_MS = 30_000
const MAX_RUNNING = 64
const MAX_FOR_A_HOST = 8
/** A row waits so often for one of the attempts at its host: a server that answers at once keeps none. */
const WAITS = 10
const WAIT_MS = 10
/** A row whose host is slow is looked at again after this time. */
const BUSY_MS = 1_000

export interface Taking {
  readonly now: number
  readonly heldUntil: number
  readonly limit: number
  /** Receivers whose host has enough to answer. */
  readonly without: readonly string[]
}

/** The store and the sender of one kind of notice. */
export interface Outbox<Notice, Receiver extends { readonly url: string }> {
  /** The log uses this name. */
  readonly what: string
  /** Takes due notices; each goes to one of several nodes that take at once. */
  takeDue(taking: Taking): Promise<readonly Notice[]>
  /** Returns the id by which `without` names the receiver. */
  receiverIdOf(notice: Notice): string
  /** Returns undefined when the notice is settled or put back, and nothing is sent. */
  prepare(notice: Notice): Promise<Receiver | undefined>
  putBack(notice: Notice, dueAt: number): Promise<void>
  /** Sends, and records what came back; it records nothing once the signal is aborted. */
  deliver(notice: Notice, receiver: Receiver, signal: AbortSignal): Promise<void>
}

export interface OutboxDelivery {
  /** Begins attempts for what is due. Resolves with true when something was, so that more may be. */
  begin(signal: AbortSignal): Promise<boolean>
  /** Resolves when no attempt runs. */
  settled(): Promise<void>
}

export function outboxDelivery<Notice, Receiver extends { readonly url: string }>(
  { clock, log }: HasClock & HasLog,
  outbox: Outbox<Notice, Receiver>,
): OutboxDelivery {
  const running = new Set<Promise<void>>()
  /** The receivers of each host, one entry for each attempt that runs. */
  const hosts = new Map<string, string[]>()

  const isBusy = (host: string) => (hosts.get(host)?.length ?? 0) >= MAX_FOR_A_HOST

  const busyReceivers = () => [
    ...new Set([...hosts.values()].filter(({ length }) => length >= MAX_FOR_A_HOST).flat()),
  ]

  async function attempt(notice: Notice, signal: AbortSignal): Promise<void> {
    const receiver = await outbox.prepare(notice)
    if (!receiver) return
    const { host } = new URL(receiver.url)
    const id = outbox.receiverIdOf(notice)
    for (let waits = 0; isBusy(host) && waits < WAITS; waits++) await sleep(WAIT_MS)
    if (isBusy(host)) return outbox.putBack(notice, clock() + BUSY_MS)
    hosts.set(host, [...(hosts.get(host) ?? []), id])
    try {
      await outbox.deliver(notice, receiver, signal)
    } finally {
      const rest = [...(hosts.get(host) ?? [])]
      rest.splice(rest.indexOf(id), 1)
      if (rest.length > 0) hosts.set(host, rest)
      else hosts.delete(host)
    }
  }

  function start(notice: Notice, signal: AbortSignal): void {
    const done = attempt(notice, signal).catch((error: unknown) => {
      // It is due again when it is held no more.
      if (!signal.aborted) log.error({ err: error }, `a ${outbox.what} failed; it is sent again`)
    })
    running.add(done)
    void done.finally(() => running.delete(done))
  }

  return {
    async begin(signal) {
      const limit = MAX_RUNNING - running.size
      if (limit <= 0) return true
      const now = clock()
      const taking = { now, heldUntil: now + HOLD_MS, limit, without: busyReceivers() }
      const notices = await outbox.takeDue(taking)
      for (const notice of notices) start(notice, signal)
      return notices.length > 0
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** Returns when the next attempt is due. */
export const planRetry = ({ randomness }: HasRandomness, attempts: number, now: number): number =>
  now + decideRetryMs(attempts, randomness.bytes(2).readUInt16BE() / 0xffff)
