// Records of the backend API that another changes between the moment at which a request reads them and the one
// at which it writes. Contract §4, security V17, V07, P01.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { runBeforeWrite } from './before-write.ts'
import { beginPeople, invite, person } from './people.ts'
import { type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())
beforeEach(() => story.service.clock.advance(1))

test('enables no user by a change of role who is disabled meanwhile [P01, V17]', async () => {
  const { id } = await person()
  const { db } = story.service.service
  const disabled = sql`UPDATE users SET disabled_at = 1, updated_at = 1 WHERE id = ${id}`
  const ran = runBeforeWrite(db, /UPDATE users SET role/, () => db.write(disabled))
  const answer = await story.api('PATCH', `/api/users/${id}`, { role: 'admin' })
  assert.ok(ran())
  assert.deepEqual([answer.json().role, answer.json().disabled], ['admin', true])
})

test('changes no role by an invitation of a person who joins meanwhile [V07]', async () => {
  const { db } = story.service.service
  const { id, email } = await invite()
  const joined = sql`UPDATE members SET invited_at = NULL WHERE user_id = ${id}`
  const ran = runBeforeWrite(db, /INSERT INTO members/, () => db.write(joined))
  const members = `/api/accounts/${story.accountId}/members`
  const again = await story.api('POST', members, { email, name: 'Again', role: 'admin' })
  assert.ok(ran())
  assert.equal(again.statusCode, 409, again.body)
  const { items } = (await story.api('GET', members)).json()
  assert.equal(items.find((item: { id: string }) => item.id === id).role, 'provider')
})

test('deletes no collection that is changed meanwhile [V17]', async () => {
  const { db } = story.service.service
  const body = { accountId: story.accountId, name: 'Changed' }
  const url = `/api/collections/${(await story.api('POST', '/api/collections', body)).json().id}`
  const authorization = `Bearer ${story.adminToken}`
  const { etag } = (await story.request({ url, headers: { authorization } })).headers
  const changed = sql`UPDATE collections SET name = 'Kept', updated_at = updated_at + 1`
  const ran = runBeforeWrite(db, /UPDATE collections SET deleted_at/, () => db.write(changed))
  const headers = { authorization, 'if-match': String(etag) }
  const { statusCode } = await story.request({ method: 'DELETE', url, headers })
  assert.deepEqual([ran(), statusCode], [true, 412])
})

test('opens no session of an administrator in an account deleted meanwhile [P01]', async () => {
  const { db, clock } = story.service.service
  const { id } = (await story.api('POST', '/api/accounts', { name: 'Short-lived' })).json()
  const deleted = sql`UPDATE accounts SET deleted_at = ${clock()} WHERE id = ${id}`
  const ran = runBeforeWrite(db, /INSERT INTO ehr_sessions/, () => db.write(deleted))
  const body = { accountId: id, ehrType: 'meadow', deviceId: 'd' }
  const { statusCode } = await story.api('POST', '/api/sessions', body)
  assert.deepEqual([ran(), statusCode], [true, 401])
  const stored = sql`SELECT id FROM ehr_sessions WHERE account_id = ${id}`
  assert.deepEqual(await db.read(stored), [])
})
