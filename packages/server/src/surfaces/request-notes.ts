// Notes each answered request: its time for the metrics, a span for the collector of traces, and one
// line of the log with the trace id, the route, the app and the outcome. Never an address with its
// query, a body or a header. Contract §10, W3C Trace Context.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HasConfig } from '../config/config.ts'
import { findNamedClient } from '../http/named-client.ts'
import { newSpanId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import type { HasMetrics } from '../metrics/metrics.ts'
import { formatTraceresponse, parseTraceparent } from '../tracing/trace-context.ts'
import type { HasInstance, HasTracing, RequestSpan } from '../tracing/tracing.ts'

type Parts = HasConfig & HasInstance & HasMetrics & HasTracing

declare module 'fastify' {
  interface FastifyRequest {
    /** The place of the request in its trace, where there is one: 16 hexadecimal digits. */
    spanId: string | undefined
    span: RequestSpan | undefined
    /** The code of the error that the answer carries. */
    errorCode: string | undefined
  }
}

/** A stream ends after minutes; its time says nothing of the service. */
const isStream = ({ routeOptions }: FastifyRequest) =>
  routeOptions.url?.endsWith('/events') === true

/** A probe asks every second or two, and its answer is a metric already. */
const isProbe = ({ url }: FastifyRequest) => url.startsWith('/health')

export function noteRequests(server: FastifyInstance, service: Parts): void {
  server.decorateRequest('spanId')
  server.decorateRequest('span')
  server.decorateRequest('errorCode')
  const { config, metrics, tracing } = service
  if (tracing) addSpans(server)
  const hasMetrics = config.metricsPort > 0
  const hasLog = config.requestLog === 'on'
  if (!hasMetrics && !hasLog && !tracing) return
  const { name: node, version } = service.instance
  server.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const route = request.routeOptions.url ?? 'none'
    const { elapsedTime, statusCode: status } = reply
    if (hasMetrics && request.errorCode !== undefined) metrics.noteError(request.errorCode)
    if (hasMetrics && !isStream(request)) {
      metrics.noteRequest(route, method, status, elapsedTime / 1000)
    }
    const isLogged = hasLog && !isProbe(request)
    if (isLogged || request.span) {
      const outcome = outcomeOf(request, reply)
      const client = findNamedClient(request)
      request.span?.end({ route, url: request.url, status, outcome, client })
      if (isLogged) {
        const ms = Math.round(elapsedTime * 10) / 10
        const ip = request.caller?.address
        const line = { method, route, status, outcome, ms, ip, client, node, version }
        request.log.info(line, 'request')
      }
    }
    done()
  })
}

/**
 * The answer names its own span in the trace of the caller, so that either side finds the other. What follows is
 * part of the span, where the trace is sent.
 */
export function joinTrace(
  { randomness, tracing }: HasRandomness & HasTracing,
  request: FastifyRequest,
  reply: FastifyReply,
  next: () => void,
): void {
  const { id, method, headers } = request
  const parent = parseTraceparent(headers.traceparent)
  if (tracing && !isProbe(request)) {
    request.span = tracing.begin(id, method, parent)
    request.spanId = request.span?.id
  }
  if (parent) {
    request.spanId ??= newSpanId(randomness)
    reply.header('traceresponse', formatTraceresponse(id, request.spanId))
  }
  // With the trace id in every line of this request.
  if (request.spanId) request.log = request.log.child({ spanId: request.spanId })
  if (request.span) request.span.run(next)
  else next()
}

/** Runs what follows the body in the span: it comes with the connection's last bytes, outside of the span. */
function addSpans(server: FastifyInstance): void {
  server.addHook('preValidation', (request, _reply, done) => {
    if (request.span) request.span.run(done)
    else done()
  })
}

/** Authorize hands its errors to the app's page in the address of the redirect. RFC 6749 4.1.2.1. */
function outcomeOf({ errorCode }: FastifyRequest, reply: FastifyReply): string {
  if (errorCode !== undefined) return errorCode
  const location = reply.getHeader('location')
  const [, inRedirect] = /[?&]error=([a-z_]+)/.exec(location?.toString() ?? '') ?? []
  return inRedirect ?? (reply.statusCode < 400 ? 'ok' : String(reply.statusCode))
}
