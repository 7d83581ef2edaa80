// Visits one registered page for a pre-flight: resolves its host once, connects to exactly that address, and
// does the same anew for each redirect. A name without a public address and a name that does not
// exist look the same to the caller, in text and in time, so the answer shows no internal network.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { isLoopbackHost } from '@chartside/protocol/oauth'
import type { Clock } from '../kernel/randomness.ts'
import {
  type PageAnswer,
  PageRequestFailed,
  type RequestProblem,
  requestPage,
  type Sending,
} from './page-request.ts'
import { findPermittedAddresses, type Resolve } from './target-address.ts'

export const MAX_REDIRECTS = 3
export const DEADLINE_MS = 5000
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export type VisitProblem =
  | RequestProblem
  | 'no_public_address'
  | 'no_https'
  | 'port_not_asked'
  | 'redirect_refused'
  | 'too_many_redirects'

export interface Hop extends PageAnswer {
  readonly url: string
}

export interface Visit {
  /** The registered URL. */
  readonly url: string
  /** The answers, in order; the last one is the page unless there is a problem. */
  readonly hops: readonly Hop[]
  /** The fault that kept the next answer from coming, and the address that was asked. */
  readonly problem: { readonly code: VisitProblem; readonly at: string } | undefined
  /** The page leads to this service, as a launch does; the service does not call itself. */
  readonly endsAtService: boolean
  readonly milliseconds: number
}

export interface Network {
  readonly resolve: Resolve
  /** The value is true in development and the sandbox. */
  readonly allowsLoopback: boolean
  /** The value is true in development: elsewhere the service scans no ports of the Internet. */
  readonly allowsAnyPort: boolean
  readonly clock: Clock
  /** Origins of this service. */
  readonly ownOrigins: ReadonlySet<string>
  /**
   * A refused address is answered at a multiple of this time, so that the time does not tell a name
   * without any address from a name of an internal network.
   */
  readonly refusalGridMs: number
}

/** @param ports those of the registered URLs of the app. */
export async function visitPage(
  network: Network,
  registered: string,
  ports: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Visit> {
  const startedAt = network.clock()
  const hops: Hop[] = []
  const ended = (problem: Visit['problem'], endsAtService = false): Visit => {
    const milliseconds = Math.max(0, network.clock() - startedAt)
    return { url: registered, hops, problem, endsAtService, milliseconds }
  }
  let url = new URL(registered)
  for (;;) {
    const at = url.href
    const answer = await requestHop(network, url, signal, startedAt)
    if (typeof answer === 'string') return ended({ code: answer, at })
    hops.push({ ...answer, url: at })
    const next = locationOf(answer, url)
    if (next === undefined) return ended(undefined)
    if (next !== 'invalid' && network.ownOrigins.has(next.origin)) return ended(undefined, true)
    if (next === 'invalid' || !mayFollow(next, ports, network)) {
      return ended({ code: 'redirect_refused', at: next === 'invalid' ? at : next.href })
    }
    if (hops.length > MAX_REDIRECTS) return ended({ code: 'too_many_redirects', at: next.href })
    url = next
  }
}

/** The answer of an app's server to a logout token, or the problem when there is none. */
export interface LogoutProbe {
  readonly url: string
  readonly status: number | undefined
  readonly problem: VisitProblem | undefined
  readonly milliseconds: number
}

export async function probeLogout(
  network: Network,
  url: string,
  token: string,
  signal: AbortSignal,
): Promise<LogoutProbe> {
  const startedAt = network.clock()
  const form = new URLSearchParams({ logout_token: token })
  const sending = { userAgent: 'Chartside-Preflight/1.0', form }
  const answer = await requestHop(network, new URL(url), signal, startedAt, sending)
  const milliseconds = Math.max(0, network.clock() - startedAt)
  return typeof answer === 'string'
    ? { url, status: undefined, problem: answer, milliseconds }
    : { url, status: answer.status, problem: undefined, milliseconds }
}

/** Sends one request to a registered address, by the rules of a visit; a redirect is an answer like any other. */
export async function requestHop(
  network: Network,
  url: URL,
  signal: AbortSignal,
  startedAt: number,
  sending?: Sending,
): Promise<PageAnswer | VisitProblem> {
  const { allowsLoopback, allowsAnyPort, resolve } = network
  if (!isAskedPort(url, network)) return 'port_not_asked'
  const addresses = await findPermittedAddresses(url.hostname, allowsLoopback, resolve, signal)
  if (addresses.length === 0) {
    const { refusalGridMs, clock } = network
    const rest = refusalGridMs - ((clock() - startedAt) % (refusalGridMs || 1))
    if (refusalGridMs > 0) await sleep(rest, undefined, { signal }).catch(() => undefined)
    return 'no_public_address'
  }
  let problem: RequestProblem = 'connection_refused'
  for (const address of addresses) {
    try {
      return await requestPage(url, address, signal, sending)
    } catch (error) {
      if (!(error instanceof PageRequestFailed)) throw error
      ;({ problem } = error)
      // Only a connection that never was is tried at the next address.
      if (problem !== 'connection_refused') break
    }
  }
  // A certificate that browsers refuse is an answer over TLS.
  if (allowsAnyPort || url.port === '' || problem.startsWith('certificate_')) return problem
  // The end of the time for all: which ports are closed, silent or of other protocols shows in neither text nor time.
  if (!signal.aborted) await once(signal, 'abort')
  return 'no_https'
}

const isAskedPort = ({ port }: URL, { allowsAnyPort }: Network): boolean =>
  allowsAnyPort || port === '' || Number(port) > 1023

function locationOf({ status, headers }: PageAnswer, base: URL): URL | 'invalid' | undefined {
  if (!REDIRECTS.has(status)) return undefined
  const location = headers.find(([name]) => name === 'location')?.[1]
  if (location === undefined) return undefined
  return URL.canParse(location, base.href) ? new URL(location, base.href) : 'invalid'
}

/** Permits https anywhere and http on loopback in development, at the ports of the registration and the usual one. */
function mayFollow(url: URL, ports: ReadonlySet<string>, network: Network): boolean {
  const { allowsLoopback } = network
  if (url.username || url.password || !isAskedPort(url, network)) return false
  const isLocal = allowsLoopback && url.protocol === 'http:' && isLoopbackHost(url.hostname)
  if (url.protocol !== 'https:' && !isLocal) return false
  return url.port === '' || ports.has(url.port)
}
