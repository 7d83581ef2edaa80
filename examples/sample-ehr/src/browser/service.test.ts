// The result of a sign-out for the page: done, ended before, or failed. Contract §3.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signOut } from './service.ts'

test('distinguishes a sign-out from a late one and from a failed one', async (t) => {
  const answers = [
    new Response(null, { status: 204 }),
    Response.json({ title: 'Unauthorized' }, { status: 401 }),
    Response.json({ title: 'Unavailable' }, { status: 503 }),
  ]
  t.mock.method(globalThis, 'fetch', async () => {
    const answer = answers.shift()
    if (!answer) throw new TypeError('fetch failed')
    return answer
  })
  assert.equal(await signOut('http://service.invalid', 'st_1'), true)
  assert.equal(await signOut('http://service.invalid', 'st_1'), false)
  await assert.rejects(signOut('http://service.invalid', 'st_1'), /Unavailable/)
  await assert.rejects(signOut('http://service.invalid', 'st_1'), /cannot be reached/)
})
