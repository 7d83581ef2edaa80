// That no filter of a list of launches or sessions reads a whole table for any caller: the plans of both
// engines. Contract §3, security V18.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Statement, sql } from '../src/db/sql.ts'
import { listAppUseStatement } from '../src/launches/health/app-use-store.ts'
import { listReadyStatement } from '../src/launches/health/launch-health-store.ts'
import type { LaunchFilter, LaunchScope } from '../src/launches/list/launch-filter-store.ts'
import {
  listCausesStatement,
  listLaunchesStatement,
  listRecentStatement,
} from '../src/launches/list/launch-list-store.ts'
import { listPracticesStatement } from '../src/launches/list/launch-practices-store.ts'
import { livenessCutoff } from '../src/liveness/liveness.ts'
import { listSessionsStatement, type SessionScope } from '../src/sessions/session-list-store.ts'
import { createFixture, type Fixture } from './account-fixture.ts'
import { startPostgres, type TestPostgres } from './postgres.ts'
import { isOnPostgres, startTestService, type TestService } from './test-service.ts'

let node: TestService
let practice: Fixture
let postgres: TestPostgres | undefined
before(async () => {
  // Undivided: a small partition is read faster from start to end than by its index.
  postgres = isOnPostgres ? await startPostgres() : undefined
  const url = await postgres?.freshDatabase()
  node = await startTestService(url ? { CHARTSIDE_DATABASE_URL: url } : {})
  practice = await createFixture(node)
})
after(async () => {
  await node.close()
  await postgres?.stop()
})

/** The lines of the plan that read a table from its start to its end. */
async function scansOf(statement: Statement): Promise<string[]> {
  const { db } = node.service
  const explain = isOnPostgres ? 'EXPLAIN ' : 'EXPLAIN QUERY PLAN '
  const rows = await db.read({ ...statement, sql: explain + statement.sql })
  const lines = rows.map((row) => String(isOnPostgres ? row['QUERY PLAN'] : row.detail))
  const isScan = isOnPostgres
    ? /Seq Scan on (launches|launch_failures|ehr_sessions)/
    : /SCAN (launches|l|f|launch_failures|ehr_sessions)\b/
  // A choice of rows that stands in place of the table has its name.
  const isChoice = lines.some((line) => /^(CO-ROUTINE|MATERIALIZE) l$/.test(line))
  const found = lines.filter((line) => isScan.test(line))
  return isChoice
    ? found.toSpliced(found.indexOf('SCAN l'), found.includes('SCAN l') ? 1 : 0)
    : found
}

test('reads no table from start to end for any filter of any caller', async () => {
  const { db } = node.service
  const now = node.clock()
  // Enough rows that a planner with statistics has a reason to use an index.
  await db.write(
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO launches (id, part, launch_hash, app_id, client_id, kind, session_id, sign_in_id,
        context, created_at, expires_at, app_disabled_count)
      SELECT 'lau_00plan' || (1000000 + i), 1 + i % 1000, '', 'app_' || (i % 500), '', 'ui', 'ses_' || (i % 5000),
        '', '{}', 0, 0, 0 FROM n`,
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO launch_failures
        (id, part, launch_id, step, code, reason, trace_id, failed_at)
      SELECT 'evt_00plan' || (1000000 + i), 1 + i % 1000, 'lau_00plan' || (1000000 + i), 'authorize', '',
        'r' || (i % 300), 't' || i, 0 FROM n`,
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
      INSERT INTO ehr_sessions (id, part, sign_in_id, user_id, account_id, ehr_type, device_id,
        apps, created_at, signed_in_at, expires_at, last_seen_at)
      SELECT 'ses_' || i, 1 + i % 1000, '', 'usr_' || (i % 9000), 'acc_' || (i % 9000), '', '', '[]',
        0, 0, CAST(${now + 1000} AS BIGINT), CAST(${now} AS BIGINT) FROM n`,
  )
  if (isOnPostgres) await db.write(sql`ANALYZE`)
  const none: LaunchFilter = {
    ...{ sessionId: undefined, appId: undefined, state: undefined, reason: undefined },
    ...{ outcome: undefined, traceId: undefined, from: undefined, to: undefined },
    cutoff: livenessCutoff(now, 600),
  }
  const filters: Partial<LaunchFilter>[] = [
    {},
    { sessionId: 'ses_7' },
    { appId: 'app_7' },
    { practiceId: 'acc_7' },
    { practiceId: 'acc_7', appId: 'app_7', outcome: 'failed' },
    { state: 'opened' },
    { outcome: 'failed' },
    { outcome: 'opening' },
    { reason: 'r7' },
    { traceId: 't7' },
    { from: now - 1000, to: now },
  ]
  const parts = { isEverything: false, practiceIds: [], vendorIds: [], vendorAppIds: undefined }
  const scopes: Record<string, LaunchScope> = {
    platform: { ...parts, isEverything: true },
    person: { ...parts, ofUsers: [{ userId: 'usr_7', accountId: undefined, closedTo: ['acc_8'] }] },
    'a user in one practice': { ...parts, ofUsers: [{ userId: 'usr_7', accountId: 'acc_7' }] },
    practice: { ...parts, practiceIds: ['acc_7'] },
    'vendor of few apps': { ...parts, vendorIds: ['acc_7'], vendorAppIds: ['app_7', 'app_8'] },
    'vendor of many apps': { ...parts, vendorIds: [practice.accountId] },
  }
  for (const [who, scope] of Object.entries(scopes)) {
    for (const given of filters) {
      const filter = { ...none, ...given }
      const what = `${who} ${JSON.stringify(given)}`
      const page = { cursor: 'lau_00plan1010000', limit: 51 }
      assert.deepEqual(await scansOf(listLaunchesStatement(scope, filter, page)), [], what)
      const bounded = { ...filter, from: filter.from ?? now - 1000 }
      assert.deepEqual(await scansOf(listCausesStatement(scope, bounded)), [], `causes: ${what}`)
      assert.deepEqual(await scansOf(listRecentStatement(scope, bounded, 51)), [], `all: ${what}`)
      const gathered = listPracticesStatement(scope, bounded, 'a', 51)
      assert.deepEqual(await scansOf(gathered), [], `practices: ${what}`)
    }
  }
  assert.deepEqual(await scansOf(listReadyStatement('app_7', 0)), [], 'usual times')
  assert.deepEqual(await scansOf(listAppUseStatement('acc_7', now - 1000)), [], 'use of apps')
  const sessionScopes: Record<string, SessionScope> = {
    platform: {
      isEverything: true,
      own: { userId: '', accountId: undefined, closedTo: [] },
      practiceIds: [],
    },
    practice: {
      ...{ isEverything: false, own: { userId: 'usr_7', accountId: 'acc_7', closedTo: [] } },
      practiceIds: ['acc_7'],
    },
  }
  for (const [who, scope] of Object.entries(sessionScopes)) {
    for (const state of [undefined, 'live', 'ended'] as const) {
      const filter = { state, signInId: undefined, cutoff: none.cutoff }
      const statement = listSessionsStatement(scope, filter, { cursor: 'ses_~', limit: 51 })
      assert.deepEqual(await scansOf(statement), [], `sessions: ${who} ${state}`)
    }
  }
})
