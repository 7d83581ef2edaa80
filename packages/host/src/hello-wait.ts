// Waits for the hello of one launch: first a word that it is slow, then advice once the launch has
// made no step for long. An app that still compiles makes steps, and is not blamed. hello-timeout.ts
// has the advice. Contract §5.
import { HOST_STEPS, type LaunchStep } from '@chartside/protocol/launch'
import type { Clock } from './clock.ts'

const SLOW_MS = 2_000

export class HelloWait {
  readonly #clock: Clock
  readonly #timeoutMs: number
  readonly #listener: { onSlow(afterMs: number): void; onTimeout(): void }
  #cancelSlow = () => {}
  /** Null while there is nothing to wait for. */
  #cancelTimeout: (() => void) | null = null
  #stepCount = 0

  constructor(
    clock: Clock,
    timeoutMs: number,
    listener: { onSlow(afterMs: number): void; onTimeout(): void },
  ) {
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

  /** Steps that the host reported itself say nothing of the app. */
  onSteps(steps: readonly LaunchStep[]): void {
    const count = steps.filter(({ step }) => !HOST_STEPS.some((own) => own === step)).length
    if (!this.#cancelTimeout || count <= this.#stepCount) return
    this.#stepCount = count
    this.#restart()
  }

  stop(): void {
    this.#cancelSlow()
    this.#cancelTimeout?.()
    this.#cancelTimeout = null
  }

  #restart(): void {
    this.#cancelTimeout?.()
    this.#cancelTimeout = this.#clock.after(this.#timeoutMs, () => this.#listener.onTimeout())
  }
}
