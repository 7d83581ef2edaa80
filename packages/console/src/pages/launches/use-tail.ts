// The newest launches as they come: asks once a second, and puts a few rows in some frames, so that fifty
// launches a second neither jump nor block the page. While the person reads, what comes waits.
import type { Launch } from '@chartside/protocol/payloads'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Page } from '../../api/client.ts'
import { isAborted, type Problem, problemOf } from '../../api/problem.ts'
import { hasLeft, mergeLaunch, pollFrom, signatureOf } from './tail-rules.ts'

const POLL_MS = 1000
const ROWS_PER_STEP = 16
/** Between two steps: each compares all rows and paints those in sight. */
const STEP_FRAMES = 16
const FIRST_PAGE = 50
/** Of one poll; a busier installation shows the newest. */
const POLL_LIMIT = 100

export interface Tail {
  readonly rows: Signal<readonly Launch[]>
  /** How many wait because the person reads. */
  readonly waiting: Signal<number>
  /** Whether the rows are those of this list; until then they are those of the one before. */
  readonly isLoaded: boolean
  readonly problem: Signal<Problem | undefined>
  readonly hasMore: Signal<boolean>
  readonly showWaiting: () => void
  readonly loadMore: () => void
}

export type LoadLaunches = (
  query: { readonly limit: number; readonly from?: string; readonly cursor?: string },
  options: { readonly signal: AbortSignal; readonly isBackground: boolean },
) => Promise<Page<Launch>>

/** `key` says which list it is; `isReading` whether the person reads in it now. */
export function useTail(load: LoadLaunches, key: string, isReading: () => boolean): Tail {
  const rows = useSignal<readonly Launch[]>([])
  const waiting = useSignal(0)
  const loadedKey = useSignal<string | undefined>(undefined)
  const problem = useSignal<Problem | undefined>(undefined)
  const cursor = useSignal<string | null>(null)
  const hasMore = useSignal(false)
  const latest = useRef({ load, isReading })
  latest.current = { load, isReading }
  /** What came and is not shown yet, oldest first. */
  const queue = useRef(new Map<string, Launch>())
  const frame = useRef(0)
  /** Ended with its list, so that no late answer gets into another one. */
  const calls = useRef(new AbortController())

  const drain = (count = ROWS_PER_STEP) => {
    let next = rows.peek()
    for (const launch of [...queue.current.values()].slice(0, count)) {
      queue.current.delete(launch.id)
      next = mergeLaunch(next, launch)
    }
    rows.value = next
    waiting.value = 0
  }
  const skipped = useRef(0)
  const step = () => {
    frame.current = 0
    skipped.current += 1
    if (skipped.current < STEP_FRAMES) {
      frame.current = requestAnimationFrame(step)
      return
    }
    skipped.current = 0
    if (latest.current.isReading()) {
      const shown = new Set(rows.peek().map(({ id }) => id))
      waiting.value = [...queue.current.keys()].filter((id) => !shown.has(id)).length
      return
    }
    drain()
    if (queue.current.size > 0) frame.current = requestAnimationFrame(step)
  }
  const receive = ({ items, nextCursor }: Page<Launch>, from: string | undefined) => {
    if (nextCursor === null && from !== undefined) {
      const asked = { ids: new Set(items.map(({ id }) => id)), from }
      for (const launch of queue.current.values()) {
        if (hasLeft(launch, asked)) queue.current.delete(launch.id)
      }
      const isStale = rows.peek().some((launch) => hasLeft(launch, asked))
      if (isStale && !latest.current.isReading()) {
        rows.value = rows.peek().filter((launch) => !hasLeft(launch, asked))
      }
    }
    const shown = new Map(rows.peek().map((launch) => [launch.id, signatureOf(launch)]))
    for (const launch of items.toReversed()) {
      if (shown.get(launch.id) !== signatureOf(launch)) queue.current.set(launch.id, launch)
    }
    if (queue.current.size > 0 && frame.current === 0) frame.current = requestAnimationFrame(step)
  }

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    calls.current = controller
    queue.current.clear()
    rows.value = []
    waiting.value = 0
    hasMore.value = false
    problem.value = undefined
    loadedKey.value = undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const poll = async () => {
      try {
        const isFirst = loadedKey.peek() === undefined
        if (isFirst) {
          const page = await latest.current.load(
            { limit: FIRST_PAGE },
            { signal, isBackground: false },
          )
          if (signal.aborted) return
          rows.value = page.items
          cursor.value = page.nextCursor
          hasMore.value = page.nextCursor !== null
          loadedKey.value = key
        } else if (!document.hidden) {
          const from = pollFrom(rows.peek(), Date.now())
          const query = { limit: POLL_LIMIT, ...(from === undefined ? {} : { from }) }
          const page = await latest.current.load(query, { signal, isBackground: true })
          if (signal.aborted) return
          receive(page, from)
        }
        problem.value = undefined
      } catch (error) {
        if (signal.aborted || isAborted(error)) return
        problem.value = problemOf(error)
      }
      if (!signal.aborted) timer = setTimeout(poll, POLL_MS)
    }
    void poll()
    return () => {
      controller.abort()
      clearTimeout(timer)
      cancelAnimationFrame(frame.current)
      frame.current = 0
    }
  }, [key])

  return {
    rows,
    waiting,
    isLoaded: loadedKey.value === key,
    problem,
    hasMore,
    showWaiting: () => drain(Number.POSITIVE_INFINITY),
    loadMore: () => {
      const before = cursor.peek()
      if (before === null) return
      cursor.value = null
      const { signal } = calls.current
      latest.current
        .load({ limit: FIRST_PAGE, cursor: before }, { signal, isBackground: false })
        .then(
          (page) => {
            if (signal.aborted) return
            const known = new Set(rows.peek().map(({ id }) => id))
            rows.value = [...rows.peek(), ...page.items.filter(({ id }) => !known.has(id))]
            cursor.value = page.nextCursor
            hasMore.value = page.nextCursor !== null
          },
          (error: unknown) => {
            if (signal.aborted || isAborted(error)) return
            cursor.value = before
            problem.value = problemOf(error)
          },
        )
    },
  }
}
