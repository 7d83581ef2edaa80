// Whether a database is in use by another process, which a move asks before it begins: on either
// engine, also when the other one only keeps it open.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, sql } from '@chartside/server/operator/database'
import { migrateFresh } from '../../../server/test/copy-fixture.ts'
import { ENGINES, type Engine } from '../../../server/test/engines.ts'
import { isInUse } from './copy.ts'

const engines: (readonly [string, Engine])[] = []
for (const [name, start] of ENGINES) engines.push([name, await start()])
after(async () => {
  for (const [, engine] of engines) await engine.stop()
})

for (const [source, engine] of engines) {
  test(`sees that another process has ${source} open, also an idle one`, async () => {
    const url = await engine.freshDatabase()
    await migrateFresh(url)
    await untilUnused(url)
    const db = await openDatabase(url)
    await db.read(sql`SELECT 1 FROM changes`)
    assert.equal(await isInUse(url), true)
    await db.close()
    await untilUnused(url)
  })
}

/** A server process of PostgreSQL ends a moment after its client has closed the connection. */
async function untilUnused(url: string): Promise<void> {
  const givesUpAt = Date.now() + 5000
  while (await isInUse(url)) {
    assert.ok(Date.now() < givesUpAt, 'the database is still in use')
    await sleep(20)
  }
}
