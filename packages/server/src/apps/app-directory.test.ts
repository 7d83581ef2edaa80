// The in-memory copy of apps is exact: local changes at once, changes of another node within a
// second, and never an old row that was read while it changed. Interop 5.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService, testClock, testDatabaseClock } from '../../test/test-service.ts'
import { watchCacheVersions } from '../cluster/cache-versions.ts'
import type { Statement } from '../db/sql.ts'
import { openSqlite } from '../db/sqlite/sqlite.ts'
import { newApp } from './app.ts'
import { appDirectory } from './app-directory.ts'
import { insertAppStatement, updateApp } from './app-store.ts'
import { insertClientSecret, retireClientSecret } from './client-secret-store.ts'

async function twoNodes() {
  const running = await startTestService()
  const { config, randomness, db } = running.service
  const app = { ...newApp(config, 'acc_x', 1, randomness), name: 'Before' }
  await db.write(insertAppStatement(app))
  const secret = { id: 'sec_1', appId: app.id, secretHash: 'h', label: undefined }
  const times = { createdAt: 1, expiresAt: undefined, retiresAt: undefined, lastUsedAt: undefined }
  await insertClientSecret(db, { ...secret, ...times })
  const clock = testClock()
  const other = openSqlite(`${running.dataDir}/chartside.db`)
  const close = async () => {
    await other.close()
    await running.close()
  }
  return {
    app,
    db,
    other,
    clock,
    close,
    here: appDirectory(db, watchCacheVersions(db, testDatabaseClock(clock))),
  }
}

test('sees a change of another node within one second', async (t) => {
  const { app, other, clock, here, close } = await twoNodes()
  t.after(close)
  assert.equal((await here.findClient(app.clientId))?.secrets.length, 1)
  assert.equal((await here.findApp(app.id))?.name, 'Before')
  await updateApp(other, { ...app, name: 'After', updatedAt: 2 }, app.updatedAt)
  await retireClientSecret(other, app.id, 'sec_1', 2)
  clock.advance(1)
  assert.equal((await here.findApp(app.id))?.name, 'After')
  assert.equal((await here.findClient(app.clientId))?.secrets.length, 0)
})

test('sees a change of this node at once, and looks an unknown client up again', async (t) => {
  const { app, db, here, close } = await twoNodes()
  t.after(close)
  assert.equal(await here.findClient('cli_none'), undefined)
  await here.findApp(app.id)
  await updateApp(db, { ...app, name: 'After', updatedAt: 2 }, app.updatedAt)
  here.forget()
  assert.equal((await here.findApp(app.id))?.name, 'After')
})

test('does not cache a record that changed while it was read', async (t) => {
  const { app, db, clock, close } = await twoNodes()
  t.after(close)
  let during: (() => void) | undefined
  const slow = {
    ...db,
    read: async (statement: Statement) => {
      const rows = await db.read(statement)
      if (statement.sql.includes('FROM apps')) during?.()
      return rows
    },
  }
  const here = appDirectory(slow, watchCacheVersions(slow, testDatabaseClock(clock)))
  during = () => here.forget()
  await here.findApp(app.id)
  during = undefined
  await updateApp(db, { ...app, name: 'After', updatedAt: 2 }, app.updatedAt)
  assert.equal((await here.findApp(app.id))?.name, 'After')
})

test('records the use of a secret once a minute', async (t) => {
  const { here, close } = await twoNodes()
  t.after(close)
  const minute = 60_000
  assert.deepEqual(
    [minute, minute + 1, 2 * minute - 1, 2 * minute].map((now) => here.shouldRecordUse('s', now)),
    [true, false, false, true],
  )
})
