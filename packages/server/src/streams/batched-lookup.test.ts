// One query per tick for the sessions of all streams of a node. docs/operate/scaling.md.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../db/database.ts'
import { type Statement, sql } from '../db/sql.ts'
import { watchedSessions } from './batched-lookup.ts'

const row = (id: string) => ({
  ...{ id, sign_in_id: 'sgn', user_id: 'usr', account_id: 'acc', account_name: 'A', ehr_type: 'm' },
  ...{ device_id: 'd', collection_id: null, ehr: null, apps: '[]', created_at: 1, ended_at: null },
  ...{ ended_reason: null, sign_in_ended_at: null, sign_in_ended_reason: null },
  ...{ sign_in_expires_at: 9000, sign_in_seen_at: 900 },
})

function countingDatabase() {
  const reads: Statement[] = []
  const db: Database = {
    engine: 'sqlite',
    timeExpression: sql`1`,
    async read(statement) {
      reads.push(statement)
      const ids = statement.args.filter((value) => typeof value === 'string')
      return ids.filter((id) => id !== 'ses_gone').map(row)
    },
    write: async () => [],
    probeFreeSpace: async () => {},
    close: async () => {},
  }
  return { db, reads }
}

test('asks once for the sessions of all streams that ask at a tick', async () => {
  const { db, reads } = countingDatabase()
  const watched = watchedSessions(db, () => 1000, { sessionIdleSeconds: 60 }, 5)
  const ids = Array.from({ length: 300 }, (_, i) => `ses_${i % 150}`)
  const found: (string | undefined)[] = []
  const ticked = ids.map(
    (id) =>
      new Promise<void>((resolve) => {
        const stop = watched.watch(() => {
          stop()
          watched.find(id).then((session) => resolve(void found.push(session?.id)))
        })
      }),
  )
  await Promise.all(ticked)
  assert.equal(reads.length, 1)
  assert.equal(reads[0]?.args.filter((value) => String(value).startsWith('ses_')).length, 150)
  assert.deepEqual(found.sort(), ids.sort())
})

test('asks again at the next moment, and knows no session that is gone', async () => {
  const { db, reads } = countingDatabase()
  const watched = watchedSessions(db, () => 1000, { sessionIdleSeconds: 60 })
  assert.equal((await watched.find('ses_1'))?.ended, undefined)
  assert.equal(await watched.find('ses_gone'), undefined)
  assert.equal(reads.length, 2)
})
