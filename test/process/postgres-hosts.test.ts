// What a node does with a list of hosts while a primary dies and its replica is promoted. Only two real
// servers, started and killed here, show it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Database, DatabaseUnavailable } from '../../packages/server/src/db/database.ts'
import { openPostgres } from '../../packages/server/src/db/postgres/postgres.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import { launchPair } from '../../packages/server/test/postgres-pair.ts'

const pair = await launchPair()
after(() => pair.stop())

test('does not acknowledge a commit that the replica has not confirmed', async () => {
  const node = openPostgres(await pair.freshDatabase(), { statementTimeoutMs: 300 })
  const insert = sql`INSERT INTO things VALUES (1)`
  await node.write(sql`CREATE TABLE things (n BIGINT NOT NULL)`, insert)
  await pair.takeReplicaDown()
  await assert.rejects(node.write(insert), DatabaseUnavailable)
  await assert.rejects(node.write(insert, insert), DatabaseUnavailable)
  await pair.bringReplicaBack()
  await node.write(insert)
  await node.close()
})

test('uses the primary of two hosts, and the promoted replica after its death', async () => {
  const url = await pair.freshDatabase()
  const [, before = '', one, two, rest = ''] = /^(.*@)(.*),(.*?)(\/.*)$/.exec(url) ?? []
  const inOrder = openPostgres(url)
  const reversed = openPostgres(`${before}${two},${one}${rest}?target_session_attrs=read-write`)
  const replicaOnly = openPostgres(`${before}${two}${rest}?target_session_attrs=read-write`)
  const all: Database[] = [inOrder, reversed, replicaOnly]
  after(() => Promise.all(all.map((database) => database.close())))
  const bump = sql`UPDATE things SET n = n + 1 RETURNING n`

  await inOrder.write(
    sql`CREATE TABLE things (n BIGINT NOT NULL)`,
    sql`INSERT INTO things VALUES (0)`,
  )
  assert.equal((await reversed.write(bump))[0]?.[0]?.n, 1)
  await assert.rejects(replicaOnly.read(sql`SELECT 1`), (error: Error) => {
    return error instanceof DatabaseUnavailable && /accepts no writes/.test(String(error.cause))
  })
  // Of many concurrent callers one advances to the next host.
  await Promise.all(Array.from({ length: 30 }, () => reversed.write(bump)))

  await pair.killPrimary()
  await assert.rejects(inOrder.write(bump), DatabaseUnavailable)
  await pair.promoteReplica()
  for (const [i, database] of all.entries()) {
    const results = await Promise.all(Array.from({ length: 20 }, () => database.write(bump)))
    const most = Math.max(...results.map(([rows]) => Number(rows?.[0]?.n)))
    assert.equal(most, 31 + 20 * (i + 1), 'nothing was lost and nothing done twice')
  }
})
