// The hellos of one launch that the host has answered: their nonces, and how many came lately. Decides
// nothing; handshake.ts does. Security X02.
import type { Clock } from './clock.ts'

export class AnsweredHellos {
  readonly #clock: Clock
  readonly #nonces = new Set<string>()
  #answeredAt: readonly number[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The number of hellos that were answered in the last minute. */
  get recentCount(): number {
    const aMinuteAgo = this.#clock.now() - 60_000
    this.#answeredAt = this.#answeredAt.filter((at) => at > aMinuteAgo)
    return this.#answeredAt.length
  }

  has(nonce: string): boolean {
    return this.#nonces.has(nonce)
  }

  add(nonce: string): void {
    this.#nonces.add(nonce)
    this.#answeredAt = [...this.#answeredAt, this.#clock.now()]
  }
}
