// The requests to a provider whose address an account administrator has typed: by the rules of a pre-flight, so
// that none reaches an internal network. One resolution of the name, no redirect, a bound on every answer.
// openid-client takes it in place of fetch. Contract §13, security A18.
import type { CustomFetch } from 'openid-client'
import { type Network, requestHop, type VisitProblem } from '../preflight/page-visit.ts'

export interface HasProviderFetch {
  readonly providerFetch: CustomFetch
}

/** The provider did not answer, or may not be asked. */
export class ProviderUnreachable extends Error {
  readonly problem: VisitProblem

  constructor(problem: VisitProblem) {
    super(problem)
    this.name = 'ProviderUnreachable'
    this.problem = problem
  }
}

/** The library says for each request how long it may take; this is for one that it forgets. */
const MAX_MS = 10_000
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

/** @throws ProviderUnreachable */
export const providerFetch =
  (network: Network): CustomFetch =>
  async (url, { body, headers, method, signal }) => {
    if (method !== 'GET' && !(body instanceof URLSearchParams)) throw new TypeError('no form')
    const sending = {
      userAgent: 'Chartside-SignIn/1.0',
      headers: lowerCased(headers),
      ...(body instanceof URLSearchParams ? { form: body } : {}),
    }
    const deadline = signal ?? AbortSignal.timeout(MAX_MS)
    const answer = await requestHop(network, new URL(url), deadline, network.clock(), sending)
    if (typeof answer === 'string') throw new ProviderUnreachable(answer)
    const { status } = answer
    if (status < 200 || status > 599) throw new ProviderUnreachable('not_http')
    // Read as latin1, so that each character is one byte.
    const bytes = WITHOUT_BODY.has(status) ? null : Buffer.from(answer.body, 'latin1')
    return new Response(bytes, { status, headers: answer.headers.map(([...pair]) => pair) })
  }

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
