// Puts the route table on Fastify: parses bodies, finds the caller, runs the handler, sends the
// reply. OAuth routes get their request raw and answer in OAuth's words; API routes get it checked
// and answer in problem details. Holds no rule of any route.
import { Ajv } from 'ajv'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ApiError, OAuthError } from '../errors.ts'
import { newTraceId } from '../identifiers.ts'
import type { Service } from '../service.ts'
import { findPerson } from '../sign-in/caller.ts'
import { addCors, allowHosts } from './cors.ts'
import { isOurMistake, oauthErrorReply, problemReply } from './replies.ts'
import type { ApiRoute, Call, Method, OAuthCall, Reply, Route } from './route.ts'

const OAUTH_BODY_BYTES = 8 * 1024
const API_BODY_BYTES = 256 * 1024

export function buildServer(service: Service, routes: readonly Route[]): FastifyInstance {
  const server = fastify({
    loggerInstance: service.log,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: API_BODY_BYTES,
    routerOptions: { ignoreTrailingSlash: false },
    genReqId: () => newTraceId(service.randomness),
    requestIdHeader: false,
    onProtoPoisoning: 'error',
    forceCloseConnections: true,
  })
  server.addHook('onRequest', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    reply.header('referrer-policy', 'no-referrer')
  })
  server.setErrorHandler((error, request, reply) =>
    send(reply, failed(service, request, error, problemReply)),
  )
  server.setNotFoundHandler(async (request, reply) => {
    const error = new ApiError(
      'not_found',
      'There is nothing at this address. See /doc for what there is.',
    )
    return send(reply, problemReply(error, request.id))
  })
  server.register(async (scope) => addOAuthRoutes(scope, service, routes))
  server.register(async (scope) => addApiRoutes(scope, service, routes))
  server.register(async (scope) => refuseOtherMethods(scope, routes))
  return server
}

function addOAuthRoutes(scope: FastifyInstance, service: Service, routes: readonly Route[]): void {
  scope.removeAllContentTypeParsers()
  // Whatever the content type, the handler gets the text and answers in OAuth's words.
  scope.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: OAUTH_BODY_BYTES },
    (_r, body, done) => done(null, body),
  )
  scope.setErrorHandler((error, request, reply) =>
    send(reply, failed(service, request, error, oauthErrorReply)),
  )
  for (const route of routes) {
    if (route.surface !== 'oauth') continue
    const { cors } = route
    if (cors) addCors(scope, service, route.path, route.methods, cors)
    scope.route({
      method: [...route.methods],
      url: route.path,
      // Before the handler, so that a page can read a refusal too.
      ...(cors
        ? { onRequest: async (request, reply) => allowHosts(service, request, reply, cors) }
        : {}),
      handler: async (request, reply) =>
        send(reply, await route.handle(service, oauthCall(service, request))),
    })
  }
}

function oauthCall(service: Service, request: FastifyRequest): OAuthCall {
  const url = request.raw.url ?? ''
  const question = url.indexOf('?')
  const { headers } = request
  return {
    method: request.method,
    query: question < 0 ? '' : url.slice(question + 1),
    params: request.params as Record<string, string>,
    body: typeof request.body === 'string' ? request.body : '',
    contentType: headers['content-type'] ?? '',
    authorization: headers.authorization,
    accept: headers.accept ?? '',
    ifNoneMatch: headers['if-none-match'],
    traceId: request.id,
    now: service.clock(),
    log: request.log,
  }
}

function addApiRoutes(scope: FastifyInstance, service: Service, routes: readonly Route[]): void {
  scope.removeContentTypeParser('text/plain')
  // A merge patch is JSON by another name (RFC 7396).
  scope.addContentTypeParser(
    'application/merge-patch+json',
    { parseAs: 'string' },
    scope.getDefaultJsonParser('error', 'error'),
  )
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strict: false })
  // Compiled at first use: a node that starts should serve, not compile what nobody asked for.
  scope.setValidatorCompiler(({ schema }) => {
    let check: ReturnType<typeof ajv.compile> | undefined
    return (data: unknown) => {
      check ??= ajv.compile(schema as object)
      return check(data)
        ? { value: data }
        : { error: Object.assign(new Error('invalid'), { validation: check.errors }) as Error }
    }
  })
  for (const route of routes) {
    if (route.surface !== 'api') continue
    addCors(scope, service, route.path, [route.method], 'hosts')
    scope.route({
      method: route.method,
      url: route.path,
      schema: {
        ...(route.body ? { body: route.body } : {}),
        ...(route.query ? { querystring: route.query } : {}),
      },
      onRequest: async (request, reply) => allowHosts(service, request, reply, 'hosts'),
      handler: async (request, reply) => {
        const call = await apiCall(service, route, request)
        // The route table pairs each handler with the schema that this call has passed.
        return send(reply, await route.handle(service, call as never))
      },
    })
  }
}

async function apiCall(
  service: Service,
  route: ApiRoute,
  request: FastifyRequest,
): Promise<Call<unknown>> {
  const now = service.clock()
  const isBackground = route.isBackground === true
  const person =
    route.caller === 'anyone'
      ? undefined
      : await findPerson(service, request.headers.authorization, now, { isBackground })
  if (route.caller !== 'anyone' && !person) {
    throw new ApiError('not_signed_in', 'The session token is missing, unknown or has ended.')
  }
  if (route.caller === 'platform_admin' && person?.user.role !== 'admin') {
    throw new ApiError('not_allowed', 'Only a platform administrator may do this.')
  }
  return {
    params: request.params as Record<string, string>,
    query: request.query as Record<string, string | undefined>,
    body: request.body,
    person,
    traceId: request.id,
    now,
    log: request.log,
  }
}

/** Every path of the table refuses the methods that it does not have with 405 and Allow. */
function refuseOtherMethods(scope: FastifyInstance, routes: readonly Route[]): void {
  const allowed = new Map<string, Set<Method>>()
  for (const route of routes) {
    const methods = allowed.get(route.path) ?? new Set()
    for (const method of route.surface === 'oauth' ? route.methods : [route.method])
      methods.add(method)
    allowed.set(route.path, methods)
  }
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  for (const [path, methods] of allowed) {
    const others = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter(
      (method) => !(methods as ReadonlySet<string>).has(method),
    )
    scope.route({
      method: others,
      url: path,
      handler: async (request, reply) => {
        const error = new ApiError('method_not_allowed', `Use ${[...methods].join(' or ')} here.`)
        reply.header('allow', [...methods].join(', '))
        if (!path.startsWith('/app-auth/')) return send(reply, problemReply(error, request.id))
        const inOAuth = new OAuthError('invalid_request', error.message, { status: 405 })
        return send(reply, oauthErrorReply(inOAuth, request.id))
      },
    })
  }
}

/** Turns an error into its reply; what is our own mistake goes to the log in full. */
function failed(
  service: Service,
  request: FastifyRequest,
  error: unknown,
  toReply: (error: unknown, traceId: string) => Reply,
): Reply {
  const path = request.routeOptions.url
  if (isOurMistake(error))
    service.log.error({ traceId: request.id, path, err: error }, 'request failed')
  else {
    const { code, reason, message } = error as { code?: string; reason?: string; message: string }
    service.log.warn({ traceId: request.id, path, code, reason }, `refused: ${message}`)
  }
  return toReply(error, request.id)
}

function send(reply: FastifyReply, { status, headers, body }: Reply): FastifyReply {
  reply.code(status)
  if (headers) reply.headers(headers)
  return reply.send(body)
}
