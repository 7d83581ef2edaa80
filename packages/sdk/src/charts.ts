// The charts that the host names: emits each to the listeners of the app, and answers once all of them show
// it. A rejection is no answer: the host then leaves the app covered. Contract §11; security V40.
import type { AppMessage, ChartMessage } from '@chartside/protocol/handshake'
import { type DrawnPage, waitForPaint } from './paint.ts'

export interface ChartEvent {
  /**
   * Stands for the chart beside the app, in this EHR session and for this app only: the same while the same
   * chart is open. Null when no chart is open. It names no patient.
   */
  readonly ref: string | null
  /** The reference of the chart before; null for the first. */
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
  send: (message: AppMessage) => void,
  page: DrawnPage,
  log: { warn(error: unknown): void },
) {
  let current: CurrentChart | undefined
  let running = Promise.resolve()

  async function emit({ seq, work, ...chart }: CurrentChart, some: Iterable<ChartListener>) {
    const event = { ...chart, waitUntil: (one: PromiseLike<unknown>) => void work.push(one) }
    for (const listener of some) {
      work.push(Promise.resolve().then(() => listeners.has(listener) && listener(event)))
    }
    // What began meanwhile counts, too.
    for (let done = 0; done < work.length; ) done = (await Promise.all(work)).length
    if (work.length === 0) return
    await waitForPaint(page)
    send({ type: 'chart_shown', seq })
  }

  return {
    /** One at a time, then the newest: what an app loads for one chart must not end after the next. */
    receive: ({ seq, ref }: ChartMessage) => {
      const next: CurrentChart = { seq, ref, previous: current?.ref ?? null, work: [] }
      current = next
      running = running
        .then(() => (next === current ? emit(next, listeners) : undefined))
        .catch(log.warn)
    },
    /** The chart of now, to a late listener. */
    show: (listener: ChartListener): void => {
      if (current) emit(current, [listener]).catch(log.warn)
    },
  }
}

interface CurrentChart extends Pick<ChartEvent, 'ref' | 'previous'> {
  readonly seq: number
  /** The results of its listeners, and what they passed to `waitUntil`. */
  readonly work: unknown[]
}
