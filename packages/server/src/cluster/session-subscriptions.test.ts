// Event streams of a node that stops: those that are open move, and one that opens later moves at once, or
// the node would wait for it and never end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sessionSubscriptions } from './session-subscriptions.ts'

test('a stream that opens after the others have moved moves too', async () => {
  const subscriptions = sessionSubscriptions(undefined)
  const delivered: string[] = []
  await subscriptions.subscribe('ses_1', () => delivered.push('open before'))
  await subscriptions.stop()
  assert.deepEqual(delivered, ['open before'])
  const next = Promise.withResolvers<unknown>()
  await subscriptions.subscribe('ses_2', next.resolve)
  assert.deepEqual(await next.promise, { stopping: true })
})

test('a stream that was closed meanwhile gets no notification', async () => {
  const subscriptions = sessionSubscriptions(undefined)
  await subscriptions.stop()
  const delivered: unknown[] = []
  const unsubscribe = await subscriptions.subscribe('ses_1', (one) => delivered.push(one))
  unsubscribe()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(delivered, [])
})

test('a second stream of a session waits for the subscription of the first', async () => {
  const written = Promise.withResolvers<void>()
  const broadcast = {
    subscribe: () => written.promise,
    unsubscribe() {},
    publish: async () => {},
    poll: async () => [],
    renew: async () => {},
  }
  const subscriptions = sessionSubscriptions(broadcast)
  let ready = 0
  const opening = [1, 2].map(() => subscriptions.subscribe('ses_1', () => {}).then(() => ready++))
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(ready, 0)
  written.resolve()
  await Promise.all(opening)
  assert.equal(ready, 2)
})
