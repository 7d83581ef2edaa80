// Pages for a person on Fastify: forms without script, cookies, and every error as a page. Marks forms
// that a page of another origin sent. Holds no rule of any page.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { HasConfig } from '../config/config.ts'
import type { HasRefusalCounter } from '../http/admission/minute-counter.ts'
import type { Initiator, PageCall } from '../http/call.ts'
import { FORM, queryOf } from '../http/input/parameters.ts'
import { errorReply, send } from '../http/replies.ts'
import { ApiError } from '../kernel/errors.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock } from '../kernel/randomness.ts'
import type { Route } from '../route.ts'
import type { CallAudit } from './call-audit.ts'
import { buildPageError } from './error-pages.ts'

type PageParts = HasClock & HasConfig & HasLog & HasRefusalCounter

export function addPageRoutes<Parts extends PageParts>(
  scope: FastifyInstance,
  service: Parts,
  routes: readonly Route<Parts>[],
  audit: CallAudit,
): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  scope.setErrorHandler((error, request, reply) => {
    const toPage = (cause: unknown, traceId: string) =>
      buildPageError(service, request.method, cause, traceId)
    return send(reply, errorReply(service, request, error, toPage))
  })
  for (const route of routes) {
    if (route.surface !== 'page') continue
    scope.route({
      method: route.method,
      url: route.path,
      exposeHeadRoute: route.hasHead === true,
      config: { admission: route.admission },
      bodyLimit: route.maxBodyBytes,
      handler: async (request, reply) => {
        const call = pageCall(service, request)
        return send(reply, await audit.page(route, call, () => route.handle(service, call)))
      },
    })
  }
}

function pageCall(service: HasClock & HasConfig, request: FastifyRequest): PageCall {
  const query = queryOf(request.raw.url)
  return {
    query,
    fields: fieldsOf(request.method === 'POST' ? String(request.body ?? '') : query),
    cookies: request.headers.cookie ?? '',
    initiator: initiatorOf(request),
    userAgent: request.headers['user-agent'],
    accept: request.headers.accept ?? '',
    encodings: request.headers['accept-encoding']?.toString() ?? '',
    rest: String((request.params as { '*'?: string })['*'] ?? ''),
    isCrossSite: isCrossSite(service, request),
    auditSubject: {},
    traceId: request.id,
    address: request.caller.address,
    now: service.clock(),
    log: request.log,
  }
}

/** Returns the initiator by the headers of https://www.w3.org/TR/fetch-metadata/. */
function initiatorOf({ headers }: FastifyRequest): Initiator {
  const destination = headers['sec-fetch-dest'] ?? 'document'
  if (destination !== 'document') return 'embedded'
  // A page of a sibling domain is a page of another site here.
  const isElsewhere = /^(cross|same)-site$/.test(String(headers['sec-fetch-site']))
  return isElsewhere && headers['sec-fetch-user'] === undefined ? 'elsewhere' : 'person'
}

/** @throws ApiError for a repeated name: neither value is chosen. */
function fieldsOf(text: string): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in fields) throw new ApiError('invalid_request', 'A field was sent more than once.')
    if (value.includes('\0')) throw new ApiError('invalid_request', 'A field has a NUL character.')
    fields[name] = value
  }
  return fields
}

/**
 * Under our referrer policy browsers send `Origin: null` with our own forms, so what counts is
 * Sec-Fetch-Site, and Origin where it is not null.
 */
function isCrossSite({ config }: HasConfig, { headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  const { origin } = headers
  return origin !== undefined && origin !== 'null' && origin !== new URL(config.baseUrl).origin
}
