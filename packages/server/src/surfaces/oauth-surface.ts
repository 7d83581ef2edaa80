// The OAuth surface on Fastify: handlers get the request unparsed, whatever its content type, and every
// error leaves as an OAuth error.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { HasConfig } from '../config/config.ts'
import type { ConcurrencyLimiter } from '../http/admission/concurrency-limiter.ts'
import type { HasRefusalCounter } from '../http/admission/minute-counter.ts'
import type { HasDirectoryGate, HasRegionGate, RegionGate } from '../http/admission/region-gate.ts'
import { RequestRefused } from '../http/admission/request-refused.ts'
import type { OAuthCall, Reply } from '../http/call.ts'
import { isForPerson } from '../http/input/accept.ts'
import { queryOf } from '../http/input/parameters.ts'
import { errorReply, oauthErrorReply, send } from '../http/replies.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock } from '../kernel/randomness.ts'
import type { OAuthRoute, Route } from '../route.ts'
import type { OverLimitQueue } from './connection/over-limit-queue.ts'
import { addCors, allowHosts } from './cors.ts'
import { buildAppError } from './error-pages.ts'

type OAuthParts = HasClock &
  HasConfig &
  HasDirectoryGate &
  HasLog &
  HasRefusalCounter &
  HasRegionGate

export function addOAuthRoutes<Parts extends OAuthParts>(
  scope: FastifyInstance,
  service: Parts,
  routes: readonly Route<Parts>[],
  limiter: ConcurrencyLimiter,
  limited: OverLimitQueue,
): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  scope.setErrorHandler((error, request, reply) => {
    const refusal = errorReply(service, request, error, oauthErrorReply)
    const isShown = isForPerson(request.headers.accept) && findShown(refusal, error)
    if (isShown) return send(reply, buildAppError(service, refusal, isShown, request.id))
    return send(reply, refusal)
  })
  for (const route of routes) {
    if (route.surface !== 'oauth') continue
    const { cors } = route
    const gate = findGate(service, route)
    const run = <T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> =>
      route.admission === 'limited'
        ? (limited.findQueue(route, request) ?? limiter).run(work)
        : work()
    if (cors) addCors(scope, service, route, route.methods, cors)
    scope.route({
      method: [...route.methods],
      url: route.path,
      exposeHeadRoute: route.hasHead === true,
      config: {
        admission: route.admission,
        ...(route.limitedBy ? { limitedBy: route.limitedBy } : {}),
      },
      bodyLimit: route.maxBodyBytes,
      // First, so that a page can read refusals too.
      ...(cors
        ? {
            onRequest: (request, reply, done) => {
              allowHosts(service, request, reply, cors)
              done()
            },
          }
        : {}),
      handler: async (request, reply) => {
        // After the small body, so that the log names the client: its vendor moved a server abroad.
        const loading = gate?.admit(request.caller)
        if (loading) await loading
        const receivedAt = service.clock()
        const handle = () => route.handle(service, buildOAuthCall(service, request, receivedAt))
        return send(reply, await run(request, handle))
      },
    })
  }
}

const findGate = (
  { regions, directoryRegions }: HasDirectoryGate & HasRegionGate,
  route: Pick<Route, 'regions'>,
): RegionGate | undefined =>
  ({ allowed: regions, directories: directoryRegions, any: undefined })[route.regions]

/** Leaves the answer as it is, and skips what cannot be noted, because of a limit or an outage. */
export async function noteCorsPreflight<Parts extends HasClock>(
  service: Parts,
  { notePreflight }: OAuthRoute<Parts>,
  limiter: ConcurrencyLimiter,
  request: FastifyRequest,
): Promise<void> {
  const { headers } = request
  const { origin, 'access-control-request-method': method } = headers
  if (!notePreflight || method !== 'POST' || !origin || !URL.canParse(origin)) return
  const asked = { origin, headers: headers['access-control-request-headers'] ?? '' }
  const call = buildOAuthCall(service, request, service.clock())
  try {
    await limiter.run(() => notePreflight(service, call, asked))
  } catch (error) {
    request.log.debug({ err: error }, 'a CORS preflight was not noted')
  }
}

/** A browser shows an outage, and a refusal by rate or region, to a person as a page. */
function findShown(
  { status, body }: Reply,
  error: unknown,
): { readonly code: string; readonly message: string } | undefined {
  if (error instanceof RequestRefused) return error
  const { error: code, error_description: message } = body as Record<string, string>
  return status === 503 && code && message ? { code, message } : undefined
}

/** Fetch Metadata: `none` is what a person opened by hand; a sandboxed page has the Origin `null`. */
const isFromPage = ({ origin, 'sec-fetch-site': site }: FastifyRequest['headers']): boolean =>
  Boolean(origin) || (site !== undefined && site !== 'none')

export function buildOAuthCall(
  service: HasClock,
  request: FastifyRequest,
  receivedAt: number,
): OAuthCall {
  const { headers } = request
  return {
    method: request.method,
    query: queryOf(request.raw.url),
    params: request.params as Record<string, string>,
    body: typeof request.body === 'string' ? request.body : '',
    contentType: headers['content-type'] ?? '',
    authorization: headers.authorization,
    accept: headers.accept ?? '',
    ifNoneMatch: headers['if-none-match'],
    isFromPage: isFromPage(headers),
    traceId: request.id,
    address: request.caller.address,
    receivedAt,
    now: service.clock(),
    log: request.log,
  }
}
