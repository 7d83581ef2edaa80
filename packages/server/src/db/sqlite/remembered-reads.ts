// Keeps the rows of reads that ask to be remembered, until a write may have changed them. A write that concerns one
// record makes the reads of that record stale; any other write to one of their tables makes all of them stale. So a
// write that says nothing of itself costs time, never a wrong answer. Asks no database.
import { lruMap } from '../../kernel/lru-map.ts'
import type { Row, SqlValue, Statement } from '../sql.ts'

interface Known {
  readonly rows: readonly Row[]
  /** The number of the last write before the read. */
  readonly readAt: number
  readonly records: readonly string[]
}

/** The number of reads that are kept, about 2 KB each; of more, those that were used most recently. */
const MAX_KNOWN = 4000
/** Records of rows that were kept; of more, everything is forgotten. */
const MAX_RECORDS = 12_000

/** The table that a statement changes. What is not of these forms may change any. */
const TARGET =
  /^\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|CREATE\s+TABLE\s+IF\s+NOT\s+EXISTS|DROP\s+TABLE\s+IF\s+EXISTS)\s+([a-z_]+)/

export class RememberedReads {
  readonly #known = lruMap<Known>(MAX_KNOWN)
  readonly #tables = new Set<string>()
  /** The records of kept rows: a write to any other record needs no note. */
  readonly #records = new Set<string>()
  readonly #targets = new Map<string, string | undefined>()
  readonly #changedAt = new Map<string, number>()
  #writes = 0

  find({ args, remembered }: Statement): readonly Row[] | undefined {
    if (!remembered) return undefined
    const known = this.#known.get(keyOf(remembered.name, args))
    if (!known) return undefined
    for (const record of known.records) {
      if ((this.#changedAt.get(record) ?? 0) > known.readAt) return undefined
    }
    return known.rows
  }

  /** Keeps the rows of a read. An empty result is not kept: the record may come to be in many ways. */
  keep({ args, remembered }: Statement, rows: readonly Row[]): void {
    if (!remembered || rows.length === 0) return
    for (const table of remembered.tables) this.#tables.add(table)
    const records = remembered.recordsOf(rows)
    if (this.#records.size + records.length > MAX_RECORDS) this.forgetAll()
    for (const record of records) this.#records.add(record)
    this.#known.set(keyOf(remembered.name, args), { rows, readAt: this.#writes, records })
  }

  /** Notes each statement of a write, whether or not its commit succeeds. */
  noteWrite({ sql, concerns, rowKey }: Statement): void {
    if (!this.#mayChange(sql)) return
    const record = concerns || rowKey
    if (!record) this.forgetAll()
    else if (this.#records.has(record)) this.#changedAt.set(record, ++this.#writes)
  }

  forgetAll(): void {
    this.#known.clear()
    this.#records.clear()
    this.#changedAt.clear()
  }

  #mayChange(text: string): boolean {
    let target = this.#targets.get(text)
    if (target === undefined && !this.#targets.has(text)) {
      target = TARGET.exec(text)?.[1]
      this.#targets.set(text, target)
    }
    return target === undefined || this.#tables.has(target)
  }
}

const keyOf = (name: string, args: readonly SqlValue[]) => `${name} ${args.join(' ')}`
