// The stores of accepted ID tokens under 1,000 concurrent presentations: in memory, on SQLite with
// two connections, on PostgreSQL with twenty. Security R10.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { createMemoryReplayStore, createSqlReplayStore, type ReplayStore } from './index.ts'
import { type Connections, NO_POSTGRES, openPostgres, openSqlite } from './sql-fixture.ts'

type Open = (t: TestContext, now: () => number) => Promise<readonly ReplayStore[]>

const openMemory: Open = async (_t, now) => [createMemoryReplayStore(now)]

const openSql =
  (connect: (t: TestContext) => Promise<Connections>): Open =>
  async (t, now) => {
    const stores = (await connect(t)).map((each) => createSqlReplayStore({ ...each, now }))
    await stores[0]?.createTable()
    return stores
  }

for (const [engine, open, skip] of [
  ['memory', openMemory, false],
  ['SQLite', openSql(openSqlite), false],
  ['PostgreSQL', openSql(openPostgres), NO_POSTGRES],
] as const) {
  test(`${engine}: accepts one of 1,000 concurrent presentations [R10]`, {
    skip,
  }, async (t) => {
    const stores = await open(t, () => 1_000_000)
    const all = await Promise.all(
      Array.from({ length: 1000 }, (_, n) => stores[n % stores.length]?.accept('jti_1', 2_000)),
    )
    assert.equal(all.filter(Boolean).length, 1)
    assert.equal(await stores[0]?.accept('jti_2', 2_000), true)
  })

  test(`${engine}: refuses until the last second, and accepts after it [R10]`, {
    skip,
  }, async (t) => {
    let now = 1_000_000
    const [store] = await open(t, () => now)
    assert.equal(await store?.accept('jti_1', 1_930), true)
    now = 1_929_999
    assert.equal(await store?.accept('jti_1', 1_930), false)
    now = 1_930_000
    assert.equal(await store?.accept('jti_1', 2_860), true)
    assert.equal(await store?.accept('jti_1', 2_860), false)
  })
}

test('PostgreSQL: creates the table from eight servers at the same time', {
  skip: NO_POSTGRES,
}, async (t) => {
  const schema = 'replay_store_start_test'
  const connectionString = process.env.TEST_POSTGRES_URL
  const options = `-c search_path=${schema}`
  const pools = Array.from({ length: 8 }, () => new pg.Pool({ connectionString, max: 1, options }))
  const [first] = pools
  t.after(async () => {
    await first?.query(`DROP SCHEMA ${schema} CASCADE`)
    await Promise.all(pools.map((pool) => pool.end()))
  })
  await first?.query(`CREATE SCHEMA ${schema}`)
  await Promise.all(pools.map((pool) => pool.query('SELECT 1')))
  for (let round = 0; round < 10; round += 1) {
    await first?.query('DROP TABLE IF EXISTS chartside_accepted_id_tokens')
    await Promise.all(
      pools.map((pool) => {
        const run = async (sql: string, values: readonly (string | number)[]) =>
          (await pool.query(sql, [...values])).rows
        return createSqlReplayStore({ run, placeholder: (n) => `$${n}` }).createTable()
      }),
    )
  }
})

test('SQL: ignores the race of two table creations, and reports another failure', async () => {
  let failures = 1
  const store = createSqlReplayStore({
    run: async () => {
      failures -= 1
      if (failures >= 0) throw new Error('pg_type_typname_nsp_index')
      return []
    },
  })
  await store.createTable()
  failures = 2
  await assert.rejects(store.createTable(), /pg_type/)
})

test('SQL: stores any text as an id', async (t) => {
  const [store] = await openSql(openSqlite)(t, () => 0)
  const hostile = "'); DROP TABLE chartside_accepted_id_tokens; --"
  assert.equal(await store?.accept(hostile, 10), true)
  assert.equal(await store?.accept(hostile, 10), false)
})

test('SQL: sweeps expired ids only', async () => {
  const db = new DatabaseSync(':memory:')
  let now = 0
  const store = createSqlReplayStore({
    run: async (sql, values) => db.prepare(sql).all(...values),
    now: () => now,
  })
  await store.createTable()
  await store.accept('old', 10)
  await store.accept('new', 20)
  now = 10_000
  await store.sweep()
  const rows = db.prepare('SELECT jti FROM chartside_accepted_id_tokens').all()
  assert.deepEqual(
    rows.map(({ jti }) => jti),
    ['new'],
  )
})
