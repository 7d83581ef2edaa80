// The queue of callers who are over a rate limit: a small one apart, so that however many
// requests they send, those of all others find their slots free. A request that cannot be served
// anyway is refused before it takes any slot. Security V05.

import type { FastifyRequest } from 'fastify'
import { ConcurrencyLimiter } from '../../http/admission/concurrency-limiter.ts'
import type { LimitKind } from '../../http/admission/rate-limit-rules.ts'
import type { HasRateLimits } from '../../http/admission/rate-limits.ts'
import { RequestRefused } from '../../http/admission/request-refused.ts'
import type { HasClock } from '../../kernel/randomness.ts'
import type { OAuthRoute } from '../../route.ts'

/** The limits are few slots and a short queue: most requests of such a caller fail, and a live one is quick. */
const QUEUE_LIMITS = {
  maxRunning: 2,
  maxQueued: 32,
  maxQueueMs: 500,
  buildRefusal: () =>
    RequestRefused.forRate('Too many requests of your network have failed. Wait a moment.', 2000),
} as const

export interface OverLimitQueue {
  /** The refusal of a caller who is over the limit of this route, if any. */
  findRefusal(request: FastifyRequest, limitedBy: LimitKind): RequestRefused | undefined
  /** Returns the queue of such a caller; undefined for every other one. @throws RequestRefused */
  findQueue(route: OAuthRoute, request: FastifyRequest): ConcurrencyLimiter | undefined
}

export function overLimitQueue({ clock, limits }: HasClock & HasRateLimits): OverLimitQueue {
  const queue = new ConcurrencyLimiter(QUEUE_LIMITS)
  const findRefusal: OverLimitQueue['findRefusal'] = ({ caller }, limitedBy) =>
    limits.findRefusal(caller, clock(), limitedBy)
  return {
    findRefusal,
    findQueue(route, request) {
      const refusal = route.limitedBy && findRefusal(request, route.limitedBy)
      if (!refusal) return undefined
      if (route.requiredText && !textOf(request).includes(route.requiredText)) throw refusal
      return queue
    },
  }
}

const textOf = ({ raw, body }: FastifyRequest): string =>
  `${raw.url ?? ''} ${typeof body === 'string' ? body : ''}`
