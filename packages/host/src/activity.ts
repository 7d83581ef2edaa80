// Reports that the person is active: keys and pointer in the host's page, at most once a minute, and at
// once while a warning is shown. Only what a person does counts: no event of a script, and none while
// the page is hidden. Contract §3.
import type { Clock } from './clock.ts'

const INTERVAL_MS = 60_000
/** The pause after a report that failed. */
const RETRY_MS = 10_000
const EVENTS = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const

export class ActivityReporter {
  readonly #clock: Clock
  readonly #window: Window
  readonly #report: () => Promise<void>
  #reportedAt: number | null = null
  #pauseMs = INTERVAL_MS
  #isReporting = false
  #isUrgent = false

  constructor(window: Window, clock: Clock, report: () => Promise<void>) {
    this.#window = window
    this.#clock = clock
    this.#report = report
    for (const name of EVENTS) {
      window.addEventListener(name, this.#onActivity, { capture: true, passive: true })
    }
  }

  stop(): void {
    for (const name of EVENTS) {
      this.#window.removeEventListener(name, this.#onActivity, { capture: true })
    }
  }

  /** A warning is shown: the next activity is reported at once. */
  setUrgent(isUrgent: boolean): void {
    this.#isUrgent = isUrgent
  }

  /** A clock that was put back would take as long to come there again. */
  #hasPaused(): boolean {
    if (this.#reportedAt === null) return true
    const passedMs = this.#clock.now() - this.#reportedAt
    return passedMs < 0 || passedMs >= this.#pauseMs
  }

  readonly #onActivity = (event: Event): void => {
    const isDue = this.#isUrgent || this.#hasPaused()
    const isHidden = this.#window.document.visibilityState === 'hidden'
    if (!event.isTrusted || isHidden || !isDue || this.#isReporting) return
    this.#isReporting = true
    this.#reportedAt = this.#clock.now()
    this.#pauseMs = INTERVAL_MS
    this.#report()
      .catch(() => {
        this.#isUrgent = false
        this.#reportedAt = this.#clock.now()
        this.#pauseMs = RETRY_MS
      })
      .finally(() => {
        this.#isReporting = false
      })
  }
}
