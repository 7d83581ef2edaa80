// Loads the library of traces where a collector is configured; a node without one pays nothing for it.
// What a span holds is in opentelemetry.ts. Contract §10.
import type { Config } from '../config/config.ts'
import type { Clock } from '../kernel/randomness.ts'
import type { Instance, Tracing } from './tracing.ts'

interface Log {
  warn(detail: object, message: string): void
}

/** Each costs up to a seventh of a millisecond: together less than two of a hundred of a core. */
const TRACES_PER_SECOND = 100

export async function loadTracing(
  {
    baseUrl,
    databaseUrl,
    environment,
    otlpEndpoint,
    tracesShare,
  }: Pick<Config, 'baseUrl' | 'databaseUrl' | 'environment' | 'otlpEndpoint' | 'tracesShare'>,
  instance: Instance,
  { log, monotonic }: { readonly log: Log; readonly monotonic: Clock },
): Promise<Tracing | undefined> {
  if (!otlpEndpoint) return undefined
  const { openTelemetry } = await import('./opentelemetry.ts')
  return openTelemetry({
    endpoint: otlpEndpoint,
    share: tracesShare,
    perSecond: TRACES_PER_SECOND,
    ...{ baseUrl, databaseUrl, environment, instance, log, monotonic },
  })
}
