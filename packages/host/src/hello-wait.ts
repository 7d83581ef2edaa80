// Waits for the hello of one launch: first a word that it is slow, then advice once the launch has
// made no step for long. An app that still compiles makes steps, and is not blamed. hello-timeout.ts
// has the advice. Contract §5.
import { HOST_STEPS, type LaunchStep } from '@chartside/protocol/launch'
import type { Clock } from './clock.ts'

export const SLOW_MS = 2_000

interface HelloListener {
  /** Runs once, counted from the start. */
  onSlow(afterMs: number): void
  /** The launch has made no step for a while. */
  onQuiet(): void
  onTimeout(): void
}

/** Steps that the host reported itself say nothing of the app. */
export const countAppSteps = (steps: readonly LaunchStep[]): number =>
  steps.filter(({ step }) => !HOST_STEPS.some((own) => own === step)).length

export class HelloWait {
  readonly #clock: Clock
  readonly #timeoutMs: number
  readonly #listener: HelloListener
  #cancelSlow = () => {}
  #cancelQuiet = () => {}
  /** The function is null while there is nothing to wait for. */
  #cancelTimeout: (() => void) | null = null
  #stepCount = 0

  constructor(clock: Clock, timeoutMs: number, listener: HelloListener) {
    this.#clock = clock
    this.#timeoutMs = timeoutMs
    this.#listener = listener
  }

  start(): void {
    this.stop()
    this.#stepCount = 0
    this.#cancelSlow = this.#clock.after(SLOW_MS, () => this.#listener.onSlow(SLOW_MS))
    this.#restart()
  }

  onSteps(steps: readonly LaunchStep[]): void {
    const count = countAppSteps(steps)
    if (!this.#cancelTimeout || count <= this.#stepCount) return
    this.#stepCount = count
    this.#restart()
  }

  stop(): void {
    this.#cancelSlow()
    this.#cancelQuiet()
    this.#cancelTimeout?.()
    this.#cancelTimeout = null
  }

  get isWaiting(): boolean {
    return this.#cancelTimeout !== null
  }

  #restart(): void {
    this.#cancelQuiet()
    this.#cancelQuiet = this.#clock.after(SLOW_MS, () => this.#listener.onQuiet())
    this.#cancelTimeout?.()
    this.#cancelTimeout = this.#clock.after(this.#timeoutMs, () => this.#listener.onTimeout())
  }
}
