// The real PgBouncer in transaction mode between the service and PostgreSQL, as documented: it serves, with
// fewer server connections than requests, and the time-outs hold, whether it refuses the parameters of
// a new connection or ignores them. Decision 10.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openPostgres } from '../../packages/server/src/db/postgres/postgres.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import {
  administerAt,
  startPostgres,
  type TestPostgres,
} from '../../packages/server/test/postgres.ts'
import { launchServer } from '../../packages/server/test/postgres-server.ts'
import { isMissing } from './debian.ts'
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts'
import { ADMIN, startService } from './service-process.ts'
import { exchange, freshCode, send, setUpPractice } from './story-verbs.ts'

const UNPRIVILEGED = 65_534

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

/** A certificate that is its own authority, for PostgreSQL and for the pooler. Under root both run without rights. */
function makeCertificate(folder: string): { readonly key: string; readonly certificate: string } {
  const [key, certificate] = [join(folder, 'tls.key'), join(folder, 'tls.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', key],
      ...['-out', certificate],
    ],
    { stdio: 'ignore' },
  )
  chmodSync(folder, 0o755)
  chmodSync(key, 0o600)
  if (process.getuid?.() === 0) chownSync(key, UNPRIVILEGED, UNPRIVILEGED)
  return { key, certificate }
}

test('serves launches through PgBouncer in transaction mode as documented', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'chartside-pooler-tls-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { key, certificate } = makeCertificate(folder)
  const files = { ssl: 'on', ssl_key_file: key, ssl_cert_file: certificate }
  const encrypted = await launchServer(files)
  running.push(encrypted)
  await administerAt(encrypted.url, 'CREATE DATABASE chartside')
  const pooler = await startPgBouncer(
    encrypted.url.replace(/postgres$/, 'chartside'),
    ['default_pool_size = 3'],
    { 'database-ca.pem': certificate, 'pooler.key': key, 'pooler.pem': certificate },
  )
  if (isMissing(pooler)) return t.skip(pooler.why)
  running.push(pooler)
  const url = `${pooler.url}?sslmode=verify-full&sslrootcert=${certificate}`
  const service = await startService({ environment: { CHARTSIDE_DATABASE_URL: url } })
  running.push({ stop: () => service.discard() })
  const practice = await setUpPractice(service.baseUrl, ADMIN)
  const issued = await Promise.all(
    Array.from({ length: 40 }, async () => exchange(practice, await freshCode(practice))),
  )
  assert.deepEqual(new Set(issued.map(({ status }) => status)), new Set([200]))
  assert.equal((await send(service.baseUrl, '/health/ready')).status, 200)
  assert.doesNotMatch(service.output(), /storage unavailable|startup parameter/)
  const question = `SELECT COUNT(*) AS plain FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
    WHERE datname = 'chartside' AND NOT ssl`
  assert.deepEqual(await administerAt(encrypted.url, question), [{ plain: '0' }])
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
