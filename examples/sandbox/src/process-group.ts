// The parts of one sandbox: starts the process that all need, stops everything in the reverse of
// need, and aborts the start when that process exits by itself. An app is a part that may exit
// (app-process.ts).

import { type Child, type ChildOptions, startChild } from './child.ts'
import { COMMAND } from './installation.ts'

interface Stoppable {
  stop(): Promise<void>
}

export class ProcessGroup {
  readonly #parts: Stoppable[] = []
  readonly #failure = new AbortController()
  readonly #onExit: (error: Error) => void
  #isUp = false

  /** `onExit`: a child exited by itself after `markUp`; everything has been stopped. */
  constructor(outer: AbortSignal | undefined, onExit: (error: Error) => void) {
    this.#onExit = onExit
    outer?.addEventListener('abort', () => this.#failure.abort(outer.reason))
  }

  /** The signal is aborted when a child exits by itself, or the caller gives up. */
  get signal(): AbortSignal {
    return this.#failure.signal
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** @throws the reason of `signal` */
  markUp(): void {
    this.signal.throwIfAborted()
    this.#isUp = true
  }

  add(part: Stoppable): void {
    this.#parts.push(part)
  }

  start(options: Omit<ChildOptions, 'onExit'>): Child {
    const child = startChild({ ...options, onExit: (error) => this.#fail(explainEnd(error)) })
    this.add(child)
    return child
  }

  async stop(): Promise<void> {
    this.#isUp = false
    const [first, ...others] = this.#parts.splice(0)
    // The first is the service, which the others need.
    await Promise.all(others.map((part) => part.stop()))
    await first?.stop()
  }

  #fail(error: Error): void {
    this.#failure.abort(error)
    if (this.#isUp) void this.stop().then(() => this.#onExit(error))
  }
}

const explainEnd = (cause: Error) =>
  new Error(
    `${cause.message}\n  The sandbox stopped too. Fix: correct what the lines above name and run ${COMMAND} again; for damaged data, ${COMMAND} -- --reset`,
    { cause },
  )
