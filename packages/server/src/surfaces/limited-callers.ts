// The lane of callers who are over a rate limit: a small one of their own, so that however many
// requests they send, those of all others find their slots free. A request that cannot be served
// anyway is refused before it takes any slot. Security V05.

import type { FastifyRequest } from 'fastify'
import { ConcurrencyLimiter } from '../http/admission/concurrency-limiter.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import { RequestRefused } from '../http/admission/request-refused.ts'
import type { HasClock } from '../kernel/randomness.ts'
import type { OAuthRoute } from '../route.ts'

/** Few slots and a short queue: most requests of such a caller fail, and a live one is quick. */
const LANE_LIMITS = {
  maxRunning: 2,
  maxQueued: 32,
  maxQueueMs: 500,
  buildRefusal: () =>
    RequestRefused.forRate('Too many requests of your network have failed. Wait a moment.', 2000),
} as const

export interface LimitedCallers {
  /** The refusal of a caller who is over the limit of this route, if any. */
  findRefusal(request: FastifyRequest): RequestRefused | undefined
  /** Their lane; undefined for every other caller. @throws RequestRefused */
  findLane(route: OAuthRoute, request: FastifyRequest): ConcurrencyLimiter | undefined
}

export function limitedCallers({ clock, limits }: HasClock & HasRateLimits): LimitedCallers {
  const lane = new ConcurrencyLimiter(LANE_LIMITS)
  const findRefusal: LimitedCallers['findRefusal'] = (request) => {
    const { limitedBy } = request.routeOptions.config
    return limitedBy && limits.findRefusal(request.caller, clock(), limitedBy)
  }
  return {
    findRefusal,
    findLane(route, request) {
      const refusal = findRefusal(request)
      if (!refusal) return undefined
      if (route.needs && !textOf(request).includes(route.needs)) throw refusal
      return lane
    },
  }
}

const textOf = ({ raw, body }: FastifyRequest): string =>
  `${raw.url ?? ''} ${typeof body === 'string' ? body : ''}`
