// What the service found on the page of a silent launch, asked for by the frame. A finding is an answer to what
// the launch had done until then: after the next step it says nothing. Decision 70.
import type { Diagnosis } from '@chartside/protocol/payloads'
import type { ServiceClient } from './service.ts'

export class PageCheck {
  readonly #service: Pick<ServiceClient, 'diagnose'>
  readonly #hostOrigin: string
  #steps = 0
  #isFine = false
  #isAsking = false

  constructor(service: Pick<ServiceClient, 'diagnose'>, hostOrigin: string) {
    this.#service = service
    this.#hostOrigin = hostOrigin
  }

  /** The page was visited since the last step, and nothing on it is wrong. */
  get isFine(): boolean {
    return this.#isFine
  }

  /** The service visits the page since the last step, and has not answered. */
  get isAsking(): boolean {
    return this.#isAsking
  }

  /** Takes the count of steps: after each step of the app, and 0 for a new launch. */
  onSteps(count: number): void {
    if (count === this.#steps) return
    this.#steps = count
    this.#isFine = false
    this.#isAsking = false
  }

  /** Returns what keeps the page from going on; undefined when nothing does, or that is not known. Never rejects. */
  async ask(launch: string): Promise<Diagnosis['finding']> {
    const steps = this.#steps
    this.#isAsking = true
    const answer = await this.#service.diagnose(launch, this.#hostOrigin).catch(() => undefined)
    if (this.#steps !== steps) return undefined
    this.#isAsking = false
    this.#isFine = answer?.checked === true && answer.finding === undefined
    return answer?.finding
  }
}
