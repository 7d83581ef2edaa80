// Passwords: argon2id, the same work for an unknown address, bounded concurrency. Security K04, U07.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandomness } from '../kernel/randomness.ts'
import { passwordHasher } from './password.ts'

const CHEAP = { memory: 64, passes: 1, parallelism: 1 }
const hasher = passwordHasher(systemRandomness())

test('accepts the right password only, and never makes the same hash twice', async () => {
  const stored = await hasher.hash('pässword')
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.equal(await hasher.isCorrect('pässword', stored), true)
  assert.equal(await hasher.isCorrect('pa\u0308ssword', stored), true)
  assert.equal(await hasher.isCorrect('password', stored), false)
  assert.notEqual(await hasher.hash('pässword'), stored)
})

test('refuses an unknown address after the same work [U07]', async () => {
  const stored = await hasher.hash('x')
  const fastest = async (hash: string | undefined) => {
    let best = Number.POSITIVE_INFINITY
    for (let i = 0; i < 8; i++) {
      const started = performance.now()
      assert.equal(await hasher.isCorrect('wrong', hash), false)
      best = Math.min(best, performance.now() - started)
    }
    return best
  }
  // The fastest of several is the work itself; other load on the machine only adds.
  const [known, unknown] = [await fastest(stored), await fastest(undefined)]
  assert.ok(unknown > known / 2 && unknown < known * 2, `${known} against ${unknown}`)
})

test('verifies a hash at the cost that it was made with', async () => {
  const stored = await passwordHasher(systemRandomness(), CHEAP).hash('x')
  assert.match(stored, /\$m=64,t=1,p=1\$/)
  assert.equal(await hasher.isCorrect('x', stored), true)
  assert.equal(await hasher.isCorrect('y', stored), false)
})

test('refuses a damaged hash instead of failing', async () => {
  const cheapest = (await hasher.hash('x')).replace('m=19456', 'm=0')
  for (const damaged of ['', 'plain', '$argon2id$v=19$m=1$$', '$a$b$c', cheapest]) {
    assert.equal(await hasher.isCorrect('x', damaged), false)
  }
})

test('refuses attempts beyond the queue, known or not, and serves the others [K04]', async () => {
  // A queue counts attempts, whatever each of them costs.
  const cheap = passwordHasher(systemRandomness(), CHEAP)
  const stored = await cheap.hash('x')
  const attempts = Array.from({ length: 300 }, (_, i) =>
    cheap.isCorrect('wrong', i % 2 === 0 ? stored : undefined).then(
      () => 'served',
      (error: { code?: string }) => `${error.code} ${i % 2 === 0 ? 'known' : 'unknown'}`,
    ),
  )
  const outcomes = await Promise.all(attempts)
  const count = (outcome: string) => outcomes.filter((one) => one === outcome).length
  assert.ok(count('served') >= 100 && count('served') <= 104, `${count('served')}`)
  const refused = [count('temporarily_unavailable known'), count('temporarily_unavailable unknown')]
  assert.ok(Math.abs((refused[0] ?? 0) - (refused[1] ?? 0)) <= 1 && (refused[0] ?? 0) > 90)
  assert.equal(await cheap.isCorrect('x', stored), true)
})

test('starts no work for a refused attempt, and admits attempts again later [K04]', async () => {
  let begun = 0
  const outcomes = await Promise.allSettled(
    Array.from({ length: 150 }, () =>
      hasher.attempt(async () => {
        begun += 1
        await new Promise((resolve) => setTimeout(resolve, 5))
      }),
    ),
  )
  assert.equal(begun, 100)
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 50)
  assert.equal(await hasher.attempt(async () => 'served'), 'served')
})
