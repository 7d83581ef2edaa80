// The contract of a session store: in memory, on SQLite with two connections, on PostgreSQL with twenty. Of
// parallel renewals one is written. Spec §5.6; security H04.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { buildIdentity } from './session-fixture.ts'
import { createMemorySessionStore, type SessionStore, type StoredSession } from './session-store.ts'
import { type Connections, NO_POSTGRES, openPostgres, openSqlite } from './sql-fixture.ts'
import { createSqlSessionStore, type SqlSessionStore } from './sql-session-store.ts'

const openSql = async <Each>(
  connections: Connections,
  open: (store: SqlSessionStore) => Each,
  now = () => 0,
): Promise<readonly Each[]> => {
  const stores = connections.map((each) => createSqlSessionStore({ ...each, now }))
  await stores[0]?.createTable()
  return stores.map(open)
}

type Open = (t: TestContext) => Promise<readonly SessionStore[]>
const openMemory: Open = async () => [createMemorySessionStore(() => 0)]
const onSqlite: Open = async (t) => openSql(await openSqlite(t), (store) => store)
const onPostgres: Open = async (t) => openSql(await openPostgres(t), (store) => store)

const buildSession = (id: string, changes: Partial<StoredSession> = {}): StoredSession => ({
  ...{ id, identity: buildIdentity(), familyHash: 'family', previousRefreshHashes: [] },
  credentials: [{ refreshHash: 'refresh', bearerHash: 'bearer', bearerExpiresAt: 600_000 }],
  ...{ rotatedAt: 1, refreshExpiresAt: 3_600_000, endsAt: 28_800_000, version: 1 },
  ...changes,
})

for (const [engine, open, skip] of [
  ['memory', openMemory, false],
  ['SQLite', onSqlite, false],
  ['PostgreSQL', onPostgres, NO_POSTGRES],
] as const) {
  test(`${engine}: gives a session back as it was, to every connection`, { skip }, async (t) => {
    const stores = await open(t)
    const [first = assert.fail()] = stores
    const hostile = buildSession(`'); DROP TABLE chartside_sessions; --`, {
      identity: { ...buildIdentity(), name: `O'Brien "\u{1f600}" \\`, email: null },
    })
    for (const session of [buildSession('one'), hostile]) await first.insert(session)
    for (const store of stores) {
      assert.deepEqual(await store.find('one'), buildSession('one'))
      assert.deepEqual(await store.find(hostile.id), hostile)
      assert.equal(await store.find('two'), undefined)
    }
    await first.delete(hostile.id)
    for (const store of stores) assert.equal(await store.find(hostile.id), undefined)
    assert.ok(await first.find('one'))
  })

  test(`${engine}: writes one of 100 parallel renewals of a version [H04]`, { skip }, async (t) => {
    const stores = await open(t)
    const [first = assert.fail()] = stores
    await first.insert(buildSession('one'))
    const written = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        (stores[n % stores.length] ?? first).replace(
          buildSession('one', { version: 2, familyHash: `renewal ${n}` }),
        ),
      ),
    )
    assert.equal(written.filter(Boolean).length, 1)
    const winner = `renewal ${written.indexOf(true)}`
    assert.equal((await first.find('one'))?.familyHash, winner)
    assert.equal(await first.replace(buildSession('one', { version: 2 })), false)
    assert.equal(await first.replace(buildSession('gone', { version: 2 })), false)
    await first.delete('one')
    assert.equal(await first.replace(buildSession('one', { version: 3 })), false)
    assert.equal(await first.find('one'), undefined, 'a renewal brings no ended session back')
  })

  test(`${engine}: deletes the sessions of one EHR session, and no other`, { skip }, async (t) => {
    const [store = assert.fail()] = await open(t)
    const other = { ...buildIdentity(), sessionId: 'ses_2' }
    for (const id of ['one', 'two']) await store.insert(buildSession(id))
    await store.insert(buildSession('three', { identity: other }))
    await store.deleteOfEhrSession('ses_1')
    const left = await Promise.all(['one', 'two', 'three'].map((id) => store.find(id)))
    assert.deepEqual(
      left.map((session) => session?.id),
      [undefined, undefined, 'three'],
    )
  })
}

test('SQL: sweeps a session once its refresh credential and its bearers have expired', async (t) => {
  let now = 0
  const connections = await openSqlite(t)
  const [store = assert.fail()] = await openSql(
    connections,
    (each) => each,
    () => now,
  )
  await store.insert(buildSession('idle', { refreshExpiresAt: 10 }))
  await store.insert(buildSession('over', { refreshExpiresAt: 10, credentials: [] }))
  now = 10
  await store.sweep()
  assert.ok(await store.find('idle'), 'its bearer is good for ten minutes')
  assert.equal(await store.find('over'), undefined)
  await store.replace(buildSession('idle', { version: 2 }))
  now = 3_599_999
  await store.sweep()
  assert.ok(await store.find('idle'), 'a renewal makes it last longer')
  now = 3_600_000
  await store.sweep()
  assert.equal(await store.find('idle'), undefined)
})
