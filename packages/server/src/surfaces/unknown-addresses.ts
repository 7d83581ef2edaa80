// What is at no address. Mostly a typing error or a scanner; but an OAuth client that writes the address of an
// endpoint slightly wrong (a doubled or final slash, the path of another product, the issuer without its path)
// reads which address is meant, a line in the log says so, and an app that sends the browser there gets its refusal.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HasConfig } from '../config/config.ts'
import type { ConcurrencyLimiter } from '../http/admission/concurrency-limiter.ts'
import type { HasRefusalCounter } from '../http/admission/minute-counter.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import { isForPerson } from '../http/input/accept.ts'
import { errorReply, oauthErrorReply, problemReply, send } from '../http/replies.ts'
import { ApiError, OAuthError } from '../kernel/errors.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock } from '../kernel/randomness.ts'
import type { OAuthRoute, Route } from '../route.ts'
import { buildNotFoundPage } from './error-pages.ts'
import { buildOAuthCall } from './oauth-surface.ts'

const firstSegment = (url: string): string => /^\/([^/?#]*)/.exec(url)?.[1] ?? ''

/** @returns whether the address, as the request line has it, has OAuth errors */
export function oauthAddresses(routes: readonly Route[]): (url: string | undefined) => boolean {
  const paths = routes.filter(({ surface }) => surface === 'oauth').map(({ path }) => path)
  const others = routes.filter(({ surface }) => surface !== 'oauth')
  const shared = new Set(others.map(({ path }) => firstSegment(path)))
  const segments = new Set(paths.map(firstSegment).filter((segment) => !shared.has(segment)))
  // Below a folder of pages or of the API, only the address itself.
  const starts = paths
    .filter((path) => shared.has(firstSegment(path)))
    .map((path) => path.replace(/:.*/, ''))
  return (url) =>
    url !== undefined &&
    (segments.has(firstSegment(url)) || starts.some((start) => url.startsWith(start)))
}

const NOTHING_HERE = 'Nothing is at this address. See /doc for the addresses of the service.'

/** The OAuth route whose path is meant: the same but for slashes, or with the same end below another folder. */
export function suggestRoute<Parts>(
  routes: readonly Route<Parts>[],
  url: string | undefined,
): OAuthRoute<Parts> | undefined {
  const [path = ''] = (url ?? '').split(/[?#]/, 1)
  const plain = path.replace(/\/{2,}/g, '/').replace(/\/$/, '')
  return routes.find((route): route is OAuthRoute<Parts> => {
    if (route.surface !== 'oauth' || !route.path.startsWith('/app-auth/')) return false
    const end = route.path.slice('/app-auth'.length)
    return plain.endsWith(end) && /^(\/[\w.-]+)?$/.test(plain.slice(0, -end.length))
  })
}

/** The handler of every request without a route. */
type AddressParts = HasClock & HasConfig & HasLog & HasRateLimits & HasRefusalCounter

export function unknownAddress<Parts extends AddressParts>(
  service: Parts,
  routes: readonly Route<Parts>[],
  limiter: ConcurrencyLimiter,
  isOAuthPath: (url: string | undefined) => boolean,
) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const meant = suggestRoute(routes, request.raw.url)
    const isPage = request.method === 'GET' && isForPerson(request.headers.accept)
    if (isPage) {
      const { handleWrongPath, limitedBy } = meant ?? {}
      const isOver =
        limitedBy && service.limits.findRefusal(request.caller, service.clock(), limitedBy)
      if (!handleWrongPath || isOver) return send(reply, buildNotFoundPage(service, request.id))
      const call = buildOAuthCall(service, request, service.clock())
      return send(reply, await limiter.run(() => handleWrongPath(service, call)))
    }
    const message = meant
      ? `Nothing is at this address; this endpoint is at ${service.config.baseUrl}${meant.path}. Discovery names every endpoint.`
      : NOTHING_HERE
    const [refusal, toReply] = isOAuthPath(request.raw.url)
      ? [new OAuthError('invalid_request', message, { status: 404 }), oauthErrorReply]
      : [new ApiError('not_found', message), problemReply]
    // What scanners ask for is not worth a line.
    if (!meant) return send(reply, toReply(refusal, request.id))
    return send(reply, errorReply(service, request, refusal, toReply))
  }
}
