// The data of real size: the same seed gives the same rows, and what it promises is in them: sizes, collections of
// vendors, outages that show as failures.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from '../../packages/server/src/db/sql.ts'
import { startTestService } from '../../packages/server/test/test-service.ts'
import { fillRealSize } from '../real-size/fill.ts'
import { OUTAGES } from '../real-size/launches.ts'
import { APPS_OF_VENDOR, PRACTICES, VENDORS } from '../real-size/records.ts'

async function fill(seed: string) {
  const node = await startTestService()
  try {
    const { practices, vendors } = await fillRealSize(node, { seed, launches: 3000 })
    const { db } = node.service
    const read = async (table: string) =>
      (await db.read({ sql: `SELECT * FROM ${table} ORDER BY id`, args: [] })) as {
        [name: string]: unknown
      }[]
    const counted = await db.read(
      sql`SELECT f.reason, COUNT(*) AS n FROM launch_failures f GROUP BY f.reason ORDER BY f.reason`,
    )
    return {
      ids: (await read('launches')).map(({ id }) => id),
      apps: (await read('apps')).length,
      accounts: (await read('accounts')).length,
      versions: (await read('collections')).map(({ latest_version }) => latest_version),
      reasons: Object.fromEntries(counted.map(({ reason, n }) => [reason, Number(n)])),
      foreign: practices.filter(({ collectionId }) =>
        vendors.some((one) => one.collectionId === collectionId),
      ).length,
    }
  } finally {
    await node.close()
  }
}

test('gives the same installation for the same seed, with what its size promises', async () => {
  const first = await fill('7')
  assert.deepEqual(await fill('7'), first)
  assert.notDeepEqual((await fill('8')).ids, first.ids)
  assert.deepEqual(
    [first.ids.length, first.apps, first.accounts, first.foreign],
    [3000, VENDORS * APPS_OF_VENDOR, PRACTICES + VENDORS, PRACTICES - 4],
  )
  assert.deepEqual(new Set(first.versions), new Set([2]))
  for (const { reason } of OUTAGES)
    assert.ok((first.reasons[reason] ?? 0) > 2, `${reason}: ${JSON.stringify(first.reasons)}`)
})

test('refuses to fill an installation that is not for development, and says why', () => {
  const tool = fileURLToPath(new URL('../real-size/main.ts', import.meta.url))
  const run = spawnSync(process.execPath, [tool, '10'], {
    encoding: 'utf8',
    env: { CHARTSIDE_ENVIRONMENT: 'staging', CHARTSIDE_DATABASE_URL: 'file::memory:' },
  })
  assert.notEqual(run.status, 0)
  assert.match(run.stderr, /is for staging\. Leave --real-size out, or start one for development/)
})
