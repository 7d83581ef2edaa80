// Event streams of a node that stops: those that are open move, and one that opens later is told at once, or
// the node would wait for it and never end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sessionSubscriptions } from './session-subscriptions.ts'

test('a stream that opens after the others have moved moves too', async () => {
  const subscriptions = sessionSubscriptions(undefined)
  const told: string[] = []
  await subscriptions.subscribe('ses_1', () => told.push('open before'))
  await subscriptions.stop()
  assert.deepEqual(told, ['open before'])
  const next = Promise.withResolvers<unknown>()
  await subscriptions.subscribe('ses_2', next.resolve)
  assert.deepEqual(await next.promise, { stopping: true })
})

test('a stream that was closed meanwhile is told nothing', async () => {
  const subscriptions = sessionSubscriptions(undefined)
  await subscriptions.stop()
  const told: unknown[] = []
  const unsubscribe = await subscriptions.subscribe('ses_1', (one) => told.push(one))
  unsubscribe()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(told, [])
})
