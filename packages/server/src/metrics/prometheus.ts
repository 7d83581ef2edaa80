// The metrics of a node as Prometheus text: names, help, labels and buckets. Seconds everywhere. Labels
// have few values: routes of the table, outcomes, reason codes. Contract §10.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../db/database.ts'
import type { MetricSources, Metrics } from './metrics.ts'

export interface PrometheusMetrics extends Metrics {
  /** Watches the sources; call it once, when the node is wired. */
  watch(sources: MetricSources): void
  /** The text that a scrape gets. */
  render(): Promise<string>
  readonly contentType: string
}

const FAST = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const OF_PEOPLE = [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30]
const READ = { operation: 'read' } as const
const WRITE = { operation: 'write' } as const
const TOKEN_ROUTE = '/app-auth/token'
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

export function prometheusMetrics(version: string): PrometheusMetrics {
  const registry = new Registry()
  const registers = [registry]
  const { launches, timeToReady, signIns, exchanges, requests, errors, database } =
    buildInstruments(registers)
  new Gauge({
    name: 'chartside_build_info',
    help: 'One, with the version of the node.',
    labelNames: ['version'] as const,
    registers,
  }).set({ version }, 1)
  collectDefaultMetrics({ register: registry })
  // Gauges with the name of a counter. The sum of nodejs_active_resources and the others says the same.
  for (const name of MISNAMED) registry.removeSingleMetric(name)

  // Beside the promise of the operation: its caller waits for nothing more.
  const time = <T>(labels: { readonly operation: string }, run: () => Promise<T>): Promise<T> => {
    // Before the operation: a read of the embedded database is done when it returns.
    const end = database.startTimer(labels)
    const work = run()
    const note = () => void end()
    work.then(note, note)
    return work
  }
  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    noteLaunch: (outcome, reason = '') => launches.inc({ outcome, reason }),
    noteTimeToReady: (seconds) => timeToReady.observe(seconds),
    noteSignIn: (method, outcome) => signIns.inc({ method, outcome }),
    noteError: (code) => errors.inc({ code }),
    noteRequest(route, method, status, seconds) {
      requests.observe({ route, method, status }, seconds)
      if (route === TOKEN_ROUTE) exchanges.observe(seconds)
    },
    timed: (db: Database) => ({
      ...db,
      read: (statement) => time(READ, () => db.read(statement)),
      write: (...statements) => time(WRITE, () => db.write(...statements)),
    }),
    watch: (sources) => addGauges(registers, sources),
  }
}

function buildInstruments(registers: Registry[]) {
  const launches = new Counter({
    name: 'chartside_launches_total',
    help: 'Launches that were opened, became ready, or failed at a step, by the reason code.',
    labelNames: ['outcome', 'reason'] as const,
    registers,
  })
  const timeToReady = new Histogram({
    name: 'chartside_time_to_ready_seconds',
    help: 'From the opening of a launch to its session context.',
    buckets: OF_PEOPLE,
    registers,
  })
  const signIns = new Counter({
    name: 'chartside_sign_ins_total',
    help: 'Attempts to sign in, by the login method and what became of them.',
    labelNames: ['method', 'outcome'] as const,
    registers,
  })
  const exchanges = new Histogram({
    name: 'chartside_exchange_duration_seconds',
    help: 'Time of a request to the token endpoint.',
    buckets: FAST,
    registers,
  })
  const requests = new Histogram({
    name: 'chartside_request_duration_seconds',
    help: 'Time of a request by its route; event streams are left out.',
    labelNames: ['route', 'method', 'status'] as const,
    buckets: FAST,
    registers,
  })
  const errors = new Counter({
    name: 'chartside_request_errors_total',
    help: 'Answers that carry an error, by its code.',
    labelNames: ['code'] as const,
    registers,
  })
  const database = new Histogram({
    name: 'chartside_database_duration_seconds',
    help: 'Time of a read or a write, with its wait for a connection.',
    labelNames: ['operation'] as const,
    buckets: FAST,
    registers,
  })
  return { launches, timeToReady, signIns, exchanges, requests, errors, database }
}

/** The numbers that are read when a scrape asks for them. */
function addGauges(registers: Registry[], sources: MetricSources): void {
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        // A source that cannot be read now is absent from this scrape, not zero.
        this.remove()
        const value = await Promise.resolve()
          .then(read)
          .catch(() => Number.NaN)
        if (!Number.isNaN(value)) this.set(value)
      },
    })
  gauge('chartside_event_streams', 'Open event streams.', () => sources.eventStreams())
  gauge('chartside_queue_depth', 'Requests that wait for their turn.', () => sources.queueDepth())
  gauge('chartside_signing_key_age_seconds', 'Since when the key signs.', () =>
    sources.signingKeyAgeSeconds(),
  )
  gauge('chartside_audit_chain_lag_seconds', 'Age of the oldest event in no chain.', () =>
    sources.auditChainLagSeconds(),
  )
  gauge('chartside_clock_offset_seconds', 'This clock ahead of the database’s.', () =>
    sources.clockOffsetSeconds(),
  )
  gauge('chartside_host_origins', 'Extensions and pages that may open apps.', () =>
    sources.hostOrigins(),
  )
  gauge('chartside_partitions_unavailable', 'Partitions of the database out of reach.', () =>
    sources.partitionsUnavailable(),
  )
  new Gauge({
    name: 'chartside_last_occurrence_timestamp_seconds',
    help: 'When it happened for the last time, in seconds since 1970.',
    labelNames: ['occurrence'] as const,
    registers,
    async collect() {
      this.reset()
      const found = await sources.occurrences().catch(() => new Map<string, number>())
      for (const [occurrence, at] of found) this.set({ occurrence }, at / 1000)
    },
  })
  const { tlsExpirySeconds } = sources
  if (tlsExpirySeconds) {
    gauge(
      'chartside_tls_certificate_expiry_timestamp_seconds',
      'When the TLS certificate that this node serves ends, in seconds since 1970.',
      tlsExpirySeconds,
    )
  }
}
