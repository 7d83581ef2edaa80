// The list of hosts in a database URL, and what a node does with it while a primary dies and its
// replica is promoted. Two real servers.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { launchPair } from '../../../test/postgres-pair.ts'
import { type Database, DatabaseUnavailable } from '../database.ts'
import { sql } from '../sql.ts'
import { openPostgres } from './postgres.ts'
import { parseHosts } from './postgres-hosts.ts'

test('a URL with one host stays as it is', () => {
  for (const url of [
    'postgres://user:pa%40ss@db.example:5433/chartside?sslmode=verify-full',
    'postgresql://db.example/chartside',
    'postgres://u:a,b@[::1]:5432/chartside',
  ]) {
    assert.deepEqual(parseHosts(url), { urls: [url], mustAcceptWrites: false })
  }
  const url = 'postgres://u:p@virtual.example/db?target_session_attrs=read-write'
  assert.deepEqual(parseHosts(url), { urls: [url], mustAcceptWrites: true })
})

test('a URL with several hosts is one URL for each of them', () => {
  const { urls, mustAcceptWrites } = parseHosts('postgres://u:a,b@a:5432,[::1]:5433,c/db?x=1,2')
  assert.deepEqual(urls, [
    'postgres://u:a,b@a:5432/db?x=1,2',
    'postgres://u:a,b@[::1]:5433/db?x=1,2',
    'postgres://u:a,b@c/db?x=1,2',
  ])
  assert.equal(mustAcceptWrites, true)
})

test('refuses a wrong list of hosts without repeating its password', () => {
  for (const [url, words] of [
    ['postgres://u:hunter2@a,,b/db', /separated by commas/],
    ['postgres://u:hunter2@a,/db', /separated by commas/],
    ['postgres://u:hunter2@a:x,b/db', /separated by commas/],
    ['mysql://u:hunter2@a,b/db', /separated by commas/],
    ['postgres://u:hunter2@a,b/db?target_session_attrs=any', /read-write/],
    ['postgres://u:hunter2@a,b/db?sslmode=prefer', /sslmode/],
  ] as const) {
    assert.throws(
      () => openPostgres(url),
      (error: Error) => words.test(error.message) && !error.message.includes('hunter2'),
    )
  }
})

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
