// The OAuth surface on Fastify: handlers get the request as it came, whatever its content type, and
// every error leaves in OAuth's words.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Service } from '../service.ts'
import { addCors, allowHosts } from './cors.ts'
import { errorReply, oauthErrorReply, send } from './replies.ts'
import type { OAuthCall, Route } from './route.ts'

const BODY_BYTES = 8 * 1024

export function addOAuthRoutes(
  scope: FastifyInstance,
  service: Service,
  routes: readonly Route[],
): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: BODY_BYTES },
    (_request, body, done) => done(null, body),
  )
  scope.setErrorHandler((error, request, reply) =>
    send(reply, errorReply(service.log, request, error, oauthErrorReply)),
  )
  for (const route of routes) {
    if (route.surface !== 'oauth') continue
    const { cors } = route
    if (cors) addCors(scope, service, route.path, route.methods, cors)
    scope.route({
      method: [...route.methods],
      url: route.path,
      exposeHeadRoute: route.hasHead === true,
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
