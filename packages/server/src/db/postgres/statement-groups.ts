// Reads or writes of several callers in one round trip, and writes in one transaction. A round trip costs
// a node and the server more than a look-up by key, and a commit more than a change of one row. So what
// callers ask in one iteration of the event loop goes together, and while as many groups as allowed are in
// flight, the rest waits for the next one. Knows no connection. docs/inside/decisions/0045.
import { DatabaseUnavailable, type Row } from '../database.ts'
import type { Statement } from '../sql.ts'
import { isRefusedByServer } from './postgres-errors.ts'

/** Runs the statements in one round trip; gives the rows of each. */
export type RunStatements = (statements: readonly Statement[]) => Promise<readonly Row[][]>

interface Waiting {
  readonly statements: readonly Statement[]
  readonly resolve: (rows: Row[][]) => void
  readonly reject: (error: unknown) => void
}

/** Groups in flight. With more the groups are smaller; with one, each waits for the group before. */
const MAX_GROUPS = 2
/** A group that takes longer no longer holds up those that wait: its connection may be dead. */
const SLOW_GROUP_MS = 50
/** Callers of one group: the answer to the first waits for the last. */
const MAX_CALLERS = 32

/**
 * A function that runs the statements of its callers in groups. A caller never fails because of another one: where
 * the server refused a group, each of its callers is run again alone, as is a caller without others. Where a
 * connection broke or the database cannot be used, all fail, because the outcome of a write may be unknown.
 */
export function batchCallers(
  runTogether: RunStatements,
  runAlone: RunStatements,
): (statements: readonly Statement[]) => Promise<Row[][]> {
  let waiting: Waiting[] = []
  let groups = 0
  let isPlanned = false

  function plan(): void {
    if (isPlanned || groups >= MAX_GROUPS || waiting.length === 0) return
    isPlanned = true
    setImmediate(() => {
      isPlanned = false
      const group = waiting.slice(0, MAX_CALLERS)
      waiting = waiting.slice(MAX_CALLERS)
      occupySlot(runGroup(group.toSorted(inOrderOfLocks)))
      plan()
    })
  }

  /** Occupies a slot until the answer comes, or the group is slow. */
  function occupySlot(answered: Promise<void>): void {
    groups += 1
    let isCounted = true
    const release = () => {
      if (!isCounted) return
      isCounted = false
      groups -= 1
      plan()
    }
    const slow = setTimeout(release, SLOW_GROUP_MS)
    void answered.then(() => {
      clearTimeout(slow)
      release()
    })
  }

  async function runGroup(group: readonly Waiting[]): Promise<void> {
    const run = group.length === 1 ? runAlone : runTogether
    try {
      const results = await run(group.flatMap(({ statements }) => statements))
      let at = 0
      for (const { statements, resolve } of group) {
        resolve(results.slice(at, at + statements.length))
        at += statements.length
      }
    } catch (error) {
      const isFinal = error instanceof DatabaseUnavailable && !isRefusedByServer(error)
      if (group.length === 1 || isFinal) for (const { reject } of group) reject(error)
      else await Promise.all(group.map((one) => runGroup([one])))
    }
  }

  return (statements) =>
    new Promise((resolve, reject) => {
      waiting.push({ statements, resolve, reject })
      plan()
    })
}

/** Every group locks its rows in the same order, so that groups of two nodes never wait for each other. */
function inOrderOfLocks(one: Waiting, other: Waiting): number {
  const [a = '', b = ''] = [one.statements[0]?.rowKey, other.statements[0]?.rowKey]
  return a < b ? -1 : a > b ? 1 : 0
}
