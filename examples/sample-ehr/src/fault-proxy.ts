// A proxy between the sample apps and the token endpoint. It forwards every exchange unchanged,
// unless a fault is on in the EHR session of its launch; so faults need no code in the apps or in
// the service. Owns the faults that are on. Never logs or stores a body. Spec §4.2, §7.
import type { ExchangeFault } from './faults.ts'

export interface FaultProxyOptions {
  /** The real token endpoint. */
  readonly tokenUrl: string
  /** The EHR session of a launch, by `Launch.id`. */
  findSession(launch: string): Promise<string | null>
  readonly fetch?: typeof fetch
  readonly slowMs?: number
}

/** An exchange of an app: JSON (spec §4.2), or a form, as identity providers send (§5.3). */
export interface ExchangeRequest {
  readonly contentType: string
  /** The Authorization header; undefined when the secret is in the body. */
  readonly authorization: string | undefined
  readonly body: string
}

export interface ExchangeReply {
  readonly status: number
  readonly body: string
}

export class FaultProxy {
  readonly #faults = new Map<string, ExchangeFault>()
  readonly #options: FaultProxyOptions

  constructor(options: FaultProxyOptions) {
    this.#options = options
  }

  /** Returns what was on in that session before. */
  switch(session: string, fault: ExchangeFault | null): ExchangeFault | null {
    const previous = this.#faults.get(session) ?? null
    if (fault) this.#faults.set(session, fault)
    else this.#faults.delete(session)
    return previous
  }

  async exchange(request: ExchangeRequest): Promise<ExchangeReply> {
    switch (await this.#findFault(request)) {
      case null:
        return this.#send(request)
      case 'code-used-twice':
        await this.#send(request)
        return this.#send(request)
      case 'wrong-secret':
        return this.#send(withWrongSecret(request))
      case 'service-down':
        return {
          status: 503,
          body: JSON.stringify({
            error: 'temporarily_unavailable',
            error_description:
              'The sandbox simulates a service that is down (fault: service-down).',
          }),
        }
      case 'slow-exchange':
        await new Promise((resolve) => setTimeout(resolve, this.#options.slowMs ?? 12_000))
        return this.#send(request)
    }
  }

  async #findFault(request: ExchangeRequest): Promise<ExchangeFault | null> {
    const launch = this.#faults.size > 0 ? readLaunch(request) : null
    const session = launch && (await this.#options.findSession(launch))
    return (session && this.#faults.get(session)) || null
  }

  async #send({ contentType, authorization, body }: ExchangeRequest): Promise<ExchangeReply> {
    const response = await (this.#options.fetch ?? fetch)(this.#options.tokenUrl, {
      method: 'POST',
      headers: {
        'content-type': contentType,
        accept: 'application/json',
        ...(authorization === undefined ? {} : { authorization }),
      },
      body,
      redirect: 'manual',
    })
    return { status: response.status, body: await response.text() }
  }
}

/** A code carries the identifier of its launch (docs/inside/decisions/0004). */
function readLaunch({ contentType, body }: ExchangeRequest): string | null {
  const code = contentType.startsWith('application/json')
    ? (JSON.parse(body) as { code?: unknown }).code
    : new URLSearchParams(body).get('code')
  const [, id] = /^code_([0-9a-z]{22})/.exec(String(code)) ?? []
  return id ? `lau_${id}` : null
}

const WRONG_SECRET = `cs_${'0'.repeat(22)}${'A'.repeat(43)}`

function withWrongSecret(request: ExchangeRequest): ExchangeRequest {
  if (request.contentType.startsWith('application/json')) {
    const fields = JSON.parse(request.body) as Record<string, unknown>
    return { ...request, body: JSON.stringify({ ...fields, client_secret: WRONG_SECRET }) }
  }
  const form = new URLSearchParams(request.body)
  if (request.authorization === undefined) form.set('client_secret', WRONG_SECRET)
  return {
    ...request,
    body: form.toString(),
    authorization: request.authorization && withWrongPassword(request.authorization),
  }
}

/** Replaces the password of HTTP Basic. RFC 7617. */
function withWrongPassword(authorization: string): string {
  const [client] = Buffer.from(authorization.replace(/^Basic /i, ''), 'base64')
    .toString()
    .split(':')
  return `Basic ${Buffer.from(`${client}:${WRONG_SECRET}`).toString('base64')}`
}
