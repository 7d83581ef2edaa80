// Notes each answered request: its time for the metrics, and one line of the log with the trace id, the
// route and the outcome. Never an address with its query, a body or a header. Contract §10.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Service } from '../service.ts'

/** A stream ends after minutes; its time says nothing of the service. */
const isStream = ({ routeOptions }: FastifyRequest) =>
  routeOptions.url?.endsWith('/events') === true

export function noteRequests(
  server: FastifyInstance,
  { config, metrics }: Pick<Service, 'config' | 'metrics'>,
): void {
  const hasMetrics = config.metricsPort > 0
  const hasLog = config.requestLog === 'on'
  if (!hasMetrics && !hasLog) return
  server.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request
    const route = routeOptions.url ?? 'none'
    const { elapsedTime, statusCode: status } = reply
    if (hasMetrics && !isStream(request)) {
      metrics.noteRequest(route, method, status, elapsedTime / 1000)
    }
    // A probe asks every second or two, and its answer is a metric already.
    if (hasLog && !route.startsWith('/health')) {
      const ms = Math.round(elapsedTime * 10) / 10
      request.log.info({ method, route, status, ms, ip: request.caller?.address }, 'request')
    }
    done()
  })
}
