// The process of one app: starts it, starts it again when a file of it has changed, and says in
// which state it is. An app that exits is marked and takes nothing with it. Contract §7.
import { join } from 'node:path'
import { type Child, ChildExit, type Program, startChild } from './child.ts'
import { type FolderWatch, watchFolder } from './folder-watch.ts'
import { COMMAND } from './installation.ts'
import { waitForPort } from './port-wait.ts'

export type AppState = 'starting' | 'running' | 'stopped'

export interface AppChange {
  readonly state: AppState
  /** Why it stopped, in one line; empty otherwise. */
  readonly problem: string
  /** It runs again after a change or a stop: what is open is of the version before. */
  readonly isNew: boolean
}

export interface AppProcessOptions {
  readonly name: string
  readonly directory: string
  readonly port: number
  readonly env: Readonly<Record<string, string>>
  /** Folders below `directory`; empty: a change restarts nothing. */
  readonly watch: readonly string[]
  /** The folders whose changes restart nothing: the app brings them into its open page. */
  readonly hotReload: readonly string[]
  prepare(signal: AbortSignal): Promise<Program>
  onLine(line: string): void
  /** Says something about the app, as the sandbox. */
  say(level: 'info' | 'error', text: string, details?: readonly string[]): void
  onChange(change: AppChange): void
}

/** An app that keeps connections open must not delay its next version. */
const RESTART_PATIENCE_MS = 300
/** An app that writes into its own folder would restart for ever. */
const MAX_RESTARTS = 8
const RESTART_WINDOW_MS = 10_000

export class AppProcess {
  readonly #options: AppProcessOptions
  readonly #ending = new AbortController()
  #child: Child | null = null
  #watches: readonly FolderWatch[] = []
  /** The controller of the start that runs or ran last; a later start aborts it. */
  #attempt = new AbortController()
  #queue: Promise<void> = Promise.resolve()
  #hasBegun = false
  #restarts: number[] = []

  constructor(options: AppProcessOptions) {
    this.#options = options
  }

  /** Resolves when the app answers, or has failed to start. */
  async start(): Promise<void> {
    const { directory, watch, hotReload } = this.#options
    const start = this.#enqueue()
    const without = hotReload.map((folder) => join(directory, folder))
    const restart = (files: readonly string[]) => this.#restart(files)
    this.#watches = await Promise.all(
      watch.map((folder) => watchFolder(join(directory, folder), restart, without)),
    )
    await start
  }

  async stop(): Promise<void> {
    this.#ending.abort(new Error('The sandbox stops.'))
    this.#attempt.abort(this.#ending.signal.reason)
    for (const watch of this.#watches) watch.close()
    await this.#queue
    await this.#child?.stop()
  }

  #restart(files: readonly string[]): void {
    const { say } = this.#options
    const now = Date.now()
    this.#restarts = [...this.#restarts.filter((at) => now - at < RESTART_WINDOW_MS), now]
    if (this.#restarts.length > MAX_RESTARTS) {
      for (const watch of this.#watches) watch.close()
      const rate = `${MAX_RESTARTS} times in ${RESTART_WINDOW_MS / 1000} s`
      say('error', `is not watched any more: it restarted ${rate}`, [
        `cause: ${files.join(', ')} changed each time`,
        'fix: name the folders of its code in "watch" of chartside.app.json',
      ])
      return
    }
    say('info', `starts again, because ${files.slice(0, 3).join(', ')} changed`)
    void this.#enqueue()
  }

  /** One start at a time; the newest wins. */
  #enqueue(): Promise<void> {
    this.#attempt.abort(new Error('A newer start replaced this one.'))
    const attempt = new AbortController()
    this.#attempt = attempt
    this.#queue = this.#queue.then(() => this.#run(attempt))
    return this.#queue
  }

  async #run(attempt: AbortController): Promise<void> {
    const { signal } = attempt
    if (signal.aborted || this.#ending.signal.aborted) return
    const { name, port, prepare, onChange, say } = this.#options
    onChange({ state: 'starting', problem: '', isNew: false })
    try {
      await this.#child?.stop(RESTART_PATIENCE_MS)
      this.#child = null
      const program = await prepare(signal)
      signal.throwIfAborted()
      let isUp = false
      this.#spawn(program, (error) => (isUp ? this.#markStopped(error) : attempt.abort(error)))
      await waitForPort(name, port, signal)
      isUp = true
      if (this.#hasBegun) say('info', 'runs again')
      onChange({ state: 'running', problem: '', isNew: this.#hasBegun })
      this.#hasBegun = true
    } catch (error) {
      if (!this.#ending.signal.aborted && this.#attempt === attempt) this.#markStopped(error)
    }
  }

  #spawn(program: Program, onExit: (error: ChildExit) => void): void {
    const { name, directory, env, onLine } = this.#options
    const child = startChild({
      name,
      program,
      directory,
      env,
      onLine,
      onExit: (error) => {
        if (this.#child !== child) return
        this.#child = null
        onExit(error)
      },
    })
    this.#child = child
  }

  #markStopped(error: unknown): void {
    const { onChange, say, watch } = this.#options
    const message = error instanceof Error ? error.message : String(error)
    const [problem, lines] =
      error instanceof ChildExit ? [error.summary, error.lastLines] : [message, []]
    const next =
      watch.length > 0
        ? 'save a file of it, and it starts again'
        : `fix it and run ${COMMAND} again`
    this.#hasBegun = true
    say('error', `stopped: ${problem}`, [...lines, `fix: ${next}. The other apps go on.`])
    onChange({ state: 'stopped', problem, isNew: false })
  }
}
