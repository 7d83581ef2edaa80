// One fetch for concurrent callers, a cooldown between attempts, and the cached document in an
// outage. Security R04.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCachedDocument } from './cached-document.ts'

function createFixture() {
  let now = 1_000_000
  let loads = 0
  let isDown = false
  const load = async () => {
    loads += 1
    await new Promise((resolve) => setTimeout(resolve, 2))
    if (isDown) throw new Error('down')
    return { version: loads }
  }
  const document = createCachedDocument(load, {
    maxAgeMs: 300_000,
    cooldownMs: 30_000,
    now: () => now,
  })
  return {
    document,
    loads: () => loads,
    advance: (ms: number) => {
      now += ms
    },
    suspend: (down = true) => {
      isDown = down
    },
  }
}

const together = <T>(times: number, ask: () => Promise<T>) =>
  Promise.all(Array.from({ length: times }, ask))

test('fetches once for 1,000 concurrent callers [R04]', async () => {
  const { document, loads } = createFixture()
  const all = await together(1000, document.get)
  assert.equal(loads(), 1)
  assert.equal(new Set(all).size, 1)
})

test('fetches again after the maximum age, once for all callers', async () => {
  const { document, loads, advance } = createFixture()
  await document.get()
  advance(299_999)
  await document.get()
  assert.equal(loads(), 1)
  advance(1)
  const all = await together(100, document.get)
  assert.equal(loads(), 2)
  assert.ok(all.every(({ version }) => version === 2))
})

test('renews at most once per cooldown [R04]', async () => {
  const { document, loads, advance } = createFixture()
  await document.get()
  await together(100, document.renew)
  assert.equal(loads(), 1)
  advance(30_000)
  await together(100, document.renew)
  await together(100, document.renew)
  assert.equal(loads(), 2)
})

test('serves the known document during an outage and keeps the cooldown [R04]', async () => {
  const { document, loads, advance, suspend } = createFixture()
  await document.get()
  suspend()
  advance(300_000)
  for (let ask = 0; ask < 50; ask += 1) assert.equal((await document.get()).version, 1)
  assert.equal(loads(), 2)
  suspend(false)
  advance(30_000)
  assert.equal((await document.get()).version, 3)
})

test('rejects when nothing is known, and tries again at once', async () => {
  const { document, suspend } = createFixture()
  suspend()
  await assert.rejects(document.get(), /down/)
  suspend(false)
  assert.equal((await document.get()).version, 2)
})
