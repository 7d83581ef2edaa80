// The worker's own API: every call needs the app's session.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleIdentity } from '@chartside/test-kit/app'
import { createApi } from '../src/api.ts'

const presence = new Request('http://app.example/api/presence', { method: 'POST' })
const readStatus = async (api: ReturnType<typeof createApi>) =>
  (await api['GET /']?.(new Request('http://app.example/')))?.text() ?? ''

test('lists the user of the session, and shows a name as text', async () => {
  const identity = { ...sampleIdentity, name: 'Dr. <b>Amara</b> Okafor' }
  const api = createApi({ authenticate: async () => identity })
  assert.match(await readStatus(api), /No provider yet/)
  assert.equal((await api['POST /api/presence']?.(presence))?.status, 200)
  const page = await readStatus(api)
  assert.match(page, /Dr\. &lt;b&gt;Amara&lt;\/b&gt; Okafor/)
  assert.match(page, /Lakeside Family Practice/)
})

test('lists nothing without a session', async () => {
  const api = createApi({ authenticate: async () => undefined })
  await assert.rejects(async () => api['POST /api/presence']?.(presence), { status: 401 })
  assert.match(await readStatus(api), /No provider yet/)
})
