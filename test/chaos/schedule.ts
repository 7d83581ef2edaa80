// Decides what happens in a run, and when: node after node is killed, the database fails once, the
// signing key and a client secret are rotated. Pure: the same seed gives the same schedule.
import { seededNumbers } from '../process/launch-load.ts'
import type { ChaosOptions } from './options.ts'

export type Action =
  | { readonly kind: 'kill'; readonly node: number; readonly downMs: number }
  | { readonly kind: 'database'; readonly downMs: number }
  /** SIGTERM, and a start with a clock that is so far ahead. */
  | { readonly kind: 'stop'; readonly node: number; readonly clockSeconds: number }
  /** As docs/operate/keys.md says, which restarts each node twice. */
  | { readonly kind: 'master-key' }
  /** A newer version adds a column, while nodes of this one go on. */
  | { readonly kind: 'migration' }
  | { readonly kind: 'key' }
  | { readonly kind: 'secret' }

export interface Scheduled {
  readonly atMs: number
  readonly action: Action
}

/** A node is killed every ten seconds; more often in a short run. */
const KILL_INTERVAL_MS = { min: 3000, max: 10_000 }
/** The time until a supervisor restarts a process. */
const NODE_DOWN_MS = 700
/** The time until a server is restarted, or until a replica is promoted. */
const DATABASE_DOWN_MS = { nodes: 300, failover: 500, citus: 500, operations: 1500 }
/** Fractions of the run. The new key signs seven seconds after it is made; no rotation while the master key changes. */
const AT = { key: 0.02, masterKey: 0.25, database: 0.42, secret: 0.55, lastKill: 0.75 }
/** In the scenario `operations`. */
const OPERATIONS_AT = { stop: 0.1, migration: 0.3, wrongClock: 0.65 }
/** In the scenario `streams`. */
const STREAMS_AT = { kill: 0.1, stop: 0.5 }
const WRONG_CLOCK_SECONDS = 3600
/** Random, so that two actions do not always meet at the same moment. */
const JITTER_MS = 200

export function planSchedule({ scenario, nodes, seconds, seed }: ChaosOptions): Scheduled[] {
  const random = seededNumbers(seed)
  const wholeMs = seconds * 1000
  const plan: Scheduled[] = []
  const add = (atMs: number, action: Action) =>
    plan.push({ atMs: atMs + random() * JITTER_MS, action })
  const kill = (atMs: number, node: number) =>
    add(atMs, { kind: 'kill', node: node % nodes, downMs: NODE_DOWN_MS })

  add(AT.key * wholeMs, { kind: 'key' })
  const first = Math.floor(random() * nodes)
  if (scenario === 'streams') {
    kill(STREAMS_AT.kill * wholeMs, first)
    add(STREAMS_AT.stop * wholeMs, { kind: 'stop', node: (first + 1) % nodes, clockSeconds: 0 })
    return plan.sort((a, b) => a.atMs - b.atMs)
  }
  if (scenario === 'master-key') {
    add(AT.masterKey * wholeMs, { kind: 'master-key' })
    return plan
  }
  add(AT.database * wholeMs, { kind: 'database', downMs: DATABASE_DOWN_MS[scenario] })
  if (scenario !== 'operations') add(AT.secret * wholeMs, { kind: 'secret' })
  if (scenario === 'operations') {
    add(OPERATIONS_AT.stop * wholeMs, { kind: 'stop', node: first, clockSeconds: 0 })
    add(OPERATIONS_AT.migration * wholeMs, { kind: 'migration' })
    // The secret is rotated in the other scenarios: it asks every node, and here nodes are away.
    const node = (first + 1) % nodes
    add(OPERATIONS_AT.wrongClock * wholeMs, {
      kind: 'stop',
      node,
      clockSeconds: WRONG_CLOCK_SECONDS,
    })
  } else if (scenario === 'failover' || scenario === 'citus') kill(AT.lastKill * wholeMs, first)
  else {
    const { min, max } = KILL_INTERVAL_MS
    const everyMs = Math.min(max, Math.max(min, wholeMs / 6))
    for (let i = 1; i * everyMs < wholeMs - min / 2; i++) kill(i * everyMs, first + i)
  }
  return plan.sort((a, b) => a.atMs - b.atMs)
}
