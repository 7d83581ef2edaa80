// The API of Visit Notes: every call needs the app's own session, and a practice has its own notes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AppBrowser,
  type ErrorBody,
  fixtureOf,
  json,
  launchApp,
} from '@chartside/test-kit/app'
import { startApp } from '../src/app.ts'

const startFixture = fixtureOf(startApp)

test('answers 401 with cause, fix and security headers without a session', async (t) => {
  const { send } = await startFixture(t)
  for (const path of ['/api/me', '/api/notes']) {
    const response = await send(path)
    assert.equal(response.status, 401)
    const { error, cause, fix } = await json<ErrorBody>(response)
    assert.ok(error === 'session_ended' && cause && fix)
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  }
})

test('keeps a note for its practice, under the name of the user', async () => {
  const { app, launchAgain } = await launchApp(startApp, { account: { id: 'acc_1' } })
  await app.post('/api/notes', { text: ' A note. ' })
  const list = async (at: AppBrowser) => (await at.get<{ items: unknown[] }>('/api/notes')).items
  const [saved] = (await list(app)) as { text: string; author: string }[]
  assert.deepEqual([saved?.text, saved?.author], ['A note.', 'Dr. Amara Okafor'])
  const other = await launchAgain({ account: { id: 'acc_2' } })
  assert.deepEqual(await list(other.app), [])
  await assert.rejects(app.post('/api/notes', {}), { name: 'AppAnswerError', status: 400 })
})
