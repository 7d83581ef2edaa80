// The real PgBouncer in transaction mode between the service and PostgreSQL, as documented: it serves, with
// fewer server connections than requests, and the time-outs hold, whether it refuses the parameters of
// a new connection or ignores them. Decision 10.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPostgres } from '../../packages/server/src/db/postgres/postgres.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import { startPostgres, type TestPostgres } from '../../packages/server/test/postgres.ts'
import { isMissing } from './debian.ts'
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts'
import { ADMIN, startService } from './service-process.ts'
import { exchange, freshCode, send, setUpPractice } from './story-verbs.ts'

let postgres: TestPostgres
const running: { stop(): Promise<void> }[] = []
before(async () => {
  postgres = await startPostgres()
})
after(async () => {
  for (const one of running.reverse()) await one.stop()
  await postgres?.stop()
})

async function pooled(more?: readonly string[]): Promise<PgBouncer | string> {
  const pooler = await startPgBouncer(await postgres.freshDividedDatabase(), more)
  if (isMissing(pooler)) return pooler.why
  running.push(pooler)
  return pooler
}

test('serves launches through PgBouncer in transaction mode as documented', async (t) => {
  const pooler = await pooled(['default_pool_size = 3'])
  if (typeof pooler === 'string') return t.skip(pooler)
  const service = await startService({ environment: { CHARTSIDE_DATABASE_URL: pooler.url } })
  running.push({ stop: () => service.discard() })
  const practice = await setUpPractice(service.baseUrl, ADMIN)
  const issued = await Promise.all(
    Array.from({ length: 40 }, async () => exchange(practice, await freshCode(practice))),
  )
  assert.deepEqual(new Set(issued.map(({ status }) => status)), new Set([200]))
  assert.equal((await send(service.baseUrl, '/health/ready')).status, 200)
  assert.doesNotMatch(service.output(), /storage unavailable|startup parameter/)
})

for (const [how, more] of [
  ['refuses', []],
  [
    'ignores',
    [
      'ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
    ],
  ],
] as const) {
  test(`keeps its time-outs where PgBouncer ${how} the parameters of a connection`, async (t) => {
    const pooler = await pooled(more)
    if (typeof pooler === 'string') return t.skip(pooler)
    const db = openPostgres(pooler.url, { statementTimeoutMs: 700, lockTimeoutMs: 300 })
    running.push({ stop: () => db.close() })
    const limits = sql`SELECT name, setting FROM pg_settings
      WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') ORDER BY name`
    const settings = (rows: readonly Record<string, unknown>[]) => rows.map((row) => row.setting)
    assert.deepEqual(settings(await db.read(limits)), ['5000', '300', '700'])
    const [, inBatch = []] = await db.write(sql`SELECT 1`, limits)
    assert.deepEqual(settings(inBatch), ['5000', '300', '700'])
    const began = performance.now()
    await assert.rejects(db.read(sql`SELECT pg_sleep(20)`), { fault: 'busy' })
    assert.ok(performance.now() - began < 5000)
    await db.write(sql`CREATE TABLE rows (id TEXT PRIMARY KEY)`, sql`INSERT INTO rows VALUES ('a')`)
    const held = db.write(sql`UPDATE rows SET id = id`, sql`SELECT pg_sleep(0.6)`)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await assert.rejects(db.write(sql`UPDATE rows SET id = id`), { fault: 'busy' })
    await held
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        assert.deepEqual(await db.read(sql`SELECT ${String(n)} AS n`), [{ n: String(n) }])
      }),
    )
  })
}
