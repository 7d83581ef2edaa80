// Reads by key of several callers in one round trip. A round trip costs a node and the server more than
// the look-up itself, so the reads of one iteration of the event loop go together, and while as many
// groups as allowed are on the way, further reads wait for the next one. Knows no connection.
import { DatabaseUnavailable, type Row } from '../database.ts'
import type { Statement } from '../sql.ts'

/** Runs the statements in one round trip; gives the rows of each. */
export type RunReads = (statements: readonly Statement[]) => Promise<readonly Row[][]>

interface WaitingRead {
  readonly statement: Statement
  readonly resolve: (rows: Row[]) => void
  readonly reject: (error: unknown) => void
}

/** On the way at a time. With more the groups are smaller; with one, each waits for the group before. */
const MAX_GROUPS = 2
/** A group that takes longer no longer holds up the reads that wait: its connection may be dead. */
const SLOW_GROUP_MS = 50
/** Statements of one group: the answer to the first waits for the last. */
const MAX_READS = 32

/**
 * A reader that shares round trips. A group that fails because of one of its statements is run again,
 * each for itself; where the database cannot be used, all of them fail.
 */
export function groupReads(run: RunReads): (statement: Statement) => Promise<Row[]> {
  let waiting: WaitingRead[] = []
  let groups = 0
  let isPlanned = false

  function plan(): void {
    if (isPlanned || groups >= MAX_GROUPS || waiting.length === 0) return
    isPlanned = true
    setImmediate(() => {
      isPlanned = false
      const group = waiting.slice(0, MAX_READS)
      waiting = waiting.slice(MAX_READS)
      takePlace(runGroup(group))
      plan()
    })
  }

  /** Until the answer comes, or the group is slow. */
  function takePlace(answered: Promise<void>): void {
    groups += 1
    let isIn = true
    const leave = () => {
      if (!isIn) return
      isIn = false
      groups -= 1
      plan()
    }
    const slow = setTimeout(leave, SLOW_GROUP_MS)
    void answered.then(() => {
      clearTimeout(slow)
      leave()
    })
  }

  async function runGroup(group: readonly WaitingRead[]): Promise<void> {
    try {
      const results = await run(group.map(({ statement }) => statement))
      for (const [i, { resolve }] of group.entries()) resolve(results[i] ?? [])
    } catch (error) {
      if (group.length === 1 || error instanceof DatabaseUnavailable) {
        for (const { reject } of group) reject(error)
      } else await Promise.all(group.map((read) => runGroup([read])))
    }
  }

  return (statement) =>
    new Promise((resolve, reject) => {
      waiting.push({ statement, resolve, reject })
      plan()
    })
}
