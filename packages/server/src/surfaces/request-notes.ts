// Notes each answered request: its time for the metrics, a span for the collector of traces, and one
// line of the log with the trace id, the route, the app and the outcome. Never an address with its
// query, a body or a header. Contract §10, W3C Trace Context.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HasConfig } from '../config/config.ts'
import { findNamedClient } from '../http/named-client.ts'
import type { HasMetrics } from '../metrics/metrics.ts'
import { formatTraceresponse, parseTraceparent } from '../tracing/trace-context.ts'
import type { HasInstance, HasTracing, RequestSpan, Tracing } from '../tracing/tracing.ts'

type Parts = HasConfig & HasInstance & HasMetrics & HasTracing

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's own trace, when it sent one: 32 hexadecimal digits. */
    w3cTraceId: string | undefined
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
  server.decorateRequest('w3cTraceId')
  server.decorateRequest('span')
  server.decorateRequest('errorCode')
  const { config, metrics, tracing } = service
  if (tracing) addSpans(server, tracing)
  else server.addHook('onRequest', joinTrace)
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
      request.span?.end({ route, status, outcome, client })
      if (isLogged) {
        const { w3cTraceId } = request
        const ms = Math.round(elapsedTime * 10) / 10
        const ip = request.caller?.address
        const line = { method, route, status, outcome, ms, ip, client, w3cTraceId, node, version }
        request.log.info(line, 'request')
      }
    }
    done()
  })
}

/** The answer names its own span in the trace of the caller, so that either side finds the other. */
function joinTrace(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const parent = parseTraceparent(request.headers.traceparent)
  if (parent) {
    request.w3cTraceId = parent.traceId
    reply.header('traceresponse', formatTraceresponse(parent, request.id))
  }
  done()
}

function addSpans(server: FastifyInstance, { begin }: Tracing): void {
  server.addHook('onRequest', (request, reply, done) => {
    const parent = parseTraceparent(request.headers.traceparent)
    joinTrace(request, reply, () => {})
    if (isProbe(request)) return done()
    request.span = begin(request.id, request.method, parent)
    if (request.span) request.span.run(done)
    else done()
  })
  // What follows the body runs in the turn of the connection's last bytes, outside of the span.
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
