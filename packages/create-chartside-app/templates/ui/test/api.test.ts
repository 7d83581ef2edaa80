// The app's own API: every call needs the app's session.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleIdentity } from '@chartside/test-kit/app'
import { createApi } from '../src/api.ts'

const request = new Request('http://app.example/api/me')

test('returns the user of the session', async () => {
  const me = createApi({ authenticate: async () => sampleIdentity })['GET /api/me']
  assert.deepEqual(await (await me?.(request))?.json(), {
    name: 'Dr. Amara Okafor',
    practice: 'Lakeside Family Practice',
    ehrType: 'meadow',
  })
})

test('returns nothing without a session', async () => {
  const me = createApi({ authenticate: async () => undefined })['GET /api/me']
  await assert.rejects(async () => me?.(request), { status: 401, code: 'session_ended' })
})
