// What a node sends to a collector of traces: one span for each request, with the reads and writes of the
// database in it. Contract §10. Nothing of it is loaded, and nothing is paid for, without the setting.
import type { Database } from '../db/database.ts'
import type { TraceContext } from './trace-context.ts'

export interface FinishedRequest {
  readonly route: string
  /** The path and the query, of which the span has only what is no secret. */
  readonly url: string
  readonly status: number
  /** A stable code of the error, or `ok`. */
  readonly outcome: string
  /** The client_id that the request names; any caller can name any. */
  readonly client: string | undefined
}

export interface RequestSpan {
  readonly id: string
  /** Runs the work; everything that it awaits is part of this span. */
  run<T>(work: () => T): T
  end(request: FinishedRequest): void
}

export interface Tracing {
  /**
   * Begins a span. `traceId` is that of the answer; `parent` is what the caller says of its trace. Returns
   * undefined when the trace is not one of those that are sent: then nothing else is paid for.
   */
  begin(traceId: string, method: string, parent: TraceContext | undefined): RequestSpan | undefined
  /** The database, with a span for each operation of a request. */
  traced(db: Database): Database
  /** Sends what waits, for two seconds at most. */
  close(): Promise<void>
}

export interface HasTracing {
  /** The tracing is present when a collector of traces is configured. */
  readonly tracing: Tracing | undefined
}

/** The names by which the collector and the log know this node. */
export interface Instance {
  readonly name: string
  readonly version: string
}

export interface HasInstance {
  /** The name of this node in the log and at the collector. */
  readonly instance: Instance
}
