// What each request passes before its route, in one function and one order: its turn on its connection, its place in
// a trace, the event-loop throttle, the headers of every answer, its caller, and the rate limit of its route. Most
// requests pass it without waiting. Security V01, V02, V05, V29, decision 25.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HasDrain } from '../cluster/drain.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasCallerFinder } from '../http/admission/client-address-finder.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import type { HasInstance, HasTracing } from '../tracing/tracing.ts'
import { eventLoopThrottle } from './connection/event-loop-throttle.ts'
import type { OverLimitQueue } from './connection/over-limit-queue.ts'
import { connectionTurns } from './connection/pipelined-requests.ts'
import { cutSlowReaders } from './connection/slow-readers.ts'
import { isForeignHost, wrongHost } from './host-names.ts'
import { hostMissing } from './malformed-requests.ts'
import { joinTrace } from './request-notes.ts'

/** Requests that any caller may send begin in so many of each iteration of the event loop. */
const THROTTLED_PER_ITERATION = 2
/** The others begin in such numbers: as many as share a commit well, and an iteration stays below ten milliseconds. */
const LIMITED_PER_ITERATION = 24

type Parts = HasCallerFinder &
  HasConfig &
  HasDrain &
  HasInstance &
  HasLog &
  HasRandomness &
  HasTracing

interface Surroundings {
  readonly limited: OverLimitQueue
  readonly everyHeader: Readonly<Record<string, string>>
  readonly isOAuthPath: (url: string | undefined) => boolean
}

export function admitRequests(
  server: FastifyInstance,
  service: Parts,
  { limited, everyHeader, isOAuthPath }: Surroundings,
): void {
  const { baseUrl } = service.config
  const isForeign = isForeignHost(baseUrl)
  const throttle = eventLoopThrottle({ minPerIteration: THROTTLED_PER_ITERATION })
  const throttleLimited = eventLoopThrottle({ minPerIteration: LIMITED_PER_ITERATION })
  const turns = connectionTurns()
  cutSlowReaders(server.server, service.log, turns.findRunning)

  /** @throws ApiError or OAuthError for a request that no route answers */
  function identify(request: FastifyRequest, reply: FastifyReply): void {
    reply.headers(everyHeader)
    if (service.drain.isDraining()) reply.header('connection', 'close')
    const { socket, headers, httpVersion } = request.raw
    if (headers.host === undefined && httpVersion === '1.1') throw hostMissing()
    // Several such headers arrive as one, joined with commas.
    const forwardedFor = headers['x-forwarded-for']?.toString()
    request.caller = service.findCaller(socket.remoteAddress, forwardedFor)
    if (isForeign(headers.host)) throw wrongHost(baseUrl, isOAuthPath(request.raw.url))
  }

  server.addHook('onRequest', (request, reply, done) => {
    // Fastify builds this anew each time it is asked.
    const { admission = 'throttled', limitedBy } = request.routeOptions.config
    const admit = () => {
      try {
        identify(request, reply)
      } catch (error) {
        return done(error as Error)
      }
      if (limitedBy && limited.findRefusal(request, limitedBy)) throttle(done)
      else done()
    }
    const begin = () => {
      // What has no route of the table is throttled too: any caller may send it.
      if (admission === 'throttled') throttle(admit)
      else if (admission === 'limited') throttleLimited(admit)
      else admit()
    }
    turns.take(request.raw.socket, reply.raw, request.id, () =>
      joinTrace(service, request, reply, begin),
    )
  })
}
