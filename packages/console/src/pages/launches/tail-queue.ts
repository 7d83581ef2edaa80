// The launches that came and are not shown yet, oldest first. It merges them into the shown rows a few at
// a time, and forgets those that have left the list. Pure: rows in, rows out; it knows no time and no page.
import type { Launch } from '@chartside/protocol/payloads'
import { hasLeft, mergeLaunch, signatureOf } from './tail-rules.ts'

export interface PolledPage {
  readonly items: readonly Launch[]
  readonly nextCursor: string | null
}

export class TailQueue {
  readonly #waiting = new Map<string, Launch>()

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  clear(): void {
    this.#waiting.clear()
  }

  /**
   * Takes the answer of a poll and returns the rows to show. An answer that is complete since `from` also
   * says which launches have left the list; a row leaves only while the person does not read.
   */
  receive(
    rows: readonly Launch[],
    { items, nextCursor }: PolledPage,
    from: string | undefined,
    isReading: boolean,
  ): readonly Launch[] {
    let kept = rows
    if (nextCursor === null && from !== undefined) {
      const answer = { ids: new Set(items.map(({ id }) => id)), from }
      for (const launch of this.#waiting.values()) {
        if (hasLeft(launch, answer)) this.#waiting.delete(launch.id)
      }
      const isStale = rows.some((launch) => hasLeft(launch, answer))
      if (isStale && !isReading) kept = rows.filter((launch) => !hasLeft(launch, answer))
    }
    const shown = new Map(kept.map((launch) => [launch.id, signatureOf(launch)]))
    for (const launch of items.toReversed()) {
      if (shown.get(launch.id) !== signatureOf(launch)) this.#waiting.set(launch.id, launch)
    }
    return kept
  }

  /** The rows with the next `count` launches among them; these wait no longer. */
  merge(rows: readonly Launch[], count: number): readonly Launch[] {
    let next = rows
    for (const launch of [...this.#waiting.values()].slice(0, count)) {
      this.#waiting.delete(launch.id)
      next = mergeLaunch(next, launch)
    }
    return next
  }

  /** Counts those that wait and would be new rows. */
  countNew(rows: readonly Launch[]): number {
    const shown = new Set(rows.map(({ id }) => id))
    return [...this.#waiting.keys()].filter((id) => !shown.has(id)).length
  }
}
