// The tests of the kit on this app, against a fake service on this machine: a launch through the provider to
// a session, what must be refused, and its pages. Then its own API.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveNode } from '@chartside/app-kit/node'
import { launchProviderApp, type StartProviderApp, testProviderApp } from '@chartside/test-kit/app'
import { startApp } from '../src/app.ts'
import { createProvider } from '../src/provider/provider.ts'

const start: StartProviderApp = {
  app: startApp,
  provider: (options, address) => serveNode(createProvider(options), address),
}

testProviderApp({ start })

test('shows the user of the session, and nothing without one', async (t) => {
  const app = await launchProviderApp(t, start)
  const practice = 'Lakeside Family Practice'
  const name = 'Dr. Amara Okafor'
  assert.deepEqual(await app.get('/api/me'), { name, practice, ehrType: 'meadow' })
  assert.equal((await app.send('/api/me')).status, 401)
})
