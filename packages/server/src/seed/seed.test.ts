// The first start: everything is stored in one write, so a start that is cut off leaves nothing half
// done, and a second start changes nothing. Contract §7.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../test/test-service.ts'
import type { Database } from '../db/database.ts'
import { identifier, sql } from '../db/sql.ts'
import { seedFirstStart } from './seed.ts'

const LOCAL = { CHARTSIDE_BASE_URL: 'http://localhost:4700' }

const count = async (db: Database, table: string) =>
  (await db.read(sql`SELECT COUNT(*) AS n FROM ${identifier(table)}`))[0]?.n

test('development on loopback starts with the sample data', async (t) => {
  const { service, ...running } = await startTestService(LOCAL)
  t.after(() => running.close())
  assert.deepEqual([await count(service.db, 'accounts'), await count(service.db, 'users')], [3, 6])
  assert.equal(await count(service.db, 'collection_versions'), 1)
  for (const table of ['accounts', 'apps', 'collections', 'users']) {
    const before = sql`SELECT id FROM ${identifier(table)} WHERE updated_at < created_at`
    assert.deepEqual(await service.db.read(before), [], `${table}: changed before they were made`)
  }
  await seedFirstStart(service)
  assert.equal(await count(service.db, 'users'), 6)
})

test('other environments and other addresses start with an administrator only', async (t) => {
  for (const environment of [
    {},
    { ...LOCAL, CHARTSIDE_ENVIRONMENT: 'staging' },
    { ...LOCAL, CHARTSIDE_HOST: '0.0.0.0' },
    { ...LOCAL, CHARTSIDE_HOST: '::' },
  ]) {
    const { service, ...running } = await startTestService(environment)
    t.after(() => running.close())
    assert.deepEqual(
      [await count(service.db, 'accounts'), await count(service.db, 'users')],
      [0, 1],
    )
  }
})

test('a first start whose write fails stores nothing', async (t) => {
  const { service, ...running } = await startTestService({ CHARTSIDE_BASE_URL: 'https://x.test' })
  t.after(() => running.close())
  await service.db.write(sql`DELETE FROM users`)
  const failing: Database = {
    ...service.db,
    write: () => Promise.reject(new Error('power cut')),
  }
  const config = { ...service.config, baseUrl: 'http://localhost:1' }
  await assert.rejects(seedFirstStart({ ...service, config, db: failing }))
  assert.equal(await count(service.db, 'users'), 0)
})
