// The wire between the sample apps and the token endpoint. It hands every exchange on unchanged,
// unless a fault is switched on; so faults need no code in the apps and none in the service.
// Owns the fault that is on. Never logs or keeps a body. Spec §4.2, §7.
import type { ExchangeFault } from './faults.ts'

export interface WireOptions {
  /** The real token endpoint. */
  readonly tokenUrl: string
  readonly fetch?: typeof fetch
  readonly slowMs?: number
}

export interface WireAnswer {
  readonly status: number
  readonly body: string
}

export class Wire {
  fault: ExchangeFault | null = null
  readonly #options: WireOptions

  constructor(options: WireOptions) {
    this.#options = options
  }

  async exchange(body: string): Promise<WireAnswer> {
    switch (this.fault) {
      case null:
        return this.#send(body)
      case 'code-used-twice':
        await this.#send(body)
        return this.#send(body)
      case 'wrong-secret':
        return this.#send(withWrongSecret(body))
      case 'service-down':
        return {
          status: 503,
          body: JSON.stringify({
            error: 'temporarily_unavailable',
            error_description: 'The sandbox plays a service that is down (fault: service-down).',
          }),
        }
      case 'slow-exchange':
        await new Promise((resolve) => setTimeout(resolve, this.#options.slowMs ?? 12_000))
        return this.#send(body)
    }
  }

  async #send(body: string): Promise<WireAnswer> {
    const response = await (this.#options.fetch ?? fetch)(this.#options.tokenUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      redirect: 'manual',
    })
    return { status: response.status, body: await response.text() }
  }
}

function withWrongSecret(body: string): string {
  const fields = JSON.parse(body) as Record<string, unknown>
  return JSON.stringify({ ...fields, client_secret: 'cs_wrong-on-purpose' })
}
