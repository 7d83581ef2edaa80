// The charts that the host names: emits each to the listeners of the app, and answers once all of them show
// it. A rejection is no answer: the host then leaves the app covered. Contract §11; security V40.
import type { ChartMessage } from '@chartside/protocol/handshake'
import type { Log } from './page.ts'

export interface ChartEvent {
  /**
   * Stands for the chart beside the app, in this EHR session and for this app only: the same while the same
   * chart is open. Null when no chart is open. It names no patient.
   */
  readonly ref: string | null
  /** Of the chart before; null for the first. */
  readonly previous: string | null
  /**
   * Keeps the app covered until the promise is fulfilled, at most ten seconds; then the person decides. Pass
   * what loads this chart. A rejection leaves the app covered.
   */
  waitUntil(work: PromiseLike<unknown>): void
}

type ChartListener = (event: ChartEvent) => unknown

export function createCharts(
  listeners: ReadonlySet<ChartListener>,
  answer: (seq: number) => void,
  log: Log,
) {
  let current: CurrentChart | undefined

  async function emit({ seq, work, ...chart }: CurrentChart, some: Iterable<ChartListener>) {
    const event = { ...chart, waitUntil: (one: PromiseLike<unknown>) => void work.push(one) }
    for (const listener of some) {
      work.push(Promise.resolve().then(() => listeners.has(listener) && listener(event)))
    }
    // What began meanwhile counts, too.
    for (let done = 0; done < work.length; ) done = (await Promise.all(work)).length
    if (work.length > 0) answer(seq)
  }
  const show = (some: Iterable<ChartListener>): void => {
    if (current) emit(current, some).catch((error) => log.warn(`Chart not shown: ${error}`))
  }

  return {
    receive: ({ seq, ref }: ChartMessage) => {
      current = { seq, ref, previous: current?.ref ?? null, work: [] }
      show(listeners)
    },
    /** The chart of now, to late listeners. */
    show,
  }
}

interface CurrentChart extends Pick<ChartEvent, 'ref' | 'previous'> {
  readonly seq: number
  /** What its listeners have returned, and what they passed to `waitUntil`. */
  readonly work: unknown[]
}
