// Spans by the SDK of OpenTelemetry, sent in batches as OTLP over HTTP (JSON). The library reads the other
// standard variables itself (OTEL_EXPORTER_OTLP_HEADERS, OTEL_RESOURCE_ATTRIBUTES). A collector that
// does not answer costs memory for 2,048 spans, then spans; never a request.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  RandomIdGenerator,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { DatabaseUnavailable } from '../db/database.ts'
import { isShared } from '../db/open.ts'
import type { Statement } from '../db/sql.ts'
import type { Clock } from '../kernel/randomness.ts'
import { describePath, serverAttributes, summarize } from './span-attributes.ts'
import type { TraceContext } from './trace-context.ts'
import { type TraceSampling, traceSampler } from './trace-sampling.ts'
import type { Instance, Tracing } from './tracing.ts'

export interface OpenTelemetryOptions extends TraceSampling {
  /** The base address of the collector; spans go to `/v1/traces` below it. */
  readonly endpoint: string
  readonly baseUrl: string
  readonly databaseUrl: string
  readonly environment: string
  readonly instance: Instance
  readonly monotonic: Clock
  readonly log: { warn(detail: object, message: string): void }
}

const WARN_EVERY_MS = 60_000
/** The library tries again for longer; a node that ends does not wait for it. */
const CLOSE_WITHIN_MS = 2000

export function openTelemetry(options: OpenTelemetryOptions): Tracing {
  const { endpoint, environment, instance } = options
  const warn = warnSeldom(options)
  const ids = new RandomIdGenerator()
  const isSent = traceSampler(options, options.monotonic)
  const server = serverAttributes(options.baseUrl)
  let nextTraceId: string | undefined
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'chartside',
      'service.version': instance.version,
      'service.instance.id': instance.name,
      'deployment.environment.name': environment,
    }).merge(detectResources({ detectors: [envDetector] })),
    sampler: new AlwaysOnSampler(),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
    idGenerator: {
      generateTraceId: () => nextTraceId ?? ids.generateTraceId(),
      generateSpanId: () => ids.generateSpanId(),
    },
  })
  const tracer = provider.getTracer('chartside', instance.version)
  const running = new AsyncLocalStorage<Context>()

  const inSpan = databaseSpans(tracer, running, options.databaseUrl)
  return {
    begin(traceId, method, parent) {
      // Before the library does anything: most requests of a busy node have no span.
      if (!isSent(traceId)) return undefined
      const attributes = { 'http.request.method': method, ...server }
      nextTraceId = traceId
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, remote(parent))
      nextTraceId = undefined
      const context = trace.setSpan(ROOT_CONTEXT, span)
      return {
        id: span.spanContext().spanId,
        run: (work) => running.run(context, work),
        end({ route, url, status, outcome, client }) {
          span.updateName(`${method} ${route}`)
          span.setAttributes({
            'http.route': route,
            'http.response.status_code': status,
            ...(route !== 'none' && { 'url.path': describePath(route, url) }),
          })
          if (client) span.setAttribute('chartside.client_id', client)
          if (outcome !== 'ok') span.setAttribute('error.type', outcome)
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    traced: (db) => ({
      ...db,
      read: (statement) => inSpan([statement], () => db.read(statement)),
      write: (...statements) => inSpan(statements, () => db.write(...statements)),
    }),
    async close() {
      const stop = new AbortController()
      const late = sleep(CLOSE_WITHIN_MS, undefined, { signal: stop.signal }).then(
        () => warn('The collector did not answer while the node ended.'),
        () => {},
      )
      const lost = (error: unknown) => warn(String(error))
      await Promise.race([provider.shutdown().catch(lost), late])
      stop.abort()
    },
  }
}

/** Runs an operation of the database in a span of the request that runs now. */
function databaseSpans(tracer: Tracer, running: AsyncLocalStorage<Context>, databaseUrl: string) {
  const system = { 'db.system.name': isShared(databaseUrl) ? 'postgresql' : 'sqlite' }
  return async <T>(statements: readonly Statement[], work: () => Promise<T>): Promise<T> => {
    const parent = running.getStore()
    // A job of the background is no request, and the collector is not asked to keep it.
    if (!parent) return work()
    const { summary, operation } = summarize(statements.map(({ sql }) => sql))
    const attributes = {
      ...system,
      'db.operation.name': operation,
      'db.query.summary': summary,
      ...(statements.length > 1 && { 'db.operation.batch.size': statements.length }),
    }
    const span = tracer.startSpan(summary, { kind: SpanKind.CLIENT, attributes }, parent)
    try {
      return await work()
    } catch (error) {
      const type = error instanceof DatabaseUnavailable ? error.fault : 'error'
      span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }
}

function remote(parent: TraceContext | undefined): Context {
  if (!parent) return ROOT_CONTEXT
  const { traceId, parentId: spanId } = parent
  const context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
  return trace.setSpanContext(ROOT_CONTEXT, context)
}

/** An unreachable collector fails every few seconds; one line a minute says it. */
function warnSeldom({
  log,
  monotonic,
}: Pick<OpenTelemetryOptions, 'log' | 'monotonic'>): (message: string) => void {
  let lastAt = Number.NEGATIVE_INFINITY
  const warn = (message: string) => {
    const now = monotonic()
    if (now - lastAt < WARN_EVERY_MS) return
    lastAt = now
    log.warn({ cause: message.slice(0, 500) }, 'traces are not delivered')
  }
  const nothing = () => {}
  const logger = { error: warn, warn, info: nothing, debug: nothing, verbose: nothing }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  return warn
}
