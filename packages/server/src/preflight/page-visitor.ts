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

/** The person and the account for whom it runs, by id. */
export interface PreflightOwner {
  readonly person: string
  readonly account: string
}

/** The limit lets one developer with pages that never answer leave slots to others. [V35] */
const MAX_OF_PERSON = 1
const MAX_OF_ACCOUNT = 2

export interface PageVisitor {
  /** @throws RequestRefused while many pre-flights run, or enough of this owner */
  visit(
    urls: readonly string[],
    ports: ReadonlySet<string>,
    owner: PreflightOwner,
  ): Promise<Visit[]>
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
  const running = new Set<PreflightOwner>()
  const countOf = (kind: keyof PreflightOwner, owner: PreflightOwner) =>
    [...running].filter((other) => other[kind] === owner[kind]).length
  return {
    async visit(urls, ports, owner) {
      const isOver =
        countOf('person', owner) >= MAX_OF_PERSON || countOf('account', owner) >= MAX_OF_ACCOUNT
      if (isOver) {
        const message = 'A check of yours or of your account still runs. Wait until it has ended.'
        throw RequestRefused.forRate(message, DEADLINE_MS)
      }
      running.add(owner)
      try {
        return await limiter.run(() => {
          const signal = AbortSignal.timeout(deadlineMs)
          return Promise.all(urls.map((url) => visitPage(network, url, ports, signal)))
        })
      } finally {
        running.delete(owner)
      }
    },
    probeLogout: (url, token) =>
      limiter.run(() => probeLogout(network, url, token, AbortSignal.timeout(deadlineMs))),
  }
}
