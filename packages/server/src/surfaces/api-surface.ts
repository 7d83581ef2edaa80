// The backend API on Fastify: authenticates the caller before it reads the body, validates the body
// with the route's schema, then runs the handler. Every error leaves as problem details.

import { parse } from 'node:querystring'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import { authenticateKey, presentedKey } from '../developer-keys/developer-key-caller.ts'
import { networkOf } from '../http/admission/client-address.ts'
import type { ConcurrencyLimiter } from '../http/admission/concurrency-limiter.ts'
import {
  type HasRefusalCounter,
  type MinuteCounter,
  minuteCounter,
} from '../http/admission/minute-counter.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { HasRegionGate } from '../http/admission/region-gate.ts'
import { RequestRefused } from '../http/admission/request-refused.ts'
import type { Reply, UncheckedCall } from '../http/call.ts'
import { etagOf, hasAlready } from '../http/input/conditional.ts'
import { parseJson } from '../http/input/json.ts'
import { queryOf } from '../http/input/parameters.ts'
import { findSchemaErrors, SchemaMismatch } from '../http/input/schema-check.ts'
import { send } from '../http/replies.ts'
import { isAllowedOn, notAllowed } from '../kernel/access.ts'
import { ApiError } from '../kernel/errors.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock } from '../kernel/randomness.ts'
import { rfc3339 } from '../kernel/time.ts'
import { type Person, readerOf, requireRecentAuth, requireWholePerson } from '../kernel/user.ts'
import type { End } from '../liveness/liveness.ts'
import type { ApiRoute, Route } from '../route.ts'
import { findPerson, findPersonByToken } from '../sign-in/caller.ts'
import { findCookieToken, isOfOwnOrigin } from '../sign-in/session-cookie.ts'
import type { CallAudit } from './call-audit.ts'
import { addCors, allowHosts } from './cors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in caller, after authentication. */
    person: Person | undefined
  }
}

type ApiParts = HasClock &
  HasConfig &
  HasDatabase &
  HasLog &
  HasRateLimits &
  HasRefusalCounter &
  HasRegionGate

export function addApiRoutes<Parts extends ApiParts>(
  scope: FastifyInstance,
  service: Parts,
  routes: readonly Route<Parts>[],
  limiter: ConcurrencyLimiter,
  audit: CallAudit,
): void {
  scope.decorateRequest('person', undefined)
  addJsonParsers(scope)
  scope.setValidatorCompiler(({ schema }) => (value: unknown) => {
    const errors = findSchemaErrors(schema as object, value)
    return errors ? { error: new SchemaMismatch(errors) } : { value }
  })
  const openBodies = minuteCounter()
  for (const route of routes) {
    if (route.surface !== 'api') continue
    const run: ConcurrencyLimiter['run'] =
      route.admission === 'limited' ? (...work) => limiter.run(...work) : (work) => work()
    addCors(scope, service, route, [route.method], 'hosts')
    scope.route({
      method: route.method,
      url: route.path,
      exposeHeadRoute: hasHead(route),
      config: { admission: route.admission },
      bodyLimit: route.maxBodyBytes,
      schema: {
        ...(route.body ? { body: route.body } : {}),
        ...(route.query ? { querystring: route.query } : {}),
      },
      onRequest: async (request, reply) => {
        allowHosts(service, request, reply, 'hosts')
        if (route.regions === 'allowed') await service.regions.admit(request.caller)
        if (route.caller === 'anyone' && route.body) countOpenBody(service, request, openBodies)
        // A slot of its own, so that a request holds none while its body is on the way.
        await run(() => admitCaller(service, route, request, audit))
        refuseMediaType(route, request)
      },
      // A missing body is an empty object; the schema names required fields.
      preValidation: async (request: FastifyRequest, _reply: FastifyReply) => {
        if (route.body && request.body === undefined) request.body = {}
        request.query = parse(queryOf(request.raw.url))
        refuseUnknownParameters(route, request.query as object)
        const parameters = { ...(request.params as object), ...(request.query as object) }
        for (const [name, value] of Object.entries(parameters)) refuseUnstorable(value, name)
        refuseUnstorable(request.body, '')
      },
      handler: async (request, reply) =>
        // The route table pairs each handler with the schema that this call has passed.
        sendTagged(
          reply,
          request,
          await run(() => {
            const call = apiCall(service, route, request)
            return audit.api(route, call, async () => {
              if (call.person && route.wholePerson) requireWholePerson(call.person)
              if (call.person && takesRecentAuth(route, call.body))
                requireRecentAuth(call.person, call.now)
              return route.handle(service, call as never)
            })
          }, 'resumed'),
        ),
    })
  }
}

/** Bodies of a minute that one network may send without a sign-in; a hospital is one network. */
const MAX_OPEN_BODIES = 1200

/** Counts before the body is read, and so before it is parsed and checked. @throws RequestRefused [V01] */
function countOpenBody(
  { clock }: HasClock,
  { caller }: FastifyRequest,
  counter: MinuteCounter,
): void {
  const { isAllowed } = counter.allow(networkOf(caller.address), clock(), MAX_OPEN_BODIES)
  if (isAllowed) return
  throw RequestRefused.forRate('Too many requests of your network. Wait a minute.', 60_000)
}

/** Adds parsers for JSON and, by its other name, a merge patch (RFC 7396). An empty body is no body. */
function addJsonParsers(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  for (const type of ['application/json', MERGE_PATCH]) {
    scope.addContentTypeParser<string>(
      type,
      { parseAs: 'string' },
      async (_: unknown, body: string) => (body === '' ? undefined : parseJson(body)),
    )
  }
}

const MERGE_PATCH = 'application/merge-patch+json'

/** @throws ApiError 415. What is neither JSON nor a patch is refused by the parsers. */
function refuseMediaType(route: ApiRoute, request: FastifyRequest): void {
  const isPatch = request.headers['content-type']?.toLowerCase().startsWith(MERGE_PATCH)
  if (isPatch && route.method !== 'PATCH') {
    throw new ApiError('unsupported_media_type', 'Only PATCH takes a merge patch.')
  }
}

/** Returns whether the route has HEAD: a GET of a record has it; an event stream has not. */
const hasHead = ({ method, caller, answers, hasHead }: ApiRoute) =>
  hasHead === true || (method === 'GET' && caller === 'person' && typeof answers[200] === 'object')

/**
 * Records leave with an entity tag, and with 304 to a caller that has them: the answers of GET and
 * PATCH, and of a POST that creates a record at `location`.
 */
function sendTagged(reply: FastifyReply, request: FastifyRequest, answer: Reply): FastifyReply {
  const { status, headers = {}, body } = answer
  const isRecord = status === 200 ? request.method !== 'POST' : headers.location !== undefined
  const isWhole = typeof body === 'object' && !('pipe' in body)
  const mayBeKept = headers['cache-control'] !== 'no-store'
  if (!isRecord || !isWhole || !mayBeKept) return send(reply, answer)
  const json = JSON.stringify(body)
  const etag = etagOf(json)
  const tagged = { 'cache-control': 'private, no-cache', ...headers, etag }
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (isRead && hasAlready(request.headers['if-none-match'], etag)) {
    return send(reply, { status: 304, headers: tagged })
  }
  const type = { 'content-type': 'application/json; charset=utf-8' }
  return send(reply, { status, headers: { ...type, ...tagged }, body: json })
}

/** A null takes a member back to its default, which is the weaker one. [V21] */
function takesRecentAuth({ recentAuth }: ApiRoute, body: unknown): boolean {
  if (recentAuth === undefined || recentAuth === 'always') return recentAuth !== undefined
  const given = Object.entries((body ?? {}) as object)
  return given.some(([name, value]) => {
    const wanted = recentAuth[name]
    return wanted === 'any' || (wanted !== undefined && (value === wanted || value === null))
  })
}

/** A mistyped filter would show everything. @throws ApiError 400 */
function refuseUnknownParameters({ path, query }: ApiRoute, given: object): void {
  if (!path.startsWith('/api/')) return
  const known = (query as { properties?: object } | undefined)?.properties ?? {}
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(known, name))
  if (unknown.length === 0) return
  const names = Object.keys(known).join(', ')
  const message = names ? `Not a parameter of this address; it takes ${names}.` : 'It takes none.'
  throw new ApiError(
    'invalid_request',
    'The address has a parameter that it does not take.',
    unknown.slice(0, MAX_NAMED).map((field) => ({ field, message })),
  )
}

/** A hostile request can have thousands. */
const MAX_NAMED = 10

/** Databases cannot store U+0000 and lone surrogates unchanged. @throws ApiError 400 */
function refuseUnstorable(value: unknown, field: string): void {
  if (typeof value === 'string') {
    const problem = value.includes('\0')
      ? 'has a NUL character (U+0000)'
      : value.isWellFormed()
        ? undefined
        : 'has half a character (a lone surrogate)'
    if (!problem) return
    const message = `The value ${problem}.`
    throw new ApiError('invalid_request', message, [{ field, message }])
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    refuseUnstorable(name, field)
    refuseUnstorable(member, `${field}/${name}`)
  }
}

/** A caller who sent a token gets this; one without any gets a challenge without an error code. RFC 6750 §3.1 */
const INVALID_TOKEN = { 'www-authenticate': 'Bearer realm="chartside", error="invalid_token"' }

/** Runs before the body is read. @throws ApiError 401, 403 */
async function admitCaller(
  service: ApiParts,
  route: ApiRoute,
  request: FastifyRequest,
  audit: CallAudit,
): Promise<void> {
  if (route.caller === 'anyone') return
  const { authorization } = request.headers
  const challenge = authorization === undefined ? {} : INVALID_TOKEN
  const presented = presentedKey(authorization)
  if (presented !== undefined) {
    const isTaken = route.takesDeveloperKey === true
    const asked = { presented, isTaken, address: request.caller.address, challenge }
    request.person = await authenticateKey(service, { ...asked, now: service.clock() })
    return
  }
  const person = await findCaller(service, route, request)
  if (!person) {
    const detail = 'The session token is missing or unknown.'
    throw new ApiError('not_signed_in', detail, [], challenge)
  }
  if ('ended' in person) throw signInEnded(person.ended, challenge)
  const caller = isRead(route) ? readerOf(person) : person
  request.person = caller
  // The one need that is known before a record is; all others are the handler's to check.
  if (route.permission === 'platform' && !isAllowedOn(caller, {}, 'platform')) {
    const refusal = () => Promise.reject(notAllowed('platform'))
    await audit.api(route, apiCall(service, route, request), refusal)
    await refusal()
  }
}

/** Returns true for what viewers see like administrators: never what is the caller's own, such as an event stream. */
const isRead = ({ method, permission }: ApiRoute): boolean =>
  method === 'GET' && permission !== undefined && permission !== 'self' && permission !== 'own'

/** A request of a page that no person caused; only a cookie's caller says so. */
const BACKGROUND_HEADER = 'chartside-background'

/**
 * Finds the caller by the bearer token; without an Authorization header by the cookie of the console, which
 * counts for requests of this origin only. [U06]
 */
function findCaller(service: ApiParts, route: ApiRoute, { headers, method }: FastifyRequest) {
  const isBackground = route.isBackground === true
  const now = service.clock()
  if (headers.authorization !== undefined) {
    return findPerson(service, headers.authorization, now, { isBackground })
  }
  const { baseUrl } = service.config
  const source = {
    method,
    origin: headers.origin,
    fetchSite: headers['sec-fetch-site']?.toString(),
  }
  const token = isOfOwnOrigin(baseUrl, source)
    ? findCookieToken(baseUrl, headers.cookie)
    : undefined
  return findPersonByToken(service, token, now, {
    isBackground: isBackground || headers[BACKGROUND_HEADER] !== undefined,
  })
}

/** The holder of the token learns why: a client that was offline has no other way. */
function signInEnded({ at, reason }: End, challenge: Readonly<Record<string, string>>): ApiError {
  const ended = { at: rfc3339(at), reason }
  const detail = `The sign-in has ended (${reason}).`
  return new ApiError('not_signed_in', detail, [], challenge, { ended })
}

function apiCall(service: HasClock, route: ApiRoute, request: FastifyRequest): UncheckedCall {
  return {
    permission: route.permission,
    params: request.params as Record<string, string>,
    query: request.query as Record<string, string | undefined>,
    body: request.body,
    authorization: request.headers.authorization,
    cookies: request.headers.cookie,
    userAgent: request.headers['user-agent'],
    ifMatch: request.headers['if-match'],
    auditNotes: {},
    person: request.person,
    traceId: request.id,
    address: request.caller.address,
    now: service.clock(),
    log: request.log,
  }
}
