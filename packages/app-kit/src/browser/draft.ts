// What a person has typed and not yet finished, kept on the app's server: saved when typing pauses, before the
// launch ends and before the page goes away, and there again after the next launch. A text belongs to the
// chart beside which it was typed, and is shown beside no other. Keeps texts in memory only; the server decides
// whose they are. Contract §5 (expiring), §6, §11; spec §5.6.
import { type Page, thisPage } from './page.ts'
import type { AppSession } from './session.ts'

/** The part of the SDK that a draft uses: `ServiceSDK` of @chartside/sdk fits. */
export interface DraftSDK {
  on(name: 'expiring', listener: (event: Waiting) => void): () => void
  on(name: 'chart', listener: (event: DraftChart) => void): () => void
  /** The test is absent in SDKs of earlier versions. */
  supports?(name: string): boolean
  setUnsavedWork(hasUnsavedWork: boolean): void
}

interface Waiting {
  waitUntil(work: PromiseLike<unknown>): void
}

interface DraftChart extends Waiting {
  /** The opaque reference; null when no chart is open. */
  readonly ref: string | null
}

export interface DraftOptions {
  readonly session: Pick<AppSession, 'fetch' | 'request' | 'beforeEnd'>
  readonly sdk: DraftSDK
  /** One for each field: 1 to 40 of `a-z 0-9 -`. */
  readonly name: string
  /** Default `/api/drafts`: GET and PUT, answered by `createDrafts` of the server half. */
  readonly path?: string
  /** Runs when the text changes, is saved, or could not be saved. */
  readonly onState?: (state: DraftState) => void
}

/** The state of a draft. `failed`: the last attempt failed; the next one follows without a call. */
export type DraftState = 'saved' | 'unsaved' | 'failed'

export interface Draft {
  /** The kept text; empty when there is none. */
  load(): Promise<string>
  /** The text as it is now, at every change. Empty deletes the draft. */
  write(text: string): void
  /**
   * Gets the text of another chart as soon as that chart is beside the app: put it into the field in place of
   * the earlier one. Returns a function that stops listening.
   */
  onText(listener: (text: string) => void): () => void
  /** Saves at once what is not saved, of every chart; rejects when the server did not take it. */
  flush(): Promise<void>
  /** Saves what is not saved and stops listening. */
  stop(): void
}

const PAUSE_MS = 400
/** A person who is typing keeps the launch open until a pause of this length. */
const HELD_PAUSE_MS = 1_000
const RETRY_MS = 3_000
/** A browser refuses a larger body in a request that outlives its page (Fetch standard). */
const MAX_KEEPALIVE_LENGTH = 15_000

/** The text that was typed beside one chart; `chart` is '' where no chart is named. */
interface ChartText {
  readonly chart: string
  text: string
  writtenAt: number
  /** The `writtenAt` of the newest text that the server holds. */
  savedAt: number
}

/**
 * Creates a text that is saved on the app's server while a person types. It is there again after the next
 * launch and at the same chart. It subscribes to `chart`, so the host lets the app switch by itself: clear
 * whatever else the page shows of a patient in a listener of your own. The chart of a draft is known for one
 * EHR session: keep what must outlive it under a patient of your own. The server answers with `createDrafts`.
 * Spec §8; contract §5 (expiring), §11. Never throws itself: `load` rejects with AppKitError of
 * `session.request`, `flush` with that of `session.fetch` or an Error that names the status.
 * @example const draft = createDraft({ session, sdk, name: 'note' })
 */
export function createDraft(options: DraftOptions, page: Page = thisPage()): Draft {
  return new SavedDraft(options, page)
}

class SavedDraft implements Draft {
  readonly #options: DraftOptions
  readonly #path: string
  readonly #stopListening: () => void
  readonly #texts = new Map<string, ChartText>()
  readonly #listeners = new Set<(text: string) => void>()
  #shown: ChartText
  /** The one that `load` gave. */
  #loaded: ChartText | null = null
  /** The host has named the chart beside the app. */
  #isChartKnown = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: Promise<void> | undefined
  /** The function is set once the launch is about to end. */
  #waitUntil: ((work: PromiseLike<unknown>) => void) | undefined
  /** Ends the hold of the launch, while there is one. */
  #release: (() => void) | undefined
  /** The timer since the last key, while the launch is held. */
  #pause: ReturnType<typeof setTimeout> | undefined

  constructor(options: DraftOptions, page: Page) {
    const { sdk, session } = options
    this.#options = options
    this.#path = options.path ?? '/api/drafts'
    this.#shown = this.#findText('')
    const leave = () => {
      for (const text of this.#listUnsaved()) this.#send(text, true).catch(() => undefined)
    }
    const stops = [
      sdk.on('expiring', ({ waitUntil }) => {
        this.#waitUntil = waitUntil
        if (this.#isUnsaved) this.#hold()
      }),
      ...(sdk.supports?.('chart')
        ? [sdk.on('chart', ({ ref, waitUntil }) => waitUntil(this.#showChart(ref ?? '')))]
        : []),
      session.beforeEnd(() => this.flush()),
      listen(page, 'visibilitychange', leave),
      listen(page, 'pagehide', leave),
    ]
    this.#stopListening = () => {
      for (const stop of stops) stop()
    }
  }

  async load(): Promise<string> {
    // The host may name the chart while an earlier text is on its way.
    while (this.#loaded !== this.#shown) {
      const shown = this.#shown
      await this.#read(shown)
      this.#loaded = shown
    }
    return this.#shown.text
  }

  write(text: string): void {
    const shown = this.#shown
    if (text === shown.text) return
    const wasUnsaved = this.#isUnsaved
    shown.text = text
    // The server keeps the newer of two texts, in whatever order they arrive.
    shown.writtenAt = Math.max(shown.writtenAt + 1, Date.now())
    if (!wasUnsaved) this.#show('unsaved')
    if (this.#waitUntil) this.#hold()
    else this.#schedule(PAUSE_MS)
  }

  onText(listener: (text: string) => void): () => void {
    this.#listeners.add(listener)
    // A page that draws what it has loaded may miss the next chart.
    if (this.#loaded !== null && this.#loaded !== this.#shown) listener(this.#shown.text)
    return () => this.#listeners.delete(listener)
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    for (let [unsaved] = this.#listUnsaved(); unsaved; [unsaved] = this.#listUnsaved()) {
      this.#saving ??= this.#send(unsaved, false).finally(() => {
        this.#saving = undefined
      })
      await this.#saving
    }
  }

  stop(): void {
    this.#stopListening()
    this.flush().catch(() => undefined)
  }

  get #isUnsaved(): boolean {
    return this.#listUnsaved().length > 0
  }

  #listUnsaved(): ChartText[] {
    return [...this.#texts.values()].filter(({ savedAt, writtenAt }) => savedAt < writtenAt)
  }

  #findText(chart: string): ChartText {
    const known = this.#texts.get(chart)
    if (known) return known
    const fresh = { chart, text: '', writtenAt: 0, savedAt: 0 }
    this.#texts.set(chart, fresh)
    return fresh
  }

  /** The earlier text is out of sight before this returns; a rejection leaves the app covered. */
  async #showChart(chart: string): Promise<void> {
    const earlier = this.#shown
    const isFirst = !this.#isChartKnown
    this.#isChartKnown = true
    if (chart === earlier.chart) return
    const next = this.#findText(chart)
    // Typed before the host named the chart for which the app was opened.
    if (isFirst && earlier.writtenAt > earlier.savedAt) {
      Object.assign(next, { text: earlier.text, writtenAt: earlier.writtenAt })
      this.#texts.delete(earlier.chart)
    }
    this.#shown = next
    this.#passText(next)
    this.flush().catch(() => undefined)
    await this.#read(next)
    this.#passText(next)
  }

  #passText(text: ChartText): void {
    if (text === this.#shown) for (const listener of this.#listeners) listener(text.text)
  }

  async #read(into: ChartText): Promise<void> {
    const { session, name } = this.#options
    const query = new URLSearchParams(into.chart === '' ? { name } : { name, chart: into.chart })
    const { text } = await session.request<{ text: string }>('GET', `${this.#path}?${query}`)
    // What was typed meanwhile is newer.
    if (into.writtenAt === 0) into.text = text
  }

  /** Saves at once, and keeps the launch open until everything is saved and typing pauses. */
  #hold(): void {
    clearTimeout(this.#pause)
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      this.#releaseWhenIdle()
    }, HELD_PAUSE_MS)
    if (!this.#release) {
      this.#waitUntil?.(
        new Promise<void>((resolve) => {
          this.#release = resolve
        }),
      )
    }
    this.flush().catch(() => undefined)
  }

  #releaseWhenIdle(): void {
    if (this.#isUnsaved || this.#pause !== undefined) return
    this.#release?.()
    this.#release = undefined
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.flush().catch(() => undefined), ms)
  }

  async #send(unsaved: ChartText, isLeaving: boolean): Promise<void> {
    const { session, name } = this.#options
    const { chart, text, writtenAt } = unsaved
    const fields = { name, text, written_at: writtenAt }
    const body = JSON.stringify(chart === '' ? fields : { ...fields, chart })
    try {
      const response = await session.fetch(this.#path, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body,
        keepalive: isLeaving && body.length <= MAX_KEEPALIVE_LENGTH,
      })
      if (!response.ok) throw new Error(`The draft was not saved: ${response.status}.`)
    } catch (error) {
      this.#show('failed')
      this.#schedule(RETRY_MS)
      throw error
    }
    unsaved.savedAt = Math.max(unsaved.savedAt, writtenAt)
    if (!this.#isUnsaved) this.#show('saved')
    this.#releaseWhenIdle()
  }

  #show(state: DraftState): void {
    this.#options.sdk.setUnsavedWork(state !== 'saved')
    this.#options.onState?.(state)
  }
}

function listen(page: Page, type: string, listener: () => void): () => void {
  page.addEventListener?.(type, listener)
  return () => page.removeEventListener?.(type, listener)
}
