// Ready means that the database takes writes: a demoted PostgreSQL and an unresponsive one are
// distinguished from a stopped one, probes do not write to an idle embedded database, and
// live hardly waits. Real databases; the faults are an operator's statements and a mute network.

import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchReadiness } from '../src/cluster/readiness.ts'
import { openDatabase } from '../src/db/open.ts'
import { identifier, type Statement, sql } from '../src/db/sql.ts'
import { openSqlite } from '../src/db/sqlite/sqlite.ts'
import { startFaultyRelay } from './faulty-relay.ts'
import { startPostgres } from './postgres.ts'
import { exchange, freshCode, isActive, startStory } from './story.ts'
import { startTestService, testClock } from './test-service.ts'

test('is not ready from the first moment of a drain, and logs how long it lasts', async (t) => {
  const service = await startTestService({ CHARTSIDE_DATABASE_URL: '' })
  t.after(() => service.close())
  const drained = service.drain(30_000, AbortSignal.abort())
  assert.equal((await service.server.inject({ url: '/health/ready' })).statusCode, 503)
  assert.match(service.logText(), /"seconds":30,"msg":"draining: not ready, serving on"/)
  await drained
})

test('a demoted PostgreSQL reads but is not ready until it is promoted [F01]', async (t) => {
  const postgres = await startPostgres()
  t.after(() => postgres.stop())
  const url = await postgres.freshDividedDatabase()
  const story = await startStory({ CHARTSIDE_DATABASE_URL: url })
  t.after(() => story.close())
  const ready = async () => {
    story.service.clock.advance(1)
    return story.request({ url: '/health/ready' })
  }
  const name = new URL(url).pathname.slice(1)
  /** A new role counts for new connections, so the old ones are cut, as a failover does. */
  const changeRole = async (sql: string) => {
    await postgres.administer(sql)
    await postgres.administer(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    )
    await sleep(100)
  }
  const token = (await exchange(story, await freshCode(story))).json().access_token
  const code = await freshCode(story)
  assert.equal((await ready()).statusCode, 200)

  await changeRole(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  const refused = await ready()
  assert.equal(refused.statusCode, 503)
  assert.match(refused.json().cause, /read-only/)
  assert.ok(refused.headers['retry-after'])
  assert.equal((await exchange(story, code)).statusCode, 503)
  assert.equal(await isActive(story, token), true)
  assert.deepEqual((await story.request({ url: '/health' })).json(), {
    status: 'live',
    ready: false,
  })
  // Two minutes later the note that a sign-in is in use fails, and the read goes on all the same.
  story.service.clock.advance(120)
  assert.equal((await story.api('GET', '/api/users/me')).statusCode, 200)

  await changeRole(`ALTER DATABASE ${name} RESET default_transaction_read_only`)
  assert.equal((await ready()).statusCode, 200)
  const lines = story.service.logText()
  assert.match(lines, /"fault":"read_only","msg":"not ready: no writes"/)
  assert.match(lines, /"msg":"ready again"/)
})

test('a full PostgreSQL is not ready after a failed write until a success [F01, F04]', async (t) => {
  const postgres = await startPostgres()
  t.after(() => postgres.stop())
  const url = await postgres.freshDividedDatabase()
  const story = await startStory({ CHARTSIDE_DATABASE_URL: url })
  t.after(() => story.close())
  const operator = await openDatabase(url)
  t.after(() => operator.close())
  const ready = async () => {
    story.service.clock.advance(1)
    return story.request({ url: '/health/ready' })
  }
  const open = () =>
    story.api('POST', `/api/sessions/${story.sessionId}/launches`, {
      appId: story.app.id,
      kind: 'ui',
    })
  assert.equal((await ready()).statusCode, 200)

  // What the server says when it cannot extend a file (appendix A of its manual, disk_full).
  await operator.write(
    sql`CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$`,
    ...['launches', 'changes'].map(
      (table) =>
        sql`CREATE TRIGGER no_room BEFORE INSERT ON ${identifier(table)} EXECUTE FUNCTION no_room()`,
    ),
  )
  assert.equal((await open()).statusCode, 503)
  const refused = await ready()
  assert.equal(refused.statusCode, 503)
  assert.match(refused.json().cause, /disk/)
  assert.equal((await story.api('GET', '/api/users/me')).statusCode, 200)
  assert.equal((await ready()).statusCode, 503, 'a read does not make it ready')

  await operator.write(
    ...['launches', 'changes'].map((table) => sql`DROP TRIGGER no_room ON ${identifier(table)}`),
  )
  assert.equal((await ready()).statusCode, 200)
  assert.equal((await open()).statusCode, 201)
})

test('with a database that does not answer the node is live and not ready [F01, F04]', async (t) => {
  const postgres = await startPostgres()
  t.after(() => postgres.stop())
  const relay = await startFaultyRelay(await postgres.freshDividedDatabase())
  t.after(() => relay.stop())
  const story = await startStory({ CHARTSIDE_DATABASE_URL: relay.url })
  t.after(() => story.close())
  const ask = async (url: string) => {
    story.service.clock.advance(1)
    const began = performance.now()
    const answer = await story.request({ url })
    return { status: answer.statusCode, body: answer.json(), tookMs: performance.now() - began }
  }
  assert.equal((await ask('/health/ready')).status, 200)
  relay.isSilent = true
  const live = await ask('/health/live')
  assert.ok(live.status === 200 && live.tookMs < 500, `${live.tookMs} ms`)
  assert.ok((await ask('/health/ready')).tookMs < 1500)
  await sleep(4500)
  const later = await ask('/health/ready')
  assert.equal(later.status, 503)
  assert.match(later.body.cause, /does not answer/)
  assert.ok((await ask('/health/live')).tookMs < 500)

  relay.isSilent = false
  for (let waited = 0; (await ask('/health/ready')).status !== 200; waited += 100) {
    assert.ok(waited < 8000, 'it is ready again')
    await sleep(100)
  }
})

test('probes cost one statement a second for all callers, and write nothing when ready', async (t) => {
  const running = await startTestService({ CHARTSIDE_DATABASE_URL: '' })
  t.after(() => running.close())
  const file = join(running.dataDir, 'chartside.db')
  const opened = openSqlite(file)
  t.after(() => opened.close())
  const clock = testClock()
  let trials = 0
  const counted = {
    ...opened,
    write(...statements: Statement[]) {
      trials += 1
      return opened.write(...statements)
    },
  }
  const { readiness } = watchReadiness(counted, clock, () => {})
  const sizes = () =>
    [file, `${file}-wal`].map((path) => [statSync(path).size, statSync(path).mtimeMs])
  const before = sizes()
  for (let second = 1; second <= 5; second++) {
    const asks = Array.from({ length: 50 }, () => readiness.findFault(1000))
    assert.deepEqual(new Set(await Promise.all(asks)), new Set([undefined]))
    assert.equal(await readiness.findFault(1000), undefined)
    assert.equal(trials, second)
    clock.advance(1)
  }
  assert.deepEqual(sizes(), before)
  clock.advance(-300)
  await readiness.findFault(1000)
  assert.equal(trials, 6, 'a clock that was set back does not keep an old finding')
})
