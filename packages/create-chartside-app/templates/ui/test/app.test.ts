// The tests of the kit on this app, against a fake service on this machine: a launch from its code to a
// session, what must be refused, and its pages. Then its own API.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchApp, testExchangeApp } from '@chartside/test-kit/app'
import { startApp } from '../src/app.ts'

testExchangeApp({ start: startApp })

test('shows the user of the session, and nothing without one', async () => {
  const { app } = await launchApp(startApp, { user: { name: 'Dr. Mei Tanaka' } })
  const practice = 'Lakeside Family Practice'
  assert.deepEqual(await app.get('/api/me'), {
    name: 'Dr. Mei Tanaka',
    practice,
    ehrType: 'meadow',
  })
  assert.equal((await app.send('/api/me')).status, 401)
})
