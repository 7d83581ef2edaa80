// The backend API on Fastify: who calls is settled before the body is read, then the body is checked
// against the route's schema, then the handler runs. Every error leaves as problem details.
import { Ajv } from 'ajv'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { audited } from '../audit/audit-calls.ts'
import { ApiError } from '../errors.ts'
import type { Service } from '../service.ts'
import { findPerson } from '../sign-in/caller.ts'
import { isAllowedOn, type Needs, notAllowed } from '../users/access.ts'
import type { Person } from '../users/user.ts'
import { addCors, allowHosts } from './cors.ts'
import { send } from './replies.ts'
import type { ApiRoute, Call, Route } from './route.ts'
import type { InLine } from './waiting-line.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, from the moment it is known. */
    person: Person | undefined
  }
}

export function addApiRoutes(
  scope: FastifyInstance,
  service: Service,
  routes: readonly Route[],
  inLine: InLine,
): void {
  scope.decorateRequest('person', undefined)
  addJsonParsers(scope)
  addSchemaChecks(scope)
  for (const route of routes) {
    if (route.surface !== 'api') continue
    // What anybody may call answers from memory or, as sign-in, has a limit of its own.
    const inTurn: InLine = route.caller === 'anyone' ? (work) => work() : inLine
    addCors(scope, service, route.path, [route.method], 'hosts')
    scope.route({
      method: route.method,
      url: route.path,
      exposeHeadRoute: route.hasHead === true,
      schema: {
        ...(route.body ? { body: route.body } : {}),
        ...(route.query ? { querystring: route.query } : {}),
      },
      onRequest: async (request, reply) => {
        allowHosts(service, request, reply, 'hosts')
        // A turn of its own, so that nobody keeps a place while their body is still on its way.
        await inTurn(() => admitCaller(service, route, request))
      },
      // A route whose fields are all optional takes no body at all; the schema names what is missing.
      preValidation: async (request: FastifyRequest, _reply: FastifyReply) => {
        if (route.regions === 'allowed') await service.regions.admit(request.caller)
        if (route.body) request.body ??= {}
        refuseNul([request.params, request.query, request.body])
      },
      handler: async (request, reply) =>
        // The route table pairs each handler with the schema that this call has passed.
        send(
          reply,
          await inTurn(() => {
            const call = apiCall(service, route, request)
            return audited(service, route, call, () => route.handle(service, call as never))
          }, 'goes on'),
        ),
    })
  }
}

/** JSON and, by its other name, a merge patch (RFC 7396). An empty body is no body. */
function addJsonParsers(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  const parseJson = scope.getDefaultJsonParser('error', 'error')
  for (const type of ['application/json', 'application/merge-patch+json']) {
    scope.addContentTypeParser<string>(type, { parseAs: 'string' }, (request, body, done) => {
      if (body === '') done(null, undefined)
      else parseJson(request, body, done)
    })
  }
}

function addSchemaChecks(scope: FastifyInstance): void {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strict: false })
  // Compiled at first use: a node that starts should serve, not compile what nobody asked for.
  scope.setValidatorCompiler(({ schema }) => {
    let check: ReturnType<typeof ajv.compile> | undefined
    return (data: unknown) => {
      check ??= ajv.compile(schema as object)
      if (check(data)) return { value: data }
      return { error: Object.assign(new Error('schema'), { validation: check.errors }) as Error }
    }
  })
}

/** No database keeps U+0000 as text, and no field of ours has it. @throws ApiError 400 */
function refuseNul(value: unknown): void {
  if (typeof value === 'string' && value.includes('\0')) {
    throw new ApiError('invalid_request', 'A value has a NUL character (U+0000).')
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    refuseNul(name)
    refuseNul(member)
  }
}

/** Nobody's body is read before it is known that they may send it. @throws ApiError 401, 403 */
async function admitCaller(
  service: Service,
  route: ApiRoute,
  request: FastifyRequest,
): Promise<void> {
  if (route.caller === 'anyone') return
  const person = await findPerson(service, request.headers.authorization, service.clock(), {
    isBackground: route.isBackground === true,
  })
  if (!person) {
    throw new ApiError('not_signed_in', 'The session token is missing, unknown or has ended.')
  }
  // The one need that is known before a record is; all others are the handler's to check.
  if (route.needs === 'platform' && !isAllowedOn(person, {}, 'platform')) {
    throw notAllowed('platform')
  }
  request.person = person
}

function apiCall(
  service: Service,
  route: ApiRoute,
  request: FastifyRequest,
): Call<unknown> & { readonly needs: Needs | undefined } {
  return {
    needs: route.needs,
    params: request.params as Record<string, string>,
    query: request.query as Record<string, string | undefined>,
    body: request.body,
    authorization: request.headers.authorization,
    person: request.person,
    traceId: request.id,
    address: request.caller.address,
    now: service.clock(),
    log: request.log,
  }
}
