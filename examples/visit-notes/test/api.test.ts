// The API of Visit Notes: every call needs the app's own session, and a practice has its own notes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErrorBody, fixtureOf, json, sampleIdentity } from '@chartside/test-kit/app'
import { createApi } from '../src/api.ts'
import { createApp } from '../src/app.ts'
import { startServer } from '../src/server.ts'

const startFixture = fixtureOf((settings, log) => startServer(createApp(settings, log), settings))

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
  let accountId = 'acc_1'
  const authenticate = async () => ({
    ...sampleIdentity,
    account: { ...sampleIdentity.account, id: accountId },
  })
  const api = createApi({ authenticate })
  const body = JSON.stringify({ text: ' A note. ' })
  const note = new Request('http://app.example/api/notes', { method: 'POST', body })
  assert.equal((await api['POST /api/notes']?.(note))?.status, 201)
  const list = async () => {
    const response = await api['GET /api/notes']?.(new Request('http://app.example/api/notes'))
    return (await response?.json()) as { items: { text: string; author: string }[] }
  }
  const [saved] = (await list()).items
  assert.deepEqual([saved?.text, saved?.author], ['A note.', 'Dr. Amara Okafor'])
  accountId = 'acc_2'
  assert.deepEqual((await list()).items, [])
})
