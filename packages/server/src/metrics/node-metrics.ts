// The metrics of one node: loads the library where a collector is expected, tells the metrics what to read
// of the running service, and opens their port. Without the setting none of it happens.

import { findOldestUnchained } from '../audit/audit-chain.ts'
import type { HasDatabaseClock } from '../cluster/database-clock.ts'
import { listOccurrences } from '../cluster/occurrence-store.ts'
import type { HasPartitionHealth } from '../cluster/partition-health.ts'
import type { Config, HasConfig } from '../config/config.ts'
import { readVersion } from '../config/version.ts'
import type { HasDatabase } from '../db/database.ts'
import type { HasKeys } from '../keys/key-ring.ts'
import type { PrometheusMetrics } from './prometheus.ts'

export async function loadMetrics({
  metricsPort,
}: Pick<Config, 'metricsPort'>): Promise<PrometheusMetrics | undefined> {
  if (metricsPort === 0) return undefined
  return (await import('./prometheus.ts')).prometheusMetrics(readVersion())
}

/** The listener of the node knows these. */
export interface WatchedListener {
  readonly queueDepth: () => number
  /** The certificate; only a process with TLS has it. */
  readonly certificate?: { expiresAt(): number } | undefined
}

/** A scrape waits no longer for the machines of a database. */
const MAX_WAIT_MS = 1000

interface Watched extends HasConfig, HasDatabase, HasDatabaseClock, HasKeys, HasPartitionHealth {
  readonly streams: { count(): number }
}

export function watchService(
  metrics: PrometheusMetrics,
  { config, db, keys, partitions, streams, time }: Watched,
  { queueDepth, certificate }: WatchedListener,
): void {
  metrics.watch({
    queueDepth,
    eventStreams: () => streams.count(),
    signingKeyAgeSeconds: () => keys.signerAge(time.now()) / 1000,
    clockOffsetSeconds: () => time.offsetMs() / 1000,
    hostOrigins: () => config.hostOrigins.length,
    partitionsUnavailable: async () => (await partitions.count(MAX_WAIT_MS)).unavailable,
    occurrences: () => listOccurrences(db),
    tlsExpirySeconds: certificate && (() => certificate.expiresAt() / 1000),
    async auditChainLagSeconds() {
      const oldest = await findOldestUnchained(db, time.now())
      return oldest === undefined ? 0 : Math.max(0, time.now() - oldest) / 1000
    },
  })
}

export interface ClosableListener {
  close(): void
}

/** @throws the error of the socket, such as EADDRINUSE, with the setting that it is about */
export async function listenForScrapes(
  metrics: PrometheusMetrics,
  { metricsHost: host, metricsPort: port }: Pick<Config, 'metricsHost' | 'metricsPort'>,
): Promise<ClosableListener> {
  const { openListener } = await import('./metrics-listener.ts')
  const server = await openListener(metrics, { host, port }).catch((error: Error) => {
    throw Object.assign(error, { setting: 'CHARTSIDE_METRICS_PORT' })
  })
  return {
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
