// The API of Referral Desk: the user of the launch, and nothing without the app's own session.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleIdentity } from '@chartside/test-kit/app'
import { createApi } from '../src/api.ts'

const request = new Request('http://app.example/api/referrals')

test('returns the user of the session, and the referrals', async () => {
  const api = createApi({ authenticate: async () => sampleIdentity })
  const response = await api['GET /api/referrals']?.(request)
  const reply = (await response?.json()) as { user: object; referrals: object[] } | undefined
  assert.deepEqual(reply?.user, { name: 'Dr. Amara Okafor', practice: 'Lakeside Family Practice' })
  assert.equal(reply?.referrals.length, 3)
})

test('returns nothing without a session', async () => {
  const api = createApi({ authenticate: async () => undefined })
  await assert.rejects(async () => api['GET /api/referrals']?.(request), {
    status: 401,
    code: 'session_ended',
  })
})
