// The part of a running node that visits pages: bounds how many pre-flights run at once, and gives each
// one deadline for all of its pages. Keeps nothing of what it reads.
import { ConcurrencyLimiter } from '../http/admission/concurrency-limiter.ts'
import { RequestRefused } from '../http/admission/request-refused.ts'
import {
  DEADLINE_MS,
  type LogoutProbe,
  type Network,
  probeLogout,
  type Visit,
  visitPage,
} from './page-visit.ts'

/** A pre-flight has up to six connections. */
const MAX_AT_ONCE = 4
const MAX_WAITING = 16
const MAX_WAIT_MS = 2000

export interface PageVisitor {
  /** @throws RequestRefused while many pre-flights run */
  visit(urls: readonly string[], ports: ReadonlySet<string>): Promise<Visit[]>
  /** Posts a logout token that nothing signed. @throws RequestRefused while many pre-flights run */
  probeLogout(url: string, forgedToken: string): Promise<LogoutProbe>
}

export interface HasPageVisitor {
  readonly pageVisitor: PageVisitor
}

export function pageVisitor(network: Network, deadlineMs: number = DEADLINE_MS): PageVisitor {
  const limiter = new ConcurrencyLimiter({
    maxRunning: MAX_AT_ONCE,
    maxQueued: MAX_WAITING,
    maxQueueMs: MAX_WAIT_MS,
    buildRefusal: () =>
      RequestRefused.forRate('Many apps are being checked. Try again in a moment.', DEADLINE_MS),
  })
  return {
    visit: (urls, ports) =>
      limiter.run(() => {
        const signal = AbortSignal.timeout(deadlineMs)
        return Promise.all(urls.map((url) => visitPage(network, url, ports, signal)))
      }),
    probeLogout: (url, token) =>
      limiter.run(() => probeLogout(network, url, token, AbortSignal.timeout(deadlineMs))),
  }
}
