// Registers the route table on Fastify: the settings of the HTTP layer, and the answers without a route. What each
// request passes first is admission.ts. The surfaces have a file each: oauth-surface.ts, api-surface.ts and
// page-surface.ts. Holds no rule of any route.

import fastify, { type FastifyInstance } from 'fastify'
import type { HasDrain } from '../cluster/drain.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import { DatabaseUnavailable, type HasDatabase } from '../db/database.ts'
import type { Caller } from '../http/admission/client-address.ts'
import type { HasCallerFinder } from '../http/admission/client-address-finder.ts'
import { ConcurrencyLimiter } from '../http/admission/concurrency-limiter.ts'
import type { HasRefusalCounter } from '../http/admission/minute-counter.ts'
import type { LimitKind } from '../http/admission/rate-limit-rules.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { HasDirectoryGate, HasRegionGate } from '../http/admission/region-gate.ts'
import type { Method } from '../http/call.ts'
import { isForPerson } from '../http/input/accept.ts'
import { errorReply, oauthErrorReply, problemReply, send } from '../http/replies.ts'
import type { ServedCertificate } from '../http/tls/certificate.ts'
import { ApiError, OAuthError } from '../kernel/errors.ts'
import { newTraceId } from '../kernel/identifiers.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import type { HasMetrics } from '../metrics/metrics.ts'
import type { Admission, OAuthRoute, Route } from '../route.ts'
import { parseTraceparent } from '../tracing/trace-context.ts'
import type { HasInstance, HasTracing } from '../tracing/tracing.ts'
import { admitRequests } from './admission.ts'
import { addApiRoutes } from './api-surface.ts'
import { callAudit } from './call-audit.ts'
import { overLimitQueue } from './connection/over-limit-queue.ts'
import { tlsOptions } from './connection/tls-listener.ts'
import { buildFormAddressPage } from './error-pages.ts'
import { refuseMalformed } from './malformed-requests.ts'
import { addOAuthRoutes, noteCorsPreflight } from './oauth-surface.ts'
import { addPageRoutes } from './page-surface.ts'
import { noteRequests } from './request-notes.ts'
import { addScimRoutes } from './scim-surface.ts'
import { oauthAddresses, unknownAddress } from './unknown-addresses.ts'

/** The maximum time to receive a request. slow-readers.ts bounds how long an answer stays unread. */
const REQUEST_TIMEOUT_MS = 30_000
/** Node.js looks for late requests this often: else it is half a minute, on top of their time. */
const CHECK_EVERY_MS = 5_000
/** The time is longer than the keep-alive time of load balancers, so that the balancer closes connections. */
const KEEP_ALIVE_MS = 72_000
/** The length is more than that of any identifier, so that an overlong one is not found instead of malformed. */
const MAX_PARAMETER_LENGTH = 1024
const NO_QUERY = Object.freeze({})

/**
 * The limit is three slots for each connection of a PostgreSQL pool, so that none of its statements waits for
 * long. The embedded database commits as many in one go.
 */
const STORAGE_LIMITS = {
  maxRunning: 32,
  maxQueued: 1000,
  maxQueueMs: 1000,
  buildRefusal: () => new DatabaseUnavailable(new Error('more requests than can run'), 'busy'),
} as const

declare module 'fastify' {
  interface FastifyContextConfig {
    admission?: Admission
    limitedBy?: LimitKind
  }
  interface FastifyRequest {
    /** The caller's address; code never reads `request.ip`. */
    caller: Caller
  }
}

/** A server on the route table, and what of it the metrics read. */
export interface BuiltServer {
  readonly server: FastifyInstance
  /** Requests that wait for their turn. */
  queueDepth(): number
}

/** The parts that the surfaces themselves use, beside those of the handlers. */
type SurfaceParts = HasCallerFinder &
  HasClock &
  HasConfig &
  HasDatabase &
  HasDirectoryGate &
  HasDrain &
  HasInstance &
  HasLog &
  HasMetrics &
  HasRandomness &
  HasRateLimits &
  HasRefusalCounter &
  HasRegionGate &
  HasSubscriptions &
  HasTracing

export function buildServer<Parts extends SurfaceParts>(
  service: Parts,
  routes: readonly Route<Parts>[],
  certificate?: ServedCertificate,
): BuiltServer {
  const isOAuthPath = oauthAddresses(routes)
  const everyHeader = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(service.config.baseUrl.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=31536000' }
      : {}),
  }
  const server = openFastify(service, isOAuthPath, everyHeader, certificate)
  server.decorateRequest('caller')
  noteRequests(server, service)
  const limited = overLimitQueue(service)
  admitRequests(server, service, { limited, everyHeader, isOAuthPath })
  // What is at no address is 404, whatever its body.
  ignoreBodies(server)
  server.setErrorHandler((error, request, reply) => {
    const toReply = isOAuthPath(request.raw.url) ? oauthErrorReply : problemReply
    send(reply, errorReply(service, request, error, toReply))
  })
  const audit = callAudit(service)
  const limiter = new ConcurrencyLimiter(STORAGE_LIMITS)
  server.setNotFoundHandler(unknownAddress(service, routes, limiter, isOAuthPath))
  server.register(async (scope) => addOAuthRoutes(scope, service, routes, limiter, limited))
  server.register(async (scope) => addApiRoutes(scope, service, routes, limiter, audit))
  server.register(async (scope) => addScimRoutes(scope, service, limiter))
  server.register(async (scope) => addPageRoutes(scope, service, routes, audit))
  server.register(async (scope) => refuseOtherMethods(scope, service, routes, limiter, isOAuthPath))
  return { server, queueDepth: () => limiter.waiting }
}

function openFastify(
  service: SurfaceParts,
  isOAuthPath: (url: string | undefined) => boolean,
  everyHeader: Readonly<Record<string, string>>,
  certificate: ServedCertificate | undefined,
): FastifyInstance {
  // Node.js would answer a request without Host by itself, without a body.
  const http = {
    requireHostHeader: false,
    connectionsCheckingInterval: CHECK_EVERY_MS,
  }
  // Fastify's types tell the two kinds of server apart; nothing here needs to.
  const listener = (
    certificate ? { https: { ...http, ...tlsOptions(certificate) } } : { http }
  ) as { http: typeof http }
  return fastify({
    loggerInstance: service.log,
    logController: new fastify.LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'traceId',
    }),
    ...listener,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    routerOptions: {
      maxParamLength: MAX_PARAMETER_LENGTH,
      // Each surface reads the query in its own way: api-surface.ts, and the OAuth handlers.
      querystringParser: () => NO_QUERY,
    },
    exposeHeadRoutes: false,
    genReqId: ({ headers }) =>
      parseTraceparent(headers.traceparent)?.traceId ?? newTraceId(service.randomness),
    requestIdHeader: false,
    onProtoPoisoning: 'error',
    // The process answers running requests before it ends, and closes idle connections.
    forceCloseConnections: 'idle',
    // What arrives on an open connection while the node closes is served, not refused in a foreign shape.
    return503OnClosing: false,
    frameworkErrors(error, request, reply) {
      reply.headers(everyHeader)
      const toReply = isOAuthPath(request.raw.url) ? oauthErrorReply : problemReply
      send(reply, errorReply(service, request, error, toReply))
    },
    clientErrorHandler: refuseMalformed(service, isOAuthPath, everyHeader),
  })
}

function ignoreBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Every path of the table refuses the methods that it does not have with 405 and Allow. */
function refuseOtherMethods<Parts extends SurfaceParts>(
  scope: FastifyInstance,
  service: Parts,
  routes: readonly Route<Parts>[],
  limiter: ConcurrencyLimiter,
  isOAuthPath: (url: string) => boolean,
): void {
  const allowed = new Map<string, Set<Method>>()
  const forms = new Set(routes.flatMap(({ surface, path }) => (surface === 'page' ? [path] : [])))
  for (const route of routes) {
    const methods = allowed.get(route.path) ?? new Set()
    for (const method of route.surface === 'oauth' ? route.methods : [route.method]) {
      methods.add(method)
    }
    allowed.set(route.path, methods)
  }
  for (const [path, methods] of allowed) {
    const isRead = scope.hasRoute({ method: 'HEAD', url: path })
    const shown = [...methods, ...(isRead ? ['HEAD'] : [])].join(', ')
    const noted = routes.find((route) => route.path === path && 'notePreflight' in route)
    scope.route({
      method: METHODS.filter((method) => !scope.hasRoute({ method, url: path })),
      url: path,
      handler: async (request, reply) => {
        if (request.method === 'OPTIONS' && noted) {
          await noteCorsPreflight(service, noted as OAuthRoute<Parts>, limiter, request)
        }
        const message = `Use ${[...methods].join(' or ')} here.`
        reply.header('allow', shown)
        if (request.method === 'GET' && forms.has(path) && isForPerson(request.headers.accept)) {
          return send(reply, buildFormAddressPage(service, request.id))
        }
        if (!isOAuthPath(path)) {
          return send(reply, problemReply(new ApiError('method_not_allowed', message), request.id))
        }
        const inOAuth = new OAuthError('invalid_request', message, { status: 405 })
        return send(reply, oauthErrorReply(inOAuth, request.id))
      },
    })
  }
}
