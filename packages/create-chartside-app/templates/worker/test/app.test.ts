// The tests of the kit on this app, against a fake service on this machine: a launch from its code to a
// session, what must be refused, and its pages. Then its own API.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchApp, testExchangeApp } from '@chartside/test-kit/app'
import { startApp } from '../src/app.ts'

testExchangeApp({ start: startApp })

test('lists the user of the session as text, and nothing without one', async () => {
  const { app } = await launchApp(startApp, { user: { name: 'Dr. <b>Amara</b>' } })
  assert.equal((await app.send('/api/presence', {})).status, 401)
  assert.match(await (await app.send('/')).text(), /No provider yet/)
  await app.post('/api/presence')
  assert.match(await (await app.send('/')).text(), /Dr\. &lt;b&gt;Amara&lt;\/b&gt;/)
})
