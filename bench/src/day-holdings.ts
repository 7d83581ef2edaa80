// Reads what the service of a clinic's day holds: memory and descriptors of its process, its own metrics, rows and
// files of its database. Changes nothing.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { idFloor } from '../../packages/server/src/kernel/identifiers.ts'
import { residentMegabytes } from '../../test/process/service-process.ts'
import { type Holdings, PASSING_TABLES } from './day-verdict.ts'

export const GROWING_TABLES = ['audit_entries', 'launches', 'ehr_sessions', 'sign_ins'] as const

const SWEPT_TABLES = { launches: 'lau', ehr_sessions: 'ses', sign_ins: 'sgn' } as const
/** A sweep begins ten minutes after the last one has ended, at the next minute. */
const SWEPT_WITHIN_MS = 15 * 60_000
/** The job of each minute, with one that was late. */
const DELETED_WITHIN_MS = 3 * 60_000
const MEGABYTE = 1024 * 1024

export type HoldingsReader = () => Promise<Holdings>

export function readHoldings(service: {
  readonly pid: number
  readonly dataDir: string
  readonly metricsPort: number
  readonly retentionMs: number
  readonly run: { count(sql: string): Promise<number> }
}): HoldingsReader {
  const { pid, dataDir, metricsPort, retentionMs, run } = service
  return async () => {
    const rows: Record<string, number> = {}
    for (const table of [...GROWING_TABLES, ...PASSING_TABLES]) {
      // Counters of failures count for up to an hour, and networks of earlier sign-ins for a month.
      const ended = `WHERE window_ends_at < ${Date.now() - DELETED_WITHIN_MS}`
      const where = table === 'rate_limits' ? ended : ''
      rows[table] = await run.count(`SELECT COUNT(*) AS n FROM ${table} ${where}`)
    }
    let overdue = 0
    for (const [table, prefix] of Object.entries(SWEPT_TABLES)) {
      const oldest = idFloor(prefix, Date.now() - retentionMs - SWEPT_WITHIN_MS)
      overdue += await run.count(`SELECT COUNT(*) AS n FROM ${table} WHERE id < '${oldest}'`)
    }
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    const metric = (name: string) => {
      const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics) ?? []
      return value === undefined ? undefined : Number(value)
    }
    return {
      megabytes: residentMegabytes(pid),
      heapMegabytes: scale(metric('nodejs_heap_size_used_bytes'), 1 / MEGABYTE),
      loopP99Ms: scale(metric('nodejs_eventloop_lag_p99_seconds'), 1000),
      auditLagSeconds: metric('chartside_audit_chain_lag_seconds'),
      descriptors: process.platform === 'linux' ? readdirSync(`/proc/${pid}/fd`).length : undefined,
      databaseMegabytes: megabytesOf(join(dataDir, 'chartside.db')),
      logMegabytes: megabytesOf(join(dataDir, 'chartside.db-wal')),
      rows,
      overdue,
    }
  }
}

const scale = (value: number | undefined, factor: number) =>
  value === undefined ? undefined : value * factor

function megabytesOf(file: string): number | undefined {
  const size = statSync(file, { throwIfNoEntry: false })?.size
  return size === undefined ? undefined : size / MEGABYTE
}
