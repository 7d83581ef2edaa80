// The calls of a host to the service: no cookie, no redirect, a bounded time, and nothing of an identifier in the
// path that is not part of it. Contract §3; RFC 7662.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServiceClient } from './service.ts'

function clientOf(answer: object, sessionId = 'ses_1') {
  const calls: { readonly url: URL; readonly init: RequestInit }[] = []
  const client = createServiceClient({
    service: 'https://service.example/',
    sessionToken: 'st_1',
    sessionId,
    fetch: async (input, init = {}) => {
      calls.push({ url: new URL(String(input)), init })
      return Response.json(answer)
    },
  })
  return { client, calls }
}

test('follows no redirect, sends no cookie and waits for fifteen seconds at most', async (t) => {
  const times: number[] = []
  const { timeout } = AbortSignal
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    times.push(ms)
    return timeout.call(AbortSignal, ms)
  })
  const { client, calls } = clientOf({ active: false })
  await client.introspect('at_1')
  const init = calls[0]?.init
  assert.deepEqual([init?.redirect, init?.credentials, init?.cache], ['error', 'omit', 'no-store'])
  assert.deepEqual(times, [15_000])
})

test('keeps an identifier within its part of the path', async () => {
  const { client, calls } = clientOf({}, '../users/me?x=')
  await client.reportActivity()
  assert.equal(calls[0]?.url.pathname, '/api/sessions/..%2Fusers%2Fme%3Fx%3D/activity')
})

test('takes a token for live only when the service says true [L05]', async () => {
  for (const active of ['true', 1, {}, null, undefined, false]) {
    const { client } = clientOf({ active, launch_id: 'lnch_1', exp: 2_000 })
    assert.equal((await client.introspect('at_1')).active, false, String(active))
  }
  const live = { active: true, launch_id: 'lnch_1', exp: 2_000 }
  const expected = { active: true, launchId: 'lnch_1', expiresAt: 2_000_000, lifetimeMs: null }
  assert.deepEqual(await clientOf(live).client.introspect('at_1'), expected)
  const dated = clientOf({ ...live, iat: 1_400 })
  assert.deepEqual(await dated.client.introspect('at_1'), { ...expected, lifetimeMs: 600_000 })
})
