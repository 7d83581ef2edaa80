// SCIM on Fastify: region of its own, the token of the directory, a rate for each token, then the handler.
// Every answer, errors too, is application/scim+json. RFC 7644 3.1, 3.12.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ConcurrencyLimiter } from '../http/admission/concurrency-limiter.ts'
import { type HasRefusalCounter, minuteCounter } from '../http/admission/minute-counter.ts'
import type { HasDirectoryGate } from '../http/admission/region-gate.ts'
import { RequestRefused } from '../http/admission/request-refused.ts'
import { errorReply, send } from '../http/replies.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock } from '../kernel/randomness.ts'
import { MAX_BODY_BYTES } from '../route-builders.ts'
import { authenticateDirectory, type ScimParts } from '../scim/directory-caller.ts'
import { ScimError, scimErrorReply } from '../scim/scim-error.ts'
import { SCIM_ROUTES, type ScimRoute } from '../scim/scim-table.ts'
import { buildOAuthCall } from './oauth-surface.ts'

/** The limit of one token on one node: Entra ID sends 25 a second at most. */
const MAX_REQUESTS_A_MINUTE = 1800

const BASE = '/scim/v2/:accountId'

export function addScimRoutes(
  scope: FastifyInstance,
  service: HasClock & HasDirectoryGate & HasLog & HasRefusalCounter & ScimParts,
  limiter: ConcurrencyLimiter,
): void {
  const requests = minuteCounter()
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  scope.setErrorHandler((error, request, reply) =>
    send(reply, errorReply(service, request, error, scimErrorReply)),
  )
  const answer = async (request: FastifyRequest, handle: ScimRoute['handle']) => {
    const now = service.clock()
    const call = await authenticateDirectory(service, buildOAuthCall(service, request, now))
    if (!requests.allow(call.token.id, now, MAX_REQUESTS_A_MINUTE).isAllowed) {
      throw RequestRefused.forRate('Too many requests of this directory. Wait a minute.', 60_000)
    }
    return handle(service, call)
  }
  const add = (method: string | string[], path: string, handle: ScimRoute['handle']) =>
    scope.route({
      method,
      url: BASE + path,
      config: { admission: 'limited' },
      bodyLimit: MAX_BODY_BYTES.api,
      onRequest: async (request) => service.directoryRegions.admit(request.caller),
      handler: async (request, reply) =>
        send(reply, await limiter.run(() => answer(request, handle))),
    })
  for (const { method, path, handle } of SCIM_ROUTES) add(method, path, handle)
  add(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], '/*', async () => {
    throw new ScimError(404, 'Nothing is at this address. See /ResourceTypes.')
  })
}
