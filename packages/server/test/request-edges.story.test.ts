// What a single request may bring or wait for: a trace id of its own, a NUL character on a page, a slot that
// does not come free. Security C15, F07, F08.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

test('takes no trace id from a caller, whatever header holds it [C15]', async () => {
  for (const name of ['request-id', 'x-request-id', 'x-trace-id']) {
    const headers = { [name]: 'chosen-by-the-caller' }
    const answer = await story.request({ url: '/api/users/me', headers })
    assert.match(answer.json().traceId, /^[0-9a-f]{32}$/, name)
  }
})

test('refuses a NUL character in the address and in a form of a page', async () => {
  const asked = await story.request({ url: '/auth/sign-in?return_to=%00' })
  const sent = await story.request({
    method: 'POST',
    url: '/auth/sign-in/password',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'email=%00',
  })
  for (const { statusCode, body } of [asked, sent]) {
    assert.equal(statusCode, 400)
    assert.match(body, /NUL character/)
  }
})

test('lets a request wait a second for storage, and then answers 503 [F07]', async () => {
  const { db } = story.service.service
  const { read } = db
  const slow = Promise.withResolvers<void>()
  const ask = () => story.api('GET', '/api/accounts')
  Object.assign(db, {
    read: async (...statements: Parameters<typeof read>) => {
      await slow.promise
      return read(...statements)
    },
  })
  try {
    const running = Array.from({ length: 32 }, ask)
    const began = performance.now()
    const late = await ask()
    assert.ok(performance.now() - began < 5000)
    assert.deepEqual([late.statusCode, late.json().code], [503, 'temporarily_unavailable'])
    slow.resolve()
    for (const { statusCode } of await Promise.all(running)) assert.equal(statusCode, 200)
  } finally {
    slow.resolve()
    Object.assign(db, { read })
  }
})
