// The newest launches as they come: asks once a second, and puts a few rows in some frames, so that fifty
// launches a second neither jump nor block the page. While the person reads, what comes waits. It draws
// nothing; use-tail.ts connects it to a page.
import type { Launch } from '@chartside/protocol/payloads'
import { signal } from '@preact/signals'
import type { Page } from '../../api/client.ts'
import { isAborted, type Problem, problemOf } from '../../api/problem.ts'
import { TailQueue } from './tail-queue.ts'
import { pollFrom } from './tail-rules.ts'

const POLL_MS = 1000
const ROWS_PER_STEP = 16
/** The frames between two steps: each step compares all rows and paints those in sight. */
const STEP_FRAMES = 16
const FIRST_PAGE = 50
/** The limit of one poll; a busier installation shows the newest. */
const POLL_LIMIT = 100

export type LoadLaunches = (
  query: { readonly limit: number; readonly from?: string; readonly cursor?: string },
  options: { readonly signal: AbortSignal; readonly isBackground: boolean },
) => Promise<Page<Launch>>

/** The functions that the page passes at each drawing. */
export interface TailPage {
  readonly load: LoadLaunches
  /** Whether the person reads in the list now. */
  readonly isReading: () => boolean
  /** Whether the list is of a time that has passed: it is read once. */
  readonly isOver: () => boolean
}

export class LaunchTail {
  readonly rows = signal<readonly Launch[]>([])
  /** The number of launches that wait because the person reads. */
  readonly waiting = signal(0)
  /** The list that the rows belong to. */
  readonly loadedKey = signal<string | undefined>(undefined)
  readonly problem = signal<Problem | undefined>(undefined)
  readonly hasMore = signal(false)
  /** The list is empty because the role of the person hides launches of others. */
  readonly isHidden = signal(false)
  page: TailPage
  readonly #queue = new TailQueue()
  #cursor: string | null = null
  #frame = 0
  #skippedFrames = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The calls are aborted with their list, so that no late answer gets into another one. */
  #calls = new AbortController()

  constructor(page: TailPage) {
    this.page = page
  }

  /** Follows the list of this key until the returned function is called. */
  follow(key: string): () => void {
    const calls = new AbortController()
    this.#calls = calls
    this.#queue.clear()
    this.rows.value = []
    this.waiting.value = 0
    this.hasMore.value = false
    this.problem.value = undefined
    this.loadedKey.value = undefined
    void this.#poll(key, calls.signal)
    return () => {
      calls.abort()
      clearTimeout(this.#timer)
      cancelAnimationFrame(this.#frame)
      this.#frame = 0
    }
  }

  showWaiting(): void {
    this.#merge(Number.POSITIVE_INFINITY)
  }

  async loadMore(): Promise<void> {
    const cursor = this.#cursor
    if (cursor === null) return
    this.#cursor = null
    const { signal: ended } = this.#calls
    try {
      const query = { limit: FIRST_PAGE, cursor }
      const page = await this.page.load(query, { signal: ended, isBackground: false })
      if (ended.aborted) return
      const rows = this.rows.peek()
      const known = new Set(rows.map(({ id }) => id))
      this.rows.value = [...rows, ...page.items.filter(({ id }) => !known.has(id))]
      this.#keepCursor(page)
    } catch (error) {
      if (ended.aborted || isAborted(error)) return
      this.#cursor = cursor
      this.problem.value = problemOf(error)
    }
  }

  async #poll(key: string, ended: AbortSignal): Promise<void> {
    try {
      if (this.loadedKey.peek() === undefined) await this.#loadFirst(key, ended)
      else if (!document.hidden) await this.#loadNewest(ended)
      if (ended.aborted) return
      this.problem.value = undefined
    } catch (error) {
      if (ended.aborted || isAborted(error)) return
      this.problem.value = problemOf(error)
    }
    if (this.loadedKey.peek() === key && this.page.isOver()) return
    this.#timer = setTimeout(() => void this.#poll(key, ended), POLL_MS)
  }

  async #loadFirst(key: string, ended: AbortSignal): Promise<void> {
    const page = await this.page.load({ limit: FIRST_PAGE }, { signal: ended, isBackground: false })
    if (ended.aborted) return
    this.rows.value = page.items
    this.isHidden.value = page.hidden === true
    this.#keepCursor(page)
    this.loadedKey.value = key
  }

  async #loadNewest(ended: AbortSignal): Promise<void> {
    const from = pollFrom(this.rows.peek(), Date.now())
    const query = { limit: POLL_LIMIT, ...(from === undefined ? {} : { from }) }
    const page = await this.page.load(query, { signal: ended, isBackground: true })
    if (ended.aborted) return
    this.rows.value = this.#queue.receive(this.rows.peek(), page, from, this.page.isReading())
    this.#askForFrame()
  }

  #keepCursor({ nextCursor }: Page<Launch>): void {
    this.#cursor = nextCursor
    this.hasMore.value = nextCursor !== null
  }

  #askForFrame(): void {
    if (this.#queue.isEmpty || this.#frame !== 0) return
    this.#frame = requestAnimationFrame(() => this.#step())
  }

  #step(): void {
    this.#frame = 0
    this.#skippedFrames += 1
    if (this.#skippedFrames < STEP_FRAMES) {
      this.#askForFrame()
      return
    }
    this.#skippedFrames = 0
    if (this.page.isReading()) {
      this.waiting.value = this.#queue.countNew(this.rows.peek())
      return
    }
    this.#merge(ROWS_PER_STEP)
    this.#askForFrame()
  }

  #merge(count: number): void {
    this.rows.value = this.#queue.merge(this.rows.peek(), count)
    this.waiting.value = 0
  }
}
