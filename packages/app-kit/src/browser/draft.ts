// What a person has typed and not yet finished, kept on the app's server: saved when typing pauses,
// before the launch ends and before the page goes away, and there again after the next launch. Keeps
// the text in memory only; the server decides whose it is. Contract §5 (expiring), §6; spec §5.6.
import { type Page, thisPage } from './page.ts'
import type { AppSession } from './session.ts'

/** The part of the SDK that a draft uses: `ServiceSDK` of @chartside/sdk fits. */
export interface DraftSDK {
  on(
    name: 'expiring',
    listener: (event: { waitUntil(work: PromiseLike<unknown>): void }) => void,
  ): () => void
  setUnsavedWork(hasUnsavedWork: boolean): void
}

export interface DraftOptions {
  readonly session: Pick<AppSession, 'fetch' | 'request' | 'beforeEnd'>
  readonly sdk: DraftSDK
  /** One for each field: 1 to 40 of `a-z 0-9 -`. */
  readonly name: string
  /** Default `/api/drafts`: GET and PUT, answered by `createDrafts` of the server half. */
  readonly path?: string
  /** After each change of what the server holds. */
  readonly onState?: (state: DraftState) => void
}

/** `failed`: the last attempt failed; the next one follows without a call. */
export type DraftState = 'saved' | 'unsaved' | 'failed'

export interface Draft {
  /** The kept text; empty when there is none. */
  load(): Promise<string>
  /** The text as it is now, at every change. Empty deletes the draft. */
  write(text: string): void
  /** Saves at once what is not saved; rejects when the server did not take it. */
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

/**
 * A text that is saved on the app's server while a person types, and is there again after the next
 * launch. The server answers with `createDrafts`. Spec §8; contract §5 (expiring). Never throws itself:
 * `load` and `flush` reject with AppKitError of `session.request`.
 * @example const draft = createDraft({ session, sdk, name: 'note' })
 */
export function createDraft(options: DraftOptions, page: Page = thisPage()): Draft {
  return new SavedDraft(options, page)
}

class SavedDraft implements Draft {
  readonly #options: DraftOptions
  readonly #path: string
  readonly #stopListening: () => void
  #text = ''
  #writtenAt = 0
  /** Of the newest text that the server holds. */
  #savedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: Promise<void> | undefined
  /** Set once the launch is about to end. */
  #waitUntil: ((work: PromiseLike<unknown>) => void) | undefined
  /** While the launch is held: ends that. */
  #release: (() => void) | undefined
  /** Since the last key, while the launch is held. */
  #pause: ReturnType<typeof setTimeout> | undefined

  constructor(options: DraftOptions, page: Page) {
    this.#options = options
    this.#path = options.path ?? '/api/drafts'
    const leave = () => {
      if (this.#isUnsaved) this.#send(true).catch(() => undefined)
    }
    const stops = [
      options.sdk.on('expiring', ({ waitUntil }) => {
        this.#waitUntil = waitUntil
        if (this.#isUnsaved) this.#hold()
      }),
      options.session.beforeEnd(() => this.flush()),
      listen(page, 'visibilitychange', leave),
      listen(page, 'pagehide', leave),
    ]
    this.#stopListening = () => {
      for (const stop of stops) stop()
    }
  }

  async load(): Promise<string> {
    const { session, name } = this.#options
    const query = new URLSearchParams({ name })
    const { text } = await session.request<{ text: string }>('GET', `${this.#path}?${query}`)
    // What was typed meanwhile is newer.
    if (this.#writtenAt === 0) this.#text = text
    return this.#text
  }

  write(text: string): void {
    if (text === this.#text) return
    const wasUnsaved = this.#isUnsaved
    this.#text = text
    // The server keeps the newer of two texts, in whatever order they arrive.
    this.#writtenAt = Math.max(this.#writtenAt + 1, Date.now())
    if (!wasUnsaved) this.#show('unsaved')
    if (this.#waitUntil) this.#hold()
    else this.#schedule(PAUSE_MS)
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    while (this.#isUnsaved) {
      this.#saving ??= this.#send(false).finally(() => {
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
    return this.#savedAt < this.#writtenAt
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

  async #send(isLeaving: boolean): Promise<void> {
    const { session, name } = this.#options
    const [text, writtenAt] = [this.#text, this.#writtenAt]
    const body = JSON.stringify({ name, text, written_at: writtenAt })
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
    this.#savedAt = Math.max(this.#savedAt, writtenAt)
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
