// Prints what a note of the metrics costs by itself, as JSON: µs of processor time of a request to the token
// endpoint, which is noted twice, and of an operation of the database. observability.perf.ts runs it.
import type { Database } from '../../packages/server/src/db/database.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import { prometheusMetrics } from '../../packages/server/src/metrics/prometheus.ts'

const NOTES = 200_000

async function cpuOf(work: () => unknown): Promise<number> {
  for (let i = 0; i < NOTES; i++) await work()
  const before = process.cpuUsage()
  for (let i = 0; i < NOTES; i++) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / NOTES
}

const metrics = prometheusMetrics('1.0.0')
const db = { read: async () => [] } as unknown as Database
const timed = metrics.timed(db)
const statement = sql`SELECT 1`
const plain = await cpuOf(() => db.read(statement))
const operation = (await cpuOf(() => timed.read(statement))) - plain
const request = await cpuOf(() => metrics.noteRequest('/app-auth/token', 'POST', 200, 0.004))
process.stdout.write(JSON.stringify({ request, operation }))
process.exit(0)
