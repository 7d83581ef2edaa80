// The API of Referral Desk: the user of the launch, and nothing without the app's own session.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveNode } from '@chartside/app-kit/node'
import { type ErrorBody, json, launchProviderApp } from '@chartside/test-kit/app'
import { startApp } from '../src/app.ts'
import { createProvider } from '../src/provider/provider.ts'

test('returns the user of the session and the referrals, and nothing without it', async (t) => {
  const app = await launchProviderApp(t, {
    app: startApp,
    provider: (options, address) => serveNode(createProvider(options), address),
  })
  const reply = await app.get<{ user: object; referrals: object[] }>('/api/referrals')
  assert.deepEqual(reply.user, { name: 'Dr. Amara Okafor', practice: 'Lakeside Family Practice' })
  assert.equal(reply.referrals.length, 3)
  const refused = await app.send('/api/referrals')
  assert.equal(refused.status, 401)
  assert.equal((await json<ErrorBody>(refused)).error, 'session_ended')
})
