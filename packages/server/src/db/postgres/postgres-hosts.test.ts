// The list of hosts in a database URL. What a node does with it while a primary dies stands in
// test/process/postgres-hosts.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
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
