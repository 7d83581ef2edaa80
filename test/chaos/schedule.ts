// What is broken and changed in a run, and when: node after node is killed, the database breaks down
// once, the signing key and a client secret are rotated. Pure: the same seed gives the same
// schedule.
import { seededNumbers } from '../process/launch-load.ts'
import type { ChaosOptions } from './options.ts'

export type Happening =
  | { readonly kind: 'kill'; readonly node: number; readonly downMs: number }
  | { readonly kind: 'database'; readonly downMs: number }
  | { readonly kind: 'key' }
  | { readonly kind: 'secret' }

export interface Scheduled {
  readonly atMs: number
  readonly happening: Happening
}

/** A node dies every ten seconds; more often in a short run. */
const KILL_EVERY_MS = { least: 3000, most: 10_000 }
/** What a supervisor takes to start a dead process again. */
const NODE_DOWN_MS = 700
/** What somebody takes to restart a server, or to see that a primary is gone and to promote. */
const DATABASE_DOWN_MS = { nodes: 300, failover: 500 }
/** Parts of the run after which things happen. The new key signs seven seconds after its making. */
const AT = { key: 0.02, database: 0.42, secret: 0.55, lastKill: 0.75 }
/** A little earlier or later, so that nothing always meets the same moment of something else. */
const JITTER_MS = 200

export function planSchedule({ scenario, nodes, seconds, seed }: ChaosOptions): Scheduled[] {
  const random = seededNumbers(seed)
  const wholeMs = seconds * 1000
  const plan: Scheduled[] = []
  const add = (atMs: number, happening: Happening) =>
    plan.push({ atMs: atMs + random() * JITTER_MS, happening })
  const kill = (atMs: number, node: number) =>
    add(atMs, { kind: 'kill', node: node % nodes, downMs: NODE_DOWN_MS })

  add(AT.key * wholeMs, { kind: 'key' })
  add(AT.database * wholeMs, { kind: 'database', downMs: DATABASE_DOWN_MS[scenario] })
  add(AT.secret * wholeMs, { kind: 'secret' })
  const first = Math.floor(random() * nodes)
  if (scenario === 'failover') kill(AT.lastKill * wholeMs, first)
  else {
    const { least, most } = KILL_EVERY_MS
    const everyMs = Math.min(most, Math.max(least, wholeMs / 6))
    for (let i = 1; i * everyMs < wholeMs - least / 2; i++) kill(i * everyMs, first + i)
  }
  return plan.sort((a, b) => a.atMs - b.atMs)
}
