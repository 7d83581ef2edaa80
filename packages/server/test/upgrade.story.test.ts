// What an earlier version left behind: sessions and launches without a part are dead, also their codes
// and tokens, and are still shown; hosts open new ones. docs/operate/scaling.md, decision 35, security L04.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { authorize, exchange, freshCode, isActive, type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

test('ends what an earlier version opened, shows it, and opens new sessions [L04]', async () => {
  const { db } = story.service.service
  const { id, launchId } = await story.launch()
  const waiting = await freshCode(story)
  const token = (await exchange(story, await freshCode(story))).json().access_token
  assert.equal(await isActive(story, token), true)

  // As the migration leaves the rows of before.
  await db.write(
    sql`UPDATE launches SET part = 0`,
    sql`UPDATE ehr_sessions SET part = 0, signed_in_at = NULL, expires_at = NULL, last_seen_at = NULL`,
  )
  assert.equal(await isActive(story, token), false)
  assert.equal((await exchange(story, waiting)).json().error, 'invalid_grant')
  const url = await authorize(story, launchId)
  assert.equal(url.searchParams.get('error'), 'invalid_request')
  assert.equal(url.searchParams.has('code'), false)
  const session = (await story.api('GET', `/api/sessions/${story.sessionId}`)).json()
  assert.equal(session.state, 'ended')
  const body = { appId: story.app.id, kind: 'ui' }
  const again = await story.api('POST', `/api/sessions/${story.sessionId}/launches`, body)
  assert.deepEqual([again.statusCode, again.json().code], [409, 'session_ended'])
  const active = await story.api('POST', `/api/sessions/${story.sessionId}/activity`, {})
  assert.deepEqual([active.statusCode, active.json().code], [409, 'session_ended'])

  const shown = (await story.api('GET', `/api/launches/${id}`)).json()
  assert.equal(shown.state, 'ended')
  const listed = (await story.api('GET', `/api/launches?accountId=${story.accountId}`)).json().items
  assert.equal(listed.length, 3)
  for (const state of ['live', 'ended']) {
    const found = (await story.api('GET', `/api/sessions?state=${state}`)).json().items
    assert.equal(found.length, state === 'live' ? 0 : 1, state)
  }

  const sessionId = await story.openSession()
  const opened = await story.launch({ sessionId })
  const code = (await authorize(story, opened.launchId)).searchParams.get('code') ?? ''
  assert.equal(await isActive(story, (await exchange(story, code)).json().access_token), true)
})
