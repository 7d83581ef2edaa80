// Lists of launches with a million launches in the database, on SQLite, or on PostgreSQL with TEST_POSTGRES_URL:
// what each caller of the Launch Inspector waits for. Fills a database of its own; prints every time.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Statement, sql } from '../../packages/server/src/db/sql.ts'
import { idFloor } from '../../packages/server/src/kernel/identifiers.ts'
import { createFixture, type Fixture } from '../../packages/server/test/account-fixture.ts'
import { startTestService, type TestService } from '../../packages/server/test/test-service.ts'

const LAUNCHES = Number(process.env.CHARTSIDE_PERF_LAUNCHES ?? 1_000_000)
const BATCH = 50_000
/** Of five; each session has this many launches, and every hundredth launch failed. */
const LAUNCHES_A_SESSION = 5
const EVERY_MS = 600
const LIMIT_MS = 1000

let node: TestService
let fixture: Fixture
before(async () => {
  node = await startTestService()
  fixture = await createFixture(node)
  const begun = performance.now()
  await fill()
  console.log(`${LAUNCHES} launches in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
})
after(() => node.close())

/** A week at an even pace; a twentieth of the sessions is of the practice, half of the launches of the app. */
async function fill(): Promise<void> {
  const { db } = node.service
  const { people, accountId, app } = fixture
  const now = node.clock()
  const first = now - LAUNCHES * EVERY_MS
  const [signIn] = await db.read(sql`SELECT id FROM sign_ins WHERE user_id = ${people.provider.id}`)
  const context = JSON.stringify({
    ...{ sub: people.provider.id, name: 'Provider', email: '', sid: '', ehr_type: 'meadow' },
    ...{ account: { id: accountId, name: 'Lakeside' }, device_id: 'd' },
  })
  const id = (prefix: 'lau' | 'ses', n: number) =>
    `${idFloor(prefix, Math.floor(first + n * EVERY_MS))}${String(n).padStart(12, '0')}`
  for (let from = 0; from < LAUNCHES; from += BATCH) {
    const statements: Statement[] = []
    const sessions: unknown[] = []
    const launches: unknown[] = []
    const failures: unknown[] = []
    for (let n = from; n < Math.min(from + BATCH, LAUNCHES); n++) {
      const at = Math.floor(first + n * EVERY_MS)
      const session = id('ses', n - (n % LAUNCHES_A_SESSION))
      if (n % LAUNCHES_A_SESSION === 0) {
        const account = (n / LAUNCHES_A_SESSION) % 20 === 0 ? accountId : `acc_${n % 7919}`
        sessions.push([session, signIn?.id, people.provider.id, account, at])
      }
      const isFailed = n % 100 === 0
      const appId = n % 2 === 0 ? app.id : `app_${n % 997}`
      launches.push([
        id('lau', n),
        appId,
        session,
        at,
        isFailed ? null : at + 900,
        isFailed ? 1 : null,
      ])
      if (isFailed) failures.push([`evt_${id('lau', n).slice(4)}`, id('lau', n), at])
    }
    statements.push(
      insertRows(
        'ehr_sessions (id, sign_in_id, user_id, account_id, created_at, ehr_type, device_id, apps)',
        ['text', 'text', 'text', 'text', 'bigint'],
        sql`, 'meadow', 'd', '[]'`,
        sessions,
      ),
      insertRows(
        `launches (id, app_id, session_id, created_at, context_at, failure_count, launch_hash,
          client_id, kind, sign_in_id, context, expires_at, ended_at)`,
        ['text', 'text', 'text', 'bigint', 'bigint', 'bigint'],
        sql`, '', 'cli', 'ui', ${String(signIn?.id)}, ${context}, ${now}, ${now}`,
        launches,
      ),
      insertRows(
        'launch_failures (id, launch_id, failed_at, step, code, reason, trace_id)',
        ['text', 'text', 'bigint'],
        sql`, 'exchange', 'invalid_client', 'secret_retired', 'trace'`,
        failures,
      ),
    )
    await db.write(...statements)
  }
  if (process.env.CHARTSIDE_TEST_ENGINE === 'postgres') await db.write(sql`ANALYZE`)
}

/** One statement for many rows, which travel as one JSON text. */
function insertRows(
  into: string,
  types: readonly ('text' | 'bigint')[],
  constants: Statement,
  rows: readonly unknown[],
): Statement {
  const isPostgres = process.env.CHARTSIDE_TEST_ENGINE === 'postgres'
  const columns = types.map((type, at) =>
    isPostgres ? `CAST(r.value ->> ${at} AS ${type})` : `r.value ->> '$[${at}]'`,
  )
  const source = isPostgres
    ? 'jsonb_array_elements(CAST(? AS jsonb)) AS r(value)'
    : 'json_each(?) AS r'
  return {
    sql: `INSERT INTO ${into} SELECT ${columns.join(', ')}${constants.sql} FROM ${source}`,
    args: [...constants.args, JSON.stringify(rows)],
  }
}

test('answers every list of the Launch Inspector within a second', async () => {
  const { people, app, accountId } = fixture
  const day = new Date(node.clock() - 86_400_000).toISOString()
  const paths = [
    'launches?limit=50',
    `launches?limit=50&from=${day}`,
    ...['failed', 'opening', 'ready', 'ended'].map(
      (outcome) => `launches?limit=50&outcome=${outcome}`,
    ),
    `launches?limit=50&appId=${app.id}`,
    'launches?limit=50&reason=secret_retired',
    'launches?limit=50&traceId=none',
    `launches/summary?from=${day}`,
    `launches/causes?from=${day}`,
    'sessions?limit=50&state=live',
    'sessions?limit=50',
  ]
  const slow: string[] = []
  const measure = async (who: keyof Fixture['people'], path: string) => {
    const headers = { authorization: `Bearer ${people[who].token}` }
    const times: number[] = []
    for (let turn = 0; turn < 3; turn++) {
      const begun = performance.now()
      const answer = await node.server.inject({ url: `/api/${path}`, headers })
      times.push(performance.now() - begun)
      assert.equal(answer.statusCode, 200, `${path}: ${answer.body}`)
    }
    const [best = 0, , worst = 0] = times.toSorted((a, b) => a - b)
    console.log(`${who} ${path}: ${best.toFixed(0)} to ${worst.toFixed(0)} ms`)
    if (best > LIMIT_MS) slow.push(`${who} ${path}: ${best.toFixed(0)} ms`)
  }
  for (const path of paths) {
    await measure('platformAdmin', path)
    const inAccount = `${path}${path.includes('?') ? '&' : '?'}accountId=${accountId}`
    await measure('accountAdmin', inAccount)
    await measure('developer', inAccount)
  }
  await measure('developer', `apps/${app.id}/health`)
  assert.deepEqual(slow, [])
})
