// The bytes of audit that a launch leaves for years, on both engines: the tables of events and links with
// their indexes, after whole launches (opened, authorized, exchanged), each chained by itself, as in a
// practice that opens one app a minute. docs/scaling.md, docs/decisions/0041.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { extendChains } from '../src/audit/audit-chain.ts'
import { ExportCheck } from '../src/audit/audit-export.ts'
import { readExport } from '../src/audit/audit-export-file.ts'
import { EFFECT, insertLaunchEventStatement } from '../src/audit/audit-store.ts'
import { buildLaunchEvent, type LaunchAction } from '../src/audit/launch-event.ts'
import type { Database } from '../src/db/database.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { openDatabase } from '../src/db/open.ts'
import { type Statement, sql } from '../src/db/sql.ts'
import { newClientId, newId, newIdIn, newTraceId } from '../src/kernel/identifiers.ts'
import { partOf, partOfId } from '../src/kernel/partitions.ts'
import { systemRandomness } from '../src/kernel/randomness.ts'
import { ENGINES } from './engines.ts'
import { administerAt } from './postgres.ts'

const ACCOUNTS = 50
const ROUNDS = 20
const MAX_BYTES = 600
const START = Date.parse('2026-03-01T12:00:00Z')

/** Pages of the tables and of their indexes, full or not. */
async function measure(url: string): Promise<Record<string, number>> {
  if (url.startsWith('file:')) {
    const file = new DatabaseSync(url.slice('file:'.length))
    const rows = file
      .prepare(
        `SELECT name, SUM(pgsize) AS bytes FROM dbstat WHERE name LIKE '%audit\\_%' ESCAPE '\\' GROUP BY name`,
      )
      .all()
    file.close()
    return Object.fromEntries(rows.map(({ name, bytes }) => [String(name), Number(bytes)]))
  }
  const rows = await administerAt(
    url,
    `SELECT relname AS name, pg_relation_size(oid) AS bytes FROM pg_class
      WHERE relname LIKE 'audit\\_%' AND relkind IN ('r', 'i')`,
  )
  return Object.fromEntries(rows.map(({ name, bytes }) => [String(name), Number(bytes)]))
}

const sum = (sizes: Record<string, number>) => Object.values(sizes).reduce((a, b) => a + b, 0)

const randomness = systemRandomness()

/** The EHR session of an account, as far as an event needs it. */
async function openSession(db: Database, accountId: string): Promise<string> {
  const part = partOf(accountId)
  const id = newIdIn(part, 'ses', START, randomness)
  await db.write(
    sql`INSERT INTO ehr_sessions (id, part, sign_in_id, user_id, account_id, ehr_type, device_id, apps, created_at)
      VALUES (${id}, ${part}, 'sgn_1', 'usr_1', ${accountId}, 'meadow', 'device', '[]', ${START})`,
  )
  return id
}

interface Practice {
  readonly sessionId: string
  readonly userId: string
  readonly appId: string
  readonly clientId: string
}

/** The writes of a launch that succeeds, with the events that its three steps add. */
function launchStatements(practice: Practice, at: number): Statement[] {
  const { sessionId, userId, appId, clientId } = practice
  const id = newIdIn(partOfId(sessionId), 'lau', at, randomness)
  const stepOf = (action: LaunchAction, actor: string, now: number) => {
    const call = { now, address: '203.0.113.77', traceId: newTraceId(randomness) }
    const step = { action, actor, target: appId, launchId: id }
    return buildLaunchEvent({ randomness }, call, step)
  }
  return [
    sql`INSERT INTO launches (id, part, launch_hash, code_hash, token_hash, app_id, client_id, kind,
          session_id, sign_in_id, context, created_at, expires_at)
        VALUES (${id}, ${partOfId(id)}, ${`l${id}`}, ${`c${id}`}, ${`t${id}`}, ${appId}, ${clientId}, 'ui',
          ${sessionId}, 'sgn_1', '{}', ${at}, ${at})`,
    insertLaunchEventStatement(stepOf('launch', userId, at), EFFECT.launched(`l${id}`)),
    insertLaunchEventStatement(stepOf('authorize', userId, at + 700), EFFECT.authorized(`c${id}`)),
    insertLaunchEventStatement(stepOf('exchange', clientId, at + 900), EFFECT.exchanged(`t${id}`)),
  ]
}

for (const [name, start] of ENGINES) {
  test(`${name}: a launch leaves at most 600 bytes of audit, with its indexes`, async (t) => {
    const engine = await start()
    t.after(() => engine.stop())
    const url = await engine.freshDatabase()
    // Over one connection: each of several fills a page of its own, which is no loss where there are many rows.
    const db = await openDatabase(url, { poolSize: 1 })
    t.after(() => db.close())
    await migrate(db, () => START)
    const before = await measure(url)
    const accounts = Array.from({ length: ACCOUNTS }, () => newId('acc', START, randomness))
    const practices = await Promise.all(
      accounts.map(async (accountId) => ({
        sessionId: await openSession(db, accountId),
        userId: newId('usr', START, randomness),
        appId: newId('app', START, randomness),
        clientId: newClientId(randomness),
      })),
    )
    for (let round = 1; round <= ROUNDS; round++) {
      const at = START + round * 60_000
      for (const [i, practice] of practices.entries()) {
        await db.write(...launchStatements(practice, at + i * 500))
      }
      // Each launch is chained by itself, which takes most room.
      await extendChains(db, at + 59_000, { settleMs: 0 })
    }
    const after = await measure(url)
    const launches = ACCOUNTS * ROUNDS
    const bytes = (sum(after) - sum(before)) / launches
    const found = `${name}: ${bytes.toFixed(0)} bytes a launch, of ${JSON.stringify(after)}`
    console.log(found)
    assert.ok(bytes > 100 && bytes <= MAX_BYTES, found)
    for (const accountId of accounts) {
      const check = new ExportCheck()
      for await (const line of readExport(db, accountId)) check.take(line.trimEnd())
      const { problems, events } = check.finish()
      assert.deepEqual([problems, events], [[], 3 * ROUNDS])
    }
  })
}
