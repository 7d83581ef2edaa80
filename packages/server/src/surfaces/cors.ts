// CORS: public documents allow every origin; routes that hosts call allow the configured host origins;
// none allows cookies. Authorize has no CORS headers at all (security A19).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HasConfig } from '../config/config.ts'
import type { Method } from '../http/call.ts'
import type { Route } from '../route.ts'

type Audience = 'any' | 'hosts'

function allowedOrigin(service: HasConfig, request: FastifyRequest, audience: Audience) {
  if (audience === 'any') return '*'
  const { origin } = request.headers
  return origin !== undefined && service.config.hostOrigins.includes(origin) ? origin : undefined
}

/** Marks an answer as readable from the caller's origin, when it is one of the audience. */
export function allowHosts(
  service: HasConfig,
  request: FastifyRequest,
  reply: FastifyReply,
  audience: Audience,
): void {
  if (audience === 'hosts') reply.header('vary', 'Origin')
  const origin = allowedOrigin(service, request, audience)
  if (origin) {
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', 'etag, location, retry-after')
  }
}

/** Answers the preflight of a path; several methods of one path share the answer. */
export function addCors(
  scope: FastifyInstance,
  service: HasConfig,
  { path, admission }: Pick<Route, 'path' | 'admission'>,
  methods: readonly Method[],
  audience: Audience,
): void {
  if (scope.hasRoute({ method: 'OPTIONS', url: path })) return
  scope.options(path, { config: { admission } }, async (request, reply) => {
    allowHosts(service, request, reply, audience)
    if (allowedOrigin(service, request, audience)) {
      reply.header(
        'access-control-allow-methods',
        audience === 'any' ? methods.join(', ') : 'GET, POST, PATCH, DELETE',
      )
      reply.header(
        'access-control-allow-headers',
        'authorization, content-type, if-match, if-none-match',
      )
      reply.header('access-control-max-age', '600')
    }
    return reply.code(204).send()
  })
}
