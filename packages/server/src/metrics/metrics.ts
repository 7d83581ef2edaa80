// What the service notes for those who operate it. A node without a port for metrics notes nothing, so
// that nothing is paid for. Names and units of what is served are in prometheus.ts. Contract §10.
import type { Database } from '../db/database.ts'

/** `reason` is a code of kernel/reasons.ts, so there are few; empty when nothing failed. */
export type LaunchOutcome = 'opened' | 'ready' | 'failed'

export type SignInMethod = 'passkey' | 'password' | 'provider' | 'second_factor'
/** The outcome `failed` is not the user's fault, such as a provider that does not answer. */
export type SignInOutcome = 'failed' | 'ok' | 'refused'

export interface Metrics {
  noteLaunch(outcome: LaunchOutcome, reason?: string): void
  noteTimeToReady(seconds: number): void
  noteSignIn(method: SignInMethod, outcome: SignInOutcome): void
  /** An answer with this code of an error; there are few. */
  noteError(code: string): void
  noteRequest(route: string, method: string, status: number, seconds: number): void
  /** The database, with the time of each operation noted. */
  timed(db: Database): Database
}

export interface HasMetrics {
  readonly metrics: Metrics
}

/** These are read only when a scrape asks for them. */
export interface MetricSources {
  eventStreams(): number
  queueDepth(): number
  signingKeyAgeSeconds(): number
  clockOffsetSeconds(): number
  /** Counts the extensions and pages that may open apps. */
  hostOrigins(): number
  /** Partitions of the database that cannot be reached. */
  partitionsUnavailable(): Promise<number>
  /** The times in milliseconds since 1970, by name; the names are few. @throws DatabaseUnavailable */
  occurrences(): Promise<ReadonlyMap<string, number>>
  /** The time in seconds since 1970; absent without TLS in the process. */
  tlsExpirySeconds?: (() => number) | undefined
  /** @throws DatabaseUnavailable */
  auditChainLagSeconds(): Promise<number>
}

export const noMetrics: Metrics = {
  noteLaunch() {},
  noteTimeToReady() {},
  noteSignIn() {},
  noteError() {},
  noteRequest() {},
  timed: (db) => db,
}
