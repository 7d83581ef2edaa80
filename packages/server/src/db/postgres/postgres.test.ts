// What only a server over a network can do to the storage port: cut connections, be down and come
// back, be slow, be full, deadlock. Every case ends in DatabaseUnavailable or in success, never in
// a second execution of a write whose outcome is unknown.

import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../../../test/postgres.ts'
import { type Database, DatabaseUnavailable, type Row, UniqueViolation } from '../database.ts'
import { byKey, sql } from '../sql.ts'
import { openPostgres } from './postgres.ts'
import { isPlainPostgres } from './postgres-pooler.ts'

const server = await startPostgres()
after(() => server.stop())

let url: string
let db: Database
const opened: Database[] = []
function open(options: Parameters<typeof openPostgres>[1] = {}, at = url): Database {
  const database = openPostgres(at, options)
  opened.push(database)
  return database
}
beforeEach(async () => {
  url = await server.freshDatabase()
  db = open()
  await db.write(
    sql`CREATE TABLE things (id TEXT PRIMARY KEY, n BIGINT NOT NULL)`,
    sql`INSERT INTO things (id, n) VALUES ('a', 0), ('b', 0)`,
  )
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()))
})

const bump = (id: string) => sql`UPDATE things SET n = n + 1 WHERE id = ${id} RETURNING n`
const nap = (seconds: number) => sql`SELECT pg_sleep(${seconds})`
const numbers = async () =>
  (await db.read(sql`SELECT n FROM things ORDER BY id`)).map((row) => Number(row.n))

/** Cuts every connection to the database of this test, as an operator or a crash would. */
const cutAll = () =>
  server.administer(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${new URL(url).pathname.slice(1)}'`,
  )

test('replaces idle connections that were cut', async () => {
  let lost = 0
  const watched = open({ onConnectionLost: () => lost++ })
  await Promise.all(Array.from({ length: 5 }, () => watched.read(sql`SELECT 1`)))
  await cutAll()
  await sleep(100)
  assert.equal((await watched.write(bump('a')))[0]?.[0]?.n, 1)
  assert.ok(lost > 0)
})

test('retries a read on another connection when its connection is cut', async () => {
  const reading = db.read(sql`SELECT pg_sleep(0.3), pg_backend_pid() AS pid`)
  await sleep(100)
  await cutAll()
  assert.equal((await reading).length, 1)
})

test('a write whose connection is cut fails and is not retried', async () => {
  const alone = db.write(sql`UPDATE things SET n = n + 1 WHERE pg_sleep(0.3) IS NOT NULL`)
  const together = open().write(bump('a'), nap(0.5), bump('b'))
  await sleep(100)
  await cutAll()
  await assert.rejects(alone, DatabaseUnavailable)
  await assert.rejects(together, DatabaseUnavailable)
  await sleep(700)
  assert.deepEqual(await numbers(), [0, 0])
})

test('is unavailable while the server is down, and recovers with it', async () => {
  await server.takeDown()
  await assert.rejects(db.read(sql`SELECT 1`), DatabaseUnavailable)
  await assert.rejects(db.write(bump('a')), DatabaseUnavailable)
  await assert.rejects(db.write(bump('a'), bump('b')), DatabaseUnavailable)
  await server.bringBack()
  assert.deepEqual(await numbers(), [0, 0])
  await db.write(bump('a'), bump('b'))
  assert.deepEqual(await numbers(), [1, 1])
})

test('is unavailable while all connections are busy, and answers once one is free', async () => {
  const small = open({ poolSize: 2, connectTimeoutMs: 500 })
  const busy = [small.write(nap(1.5)), small.write(nap(1.5))]
  await sleep(50)
  await assert.rejects(small.read(sql`SELECT 1`), DatabaseUnavailable)
  await Promise.all(busy)
  assert.equal((await small.read(sql`SELECT 1 AS one`))[0]?.one, 1)
})

test('rolls back a statement that runs too long', async () => {
  const hasty = open({ poolSize: 1, statementTimeoutMs: 200 })
  await assert.rejects(hasty.write(bump('a'), nap(2)), DatabaseUnavailable)
  await assert.rejects(hasty.read(sql`SELECT pg_sleep(2)`), DatabaseUnavailable)
  assert.equal((await hasty.write(bump('b')))[0]?.[0]?.n, 1)
  assert.deepEqual(await numbers(), [0, 1])
})

test('bounds the wait for a locked row', async () => {
  const holding = db.write(bump('a'), nap(0.8))
  await sleep(100)
  const hasty = open({ lockTimeoutMs: 100 })
  await assert.rejects(hasty.write(bump('a')), DatabaseUnavailable)
  await holding
  assert.equal((await hasty.write(bump('a')))[0]?.[0]?.n, 2)
})

test('bounds the wait for a server that stops answering', async () => {
  const hasty = open({ poolSize: 1, statementTimeoutMs: 100 })
  // Without the server's own limit, what is left is the driver's.
  await hasty.read(sql`SELECT set_config('statement_timeout', '0', false)`)
  await assert.rejects(hasty.read(sql`SELECT pg_sleep(5)`), (error: Error) => {
    return error instanceof DatabaseUnavailable && /no answer/.test(String(error.cause))
  })
  assert.equal((await hasty.read(sql`SELECT 1 AS one`))[0]?.one, 1)
})

test('retries writes that deadlock until all are committed', async () => {
  const [one, two] = [
    db.write(bump('a'), nap(0.2), bump('b')),
    open().write(bump('b'), nap(0.2), bump('a')),
  ]
  await Promise.all([one, two])
  assert.deepEqual(await numbers(), [2, 2])
})

test('writes that name their row share a transaction; others have their own', async () => {
  const transaction = (id: string) =>
    sql`UPDATE things SET n = n + 1 WHERE id = ${id} RETURNING txid_current() AS number`
  const numberOf = (rows: Row[][]) => Number(rows[0]?.[0]?.number)
  await db.read(sql`SELECT 1`)
  const grouped = await Promise.all(['a', 'b'].map((id) => db.write(byKey(transaction(id), id))))
  assert.equal(new Set(grouped.map(numberOf)).size, 1)
  const alone = await Promise.all(['a', 'b'].map((id) => db.write(transaction(id))))
  assert.equal(new Set(alone.map(numberOf)).size, 2)
})

const insert = (id: string) => byKey(sql`INSERT INTO things (id, n) VALUES (${id}, 1)`, id)

test('a write that breaks a rule fails alone in its group', async () => {
  await db.read(sql`SELECT 1`)
  const writes = [db.write(insert('c'), bump('b')), db.write(insert('a')), db.write(insert('d'))]
  const [first, second, third] = await Promise.allSettled(writes)
  assert.ok(second?.status === 'rejected' && second.reason instanceof UniqueViolation)
  assert.deepEqual([first?.status, third?.status], ['fulfilled', 'fulfilled'])
  assert.deepEqual(await numbers(), [0, 1, 1, 1])
})

test('a write that waits too long for its row fails alone in its group', async () => {
  const hasty = open({ lockTimeoutMs: 100 })
  await hasty.read(sql`SELECT 1`)
  const holding = db.write(bump('b'), nap(0.6))
  await sleep(100)
  const writes = [hasty.write(insert('c')), hasty.write(byKey(bump('b'), 'b'))]
  const [first, second] = await Promise.allSettled(writes)
  assert.equal(first?.status, 'fulfilled')
  assert.ok(second?.status === 'rejected' && second.reason instanceof DatabaseUnavailable)
  assert.equal(second.reason.fault, 'busy')
  await holding
  assert.deepEqual(await numbers(), [0, 1, 1])
})

test('groups of two nodes never wait for each other in a circle', async () => {
  const nodes = [open(), open()]
  for (const node of nodes) await node.read(sql`SELECT 1`)
  const began = performance.now()
  for (let round = 0; round < 20; round += 1) {
    const orders = [
      ['a', 'b'],
      ['b', 'a'],
    ]
    await Promise.all(
      nodes.flatMap((node, i) => orders[i]?.map((id) => node.write(byKey(bump(id), id))) ?? []),
    )
  }
  // The server looks for a circle after a second.
  assert.ok(performance.now() - began < 1000, 'a group waited for a deadlock to be found')
  assert.deepEqual(await numbers(), [40, 40])
})

test('a write by key that deadlocks is run again, alone or in a group', async () => {
  const other = open()
  for (const node of [db, other]) await node.read(sql`SELECT 1`)
  for (const beside of [[], [byKey(bump('b'), 'c')]]) {
    // It waits for the second row first, so it is the one that the server ends.
    const writes = [db.write(byKey(bump('a'), 'a'), nap(0.2), bump('b'))]
    for (const statement of beside) writes.push(db.write(statement))
    await Promise.all([...writes, other.write(bump('b'), nap(0.5), bump('a'))])
  }
  assert.deepEqual(await numbers(), [4, 5])
})

test('all writes of a group whose connection is cut fail; none is done twice', async () => {
  const slow = (id: string) => [byKey(bump(id), id), nap(0.5)] as const
  await db.read(sql`SELECT 1`)
  const writing = Promise.allSettled(['a', 'b'].map((id) => db.write(...slow(id))))
  await sleep(200)
  await cutAll()
  for (const one of await writing) {
    assert.ok(one.status === 'rejected' && one.reason instanceof DatabaseUnavailable)
  }
  assert.deepEqual(await numbers(), [0, 0])
})

test('a connection is usable after a write on it failed', async () => {
  const single = open({ poolSize: 1 })
  const insert = sql`INSERT INTO things (id, n) VALUES ('a', 0)`
  for (let i = 0; i < 3; i++) {
    await assert.rejects(single.write(bump('b'), insert, bump('b')), UniqueViolation)
    await assert.rejects(single.write(insert), UniqueViolation)
    await assert.rejects(single.write(bump('b'), sql`nonsense`), /syntax/)
  }
  assert.deepEqual(await single.read(sql`SELECT n FROM things WHERE id = ${'b'}`), [{ n: 0 }])
})

test('only PostgreSQL itself is trusted to join the statements of a batch', () => {
  const version = 'PostgreSQL 15.4 (Debian 15.4-1.pgdg120+1) on x86_64-pc-linux-gnu'
  assert.equal(isPlainPostgres(version, 0), true)
  assert.equal(isPlainPostgres(version, 1), false, 'with the extension citus')
  for (const other of [
    'PostgreSQL 11.2-YB-2.20.1.0-b0 on x86_64-pc-linux-gnu',
    'CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu)',
    'PostgreSQL 12.12 (Greenplum Database 7.1.0)',
  ]) {
    assert.equal(isPlainPostgres(other, 0), false, other)
  }
})

test('on another engine BEGIN and COMMIT stand around the statements', async () => {
  // The function of the database hides that of the system.
  await db.write(sql`CREATE FUNCTION version() RETURNS text LANGUAGE sql
    AS $$ SELECT 'PostgreSQL 11.2-YB-2.20.1.0-b0' $$`)
  const other = open({}, `${url}?options=${encodeURIComponent('-c search_path=public,pg_catalog')}`)
  assert.match(String((await other.read(sql`SELECT version() AS v`))[0]?.v), /-YB-/)
  const twice = sql`INSERT INTO things (id, n) VALUES ('c', 0)`
  await assert.rejects(other.write(bump('a'), twice, twice), UniqueViolation)
  assert.deepEqual(await numbers(), [0, 0])
  assert.deepEqual((await other.write(bump('a'), bump('b'))).flat().length, 2)
  assert.deepEqual(await numbers(), [1, 1])
  await other.probeFreeSpace()
})

test('an error never quotes its row', async () => {
  const secret = sql`INSERT INTO things (id, n) VALUES (${'hunter2'}, NULL)`
  await assert.rejects(db.write(secret), (error: Error) => {
    return !JSON.stringify(error, Object.getOwnPropertyNames(error)).includes('hunter2')
  })
})

test('sends no plain text to a server without TLS', async () => {
  for (const mode of ['require', 'verify-full']) {
    await assert.rejects(
      open({}, `${url}?sslmode=${mode}`).read(sql`SELECT 1`),
      DatabaseUnavailable,
    )
  }
  for (const query of ['sslmode=prefer', 'sslmode=allow', 'ssl=true']) {
    assert.throws(() => openPostgres(`${url}?${query}`), /sslmode/)
  }
})

test('is unavailable when the server cannot be reached or refuses the password', async () => {
  const wrong = new URL(url)
  wrong.password = 'wrong'
  await assert.rejects(open({}, wrong.href).read(sql`SELECT 1`), DatabaseUnavailable)
  wrong.host = '127.0.0.1:1'
  await assert.rejects(open({}, wrong.href).read(sql`SELECT 1`), DatabaseUnavailable)
})
