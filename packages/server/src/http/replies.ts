// The one place where errors become replies: OAuthError in OAuth's words, ApiError as problem
// details (RFC 9457), a database that cannot answer as 503. Anything else is a programmer error: it is
// logged with its trace id and leaves as 500 without internal details.

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailable } from '../db/database.ts'
import {
  API_ERRORS,
  ApiError,
  type ApiErrorCode,
  type FieldError,
  OAuthError,
} from '../kernel/errors.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock } from '../kernel/randomness.ts'
import { SigningKeyMissing } from '../keys/key-ring.ts'
import { networkOf } from './admission/client-address.ts'
import type { HasRefusalCounter } from './admission/minute-counter.ts'
import { RequestRefused } from './admission/request-refused.ts'
import type { Reply } from './call.ts'
import { findNamedClient } from './named-client.ts'

export const RETRY_AFTER = { 'retry-after': '2' } as const
/** RFC 6749 5.1: caches must not store answers about tokens. */
export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' } as const

/** Answers a POST that made a record, which GET shows at `location`. */
export const created = <Body extends object>(location: string, body: Body) =>
  ({ status: 201, headers: { location }, body }) as const

/** Replaces all but visible ASCII without the double quote and the backslash (RFC 6749 5.2 and 4.1.2.1). */
export const inOAuthCharacters = (text: string) =>
  text.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'")

/** RFC 8628 registers slow_down for the token endpoint; no code is registered for a region. */
const IN_OAUTH = { rate_limited: 'slow_down', region_not_allowed: 'region_not_allowed' } as const

export function oauthErrorReply(error: unknown, traceId: string): Reply {
  if (error instanceof OAuthError) {
    const { code, status, message, headers } = error
    return oauthReply(status, code, message, traceId, headers)
  }
  if (error instanceof RequestRefused) {
    const { code, message, headers, extensions } = error
    const { status } = API_ERRORS[code]
    return withExtensions(oauthReply(status, IN_OAUTH[code], message, traceId, headers), extensions)
  }
  if (error instanceof DatabaseUnavailable || error instanceof SigningKeyMissing) {
    const message =
      'The service cannot reach its storage or its keys. Nothing is wrong with the request.'
    return oauthReply(503, 'temporarily_unavailable', message, traceId, RETRY_AFTER)
  }
  const wrong = requestError(error, true)
  if (wrong) {
    const status = wrong.code === 'body_too_large' ? 413 : 400
    return oauthReply(status, 'invalid_request', wrong.detail, traceId)
  }
  return oauthReply(500, 'server_error', 'Internal error of the service.', traceId)
}

function oauthReply(
  status: number,
  error: string,
  description: string,
  traceId: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { ...NO_STORE, ...headers },
    body: { error, error_description: inOAuthCharacters(description), trace_id: traceId },
  }
}

export function problemReply(error: unknown, traceId: string): Reply {
  if (error instanceof ApiError) {
    const { code, message, fields, headers, extensions } = error
    return withExtensions(problem(code, message, traceId, fields, headers), extensions)
  }
  if (error instanceof RequestRefused) {
    const { code, message, headers, extensions } = error
    return withExtensions(problem(code, message, traceId, [], headers), extensions)
  }
  if (error instanceof DatabaseUnavailable) {
    return problem('temporarily_unavailable', 'Try again in a moment.', traceId)
  }
  const wrong = requestError(error, false)
  if (wrong) return problem(wrong.code, wrong.detail, traceId, wrong.fields)
  return problem('server_error', 'The trace id finds it in our log.', traceId)
}

function problem(
  code: ApiErrorCode,
  detail: string,
  traceId: string,
  errors: readonly FieldError[] = [],
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const { status, title } = API_ERRORS[code]
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(status === 503 ? RETRY_AFTER : {}),
      ...(status === 401 ? { 'www-authenticate': 'Bearer realm="chartside"' } : {}),
      ...headers,
    },
    body: {
      type: 'about:blank',
      title,
      status,
      detail,
      code,
      traceId,
      ...(errors.length > 0 ? { errors } : {}),
    },
  }
}

const withExtensions = (reply: Reply, extensions: object): Reply => ({
  ...reply,
  body: { ...(reply.body as object), ...extensions },
})

/** Lines of a minute for the refusals of one network with one code. */
const MAX_REFUSAL_LINES = 60

/** Maps an error to its reply; a programmer error is logged in full, of refusals a few lines a minute. */
export function errorReply(
  service: HasClock & HasLog & HasRefusalCounter,
  request: FastifyRequest,
  error: unknown,
  toReply: (error: unknown, traceId: string) => Reply,
): Reply {
  const { log } = service
  const path = request.routeOptions?.url
  const { id: traceId, spanId } = request
  const refuse = (code: string, message: string, detail: object, maxLines = MAX_REFUSAL_LINES) => {
    // A request that Fastify refuses by itself has no caller yet.
    const address = request.caller?.address ?? 'unknown'
    const key = `${networkOf(address)} ${code} ${path}`
    const { isAllowed, suppressed } = service.refusals.allow(key, service.clock(), maxLines)
    if (!isAllowed) return
    const client = path?.startsWith('/app-auth/') ? findNamedClient(request) : undefined
    const left = suppressed ? { leftOut: suppressed } : {}
    log.warn({ traceId, spanId, path, code, client, ...detail, ...left }, message)
  }
  const invalid = requestError(error, path?.startsWith('/app-auth/') === true)
  if (error instanceof RequestRefused) {
    const { address } = request.caller
    const lines = error.code === 'rate_limited' ? 1 : MAX_REFUSAL_LINES
    refuse(error.code, 'refused', { address, ...error.extensions }, lines)
  } else if (error instanceof OAuthError || error instanceof ApiError) {
    const reason = error instanceof OAuthError ? error.reason : undefined
    refuse(error.code, `refused: ${error.message}`, { reason })
  } else if (invalid) {
    refuse(invalid.code, `refused: ${invalid.detail}`, { fields: invalid.loggedFields })
  } else if (error instanceof DatabaseUnavailable) {
    // One short line each: an outage must not fill the disk with the same stack.
    const { fault, cause } = error
    const detail = { fault, cause: cause instanceof Error ? cause.message : undefined }
    // An overload must not cost more by its lines.
    if (fault === 'busy') refuse('temporarily_unavailable', 'refused: storage unavailable', detail)
    else log.error({ traceId, spanId, path, ...detail }, 'refused: storage unavailable')
  } else log.error({ traceId, spanId, path, err: error }, 'request failed')
  return toReply(error, traceId)
}

/** An OAuth error gives its `error`, problem details their `code`. */
function codeOf(body: Reply['body']): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { error, code } = body as { readonly error?: unknown; readonly code?: unknown }
  const found = error ?? code
  return typeof found === 'string' ? found : undefined
}

export function send(reply: FastifyReply, { status, headers, body }: Reply): FastifyReply {
  reply.code(status)
  if (status >= 400) reply.request.errorCode ??= codeOf(body)
  if (headers) reply.headers(headers)
  return reply.send(body)
}

/** A hostile body can be wrong in a thousand places; the first few are enough to mend it. */
const MAX_FIELD_ERRORS = 20

interface RequestError {
  readonly code: ApiErrorCode
  readonly detail: string
  readonly fields?: readonly FieldError[]
  /** The places in the request, without a name that the caller chose: it may be a secret. [V11] */
  readonly loggedFields?: readonly string[]
}

type SchemaError = NonNullable<FastifyError['validation']>[number]

/** Longer names of a caller are cut, in the answer too. */
const MAX_FIELD_LENGTH = 100
const cut = (field: string) =>
  field.length > MAX_FIELD_LENGTH ? `${field.slice(0, MAX_FIELD_LENGTH)}…` : field

/** The place in the schema; of a name that the schema does not have, only that there is one. */
function loggedFieldOf({ instancePath, params }: SchemaError): string {
  if (typeof params.additionalProperty === 'string') return cut(`${instancePath}/(unknown name)`)
  const name = params.missingProperty
  return cut(typeof name === 'string' ? `${instancePath}/${name}` : instancePath)
}

/** A JSON Pointer into the body (RFC 6901), or the name of a parameter. */
function fieldOf({ instancePath, params }: SchemaError, context: string | undefined): string {
  const name = params.missingProperty ?? params.additionalProperty
  const escaped = String(name).replaceAll('~', '~0').replaceAll('/', '~1')
  const pointer = typeof name === 'string' ? `${instancePath}/${escaped}` : instancePath
  return context === 'body' ? pointer : pointer.slice(1)
}

function messageOf({ keyword, params, message }: SchemaError): string {
  if (keyword === 'additionalProperties') return 'This field is unknown or cannot be set.'
  if (keyword === 'required') return 'This field is missing.'
  if (keyword === 'enum') return `It must be one of ${[params.allowedValues].flat().join(', ')}.`
  if (keyword === 'format' && params.format === 'name') {
    return 'It needs a visible character, and takes no control or direction character.'
  }
  return `It ${message ?? 'is not valid'}.`
}

/** The error of a request that the HTTP layer itself refused. */
function requestError(error: unknown, isOAuth: boolean): RequestError | undefined {
  const { code, validation, validationContext } = error as Partial<FastifyError>
  if (validation) {
    return {
      code: 'invalid_request',
      detail: 'A field is missing, unknown or has a value that is not allowed.',
      fields: validation.slice(0, MAX_FIELD_ERRORS).map((wrong) => ({
        field: cut(fieldOf(wrong, validationContext)),
        message: messageOf(wrong),
      })),
      loggedFields: validation.slice(0, MAX_FIELD_ERRORS).map(loggedFieldOf),
    }
  }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { code: 'body_too_large', detail: 'The body is larger than this address takes.' }
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return {
        code: 'unsupported_media_type',
        detail: isOAuth
          ? 'The content type is empty or cannot be read. Send application/json or application/x-www-form-urlencoded.'
          : 'Send the body as application/json.',
      }
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return { code: 'invalid_json', detail: 'The body is empty; send a JSON object.' }
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return { code: 'invalid_json', detail: 'The body is not valid JSON.' }
    case 'ECONNRESET':
    case 'ERR_HTTP_HOST_MISSING':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_MAX_PARAM_LENGTH':
    case 'FST_ERR_BAD_URL':
      return { code: 'invalid_request', detail: 'The request is malformed.' }
    default:
      return undefined
  }
}
