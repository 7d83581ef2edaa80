// A copy beside a running node, on PostgreSQL: both want locks of two tables, in opposite orders. The copy begins
// again, and the node's write is not lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { fixedClock as clock, migrateFresh } from '../../../server/test/copy-fixture.ts'
import { startPostgres } from '../../../server/test/postgres.ts'
import { copyDatabase } from './copy.ts'

const ROOMS = ['changes', 'users'] as const

test('a copy that waits for a node, which waits for the copy, begins again', async (t) => {
  const server = await startPostgres()
  const [from, to] = [await server.freshDatabase(), await server.freshDatabase()]
  await migrateFresh(from)
  const node = new pg.Client({ connectionString: from })
  await node.connect()
  // PostgreSQL ends the one that first finds both waiting: the copy, however slowly this test comes to its turn.
  await node.query(`ALTER DATABASE ${new URL(from).pathname.slice(1)} SET deadlock_timeout = '2s'`)
  await node.query(`SET deadlock_timeout = '1min'`)
  t.after(async () => {
    await node.end()
    await server.stop()
  })
  // The copy locks in the order of the names.
  const [first, second] = ROOMS
  await node.query('BEGIN')
  await node.query(`LOCK TABLE ${second} IN ROW EXCLUSIVE MODE`)
  const copied = copyDatabase({ from, to, clock })
  const waiting = `SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  while ((await node.query(waiting)).rows[0].count === 0) await sleep(10)
  await node.query(`LOCK TABLE ${first} IN ROW EXCLUSIVE MODE`)
  await node.query('COMMIT')
  const tables = await copied
  assert.ok(tables.length > 10)
})
