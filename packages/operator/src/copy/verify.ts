// Compares the two endpoints of a copy: reads a table from both in key order and compares every row,
// field by field. Names a difference by table, key and column, never by a value, because hashes and
// sealed keys are secrets. Writes nothing.

import { createHash } from 'node:crypto'
import type { SqlValue } from '@chartside/server/operator/database'
import {
  type CopyEndpoint,
  CopyFailed,
  describeRow,
  MAX_ROWS_IN_BATCH,
  type RowValues,
  type Table,
} from './endpoint.ts'

export interface Verified {
  readonly rows: number
  /** The SHA-256 over all rows in key order: the same rows give the same digest on every engine. */
  readonly digest: string
}

const MAX_DIFFERENCES = 20

/** @throws CopyFailed that lists the first differences */
export async function verifyTable(
  table: Table,
  source: CopyEndpoint,
  target: CopyEndpoint,
  onBatch: (rows: number) => Promise<void> = async () => {},
): Promise<Verified> {
  const left = cursor(source, table)
  const right = cursor(target, table)
  const hash = createHash('sha256')
  const differences: string[] = []
  let rows = 0
  try {
    let [a, b] = await Promise.all([left.next(), right.next()])
    while ((a || b) && differences.length < MAX_DIFFERENCES) {
      const order = !a ? 1 : !b ? -1 : compareKeys(table, a, b)
      if (order < 0 && a) differences.push(`${describeRow(table, a)}: missing in the target`)
      if (order > 0 && b) differences.push(`${describeRow(table, b)}: only in the target`)
      if (order === 0 && a && b) differences.push(...differencesOf(table, a, b))
      if (order <= 0 && a) {
        hash.update(`${JSON.stringify(a)}\n`)
        rows += 1
        if (rows % MAX_ROWS_IN_BATCH === 0) await onBatch(rows)
        a = await left.next()
      }
      if (order >= 0) b = await right.next()
    }
  } finally {
    await Promise.all([left.end(), right.end()])
  }
  if (differences.length > 0) {
    const first = differences.slice(0, MAX_DIFFERENCES)
    throw new CopyFailed(`The copy differs from its source:\n  ${first.join('\n  ')}`)
  }
  return { rows, digest: hash.digest('hex') }
}

function differencesOf(table: Table, a: RowValues, b: RowValues): string[] {
  return table.columns
    .filter((_, at) => a[at] !== b[at])
    .map(({ name }) => `${describeRow(table, a)}: column ${name} differs`)
}

/** Compares as both engines sort: integers by value, text by its UTF-8 bytes. No part of a key is null. */
function compareKeys({ key }: Table, a: RowValues, b: RowValues): number {
  for (const at of key) {
    const order = compareValues(a[at] ?? null, b[at] ?? null)
    if (order !== 0) return order
  }
  return 0
}

function compareValues(a: SqlValue, b: SqlValue): number {
  if (a === b) return 0
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

/** The rows of a table one by one; undefined at the end. */
function cursor(endpoint: CopyEndpoint, table: Table) {
  const batches = endpoint.rows(table)[Symbol.asyncIterator]()
  let batch: readonly RowValues[] = []
  let at = 0
  return {
    async next(): Promise<RowValues | undefined> {
      if (at === batch.length) {
        const { value, done } = await batches.next()
        batch = done ? [] : value
        at = 0
      }
      return batch[at++]
    },
    end: async () => {
      await batches.return?.()
    },
  }
}
