// The life of a key: when it is published, when it signs, when it is gone, and who comes next.
// Contract §2 (jwks), security J05–J07.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  decideKeyState,
  decideNextSigning,
  decidePublished,
  decidePublishedUntil,
  decideSigner,
  earliestSigning,
  jwksMaxAgeSeconds,
  keyTimesOf,
  nextGeneration,
  type ScheduledKey,
} from './key-schedule.ts'

const DAY = 86_400_000
const times = keyTimesOf({
  keyRotationDays: 90,
  keyPrepublishSeconds: 86_400,
  maxIdTokenLifetimeSeconds: 3600,
})
const key = (generation: number, signsFrom: number, fields: Partial<ScheduledKey> = {}) => ({
  kid: `kid-${generation}`,
  alg: 'RS256' as const,
  generation,
  createdAt: signsFrom - times.prepublishMs,
  signsFrom,
  retiredAt: undefined,
  ...fields,
})
const kids = (keys: readonly ScheduledKey[]) => keys.map(({ kid }) => kid)

test('the newest key whose start has passed signs; a published one does not', () => {
  const keys = [key(3, 200), key(1, 0), key(2, 100)]
  assert.deepEqual(
    [0, 99, 100, 199, 200].map((now) => decideSigner(keys, 'RS256', now)?.generation),
    [1, 1, 2, 2, 3],
  )
  assert.equal(decideSigner([key(1, 0, { retiredAt: 5 })], 'RS256', 9), undefined)
})

test('a clock behind the only key’s creation uses it', () => {
  const only = [key(1, 10)]
  assert.equal(decideSigner(only, 'RS256', 9)?.generation, 1)
  assert.deepEqual(kids(decidePublished(only, 9, times)), ['kid-1'])
})

test('publishes a key before it signs and until its last token expired [J06]', () => {
  const keys = [key(1, 0), key(2, 90 * DAY)]
  const gone = 90 * DAY + 3600_000 + 5 * 60_000
  const at = (now: number) => kids(decidePublished(keys, now, times))
  assert.deepEqual(at(89 * DAY), ['kid-1', 'kid-2'])
  assert.deepEqual(at(90 * DAY), ['kid-1', 'kid-2'])
  assert.deepEqual(at(gone - 1), ['kid-1', 'kid-2'])
  assert.deepEqual(at(gone), ['kid-2'])
  const [old, next] = keys
  assert.ok(old && next)
  const states = [0, 90 * DAY, gone].map((now) => [
    decideKeyState(keys, old, now, times),
    decideKeyState(keys, next, now, times),
  ])
  assert.deepEqual(states, [
    ['signing', 'published'],
    ['retiring', 'signing'],
    ['retired', 'signing'],
  ])
})

test('keeps the only key, however old it is', () => {
  assert.deepEqual(kids(decidePublished([key(1, 0)], 9999 * DAY, times)), ['kid-1'])
})

test('a withdrawn key is not published; the previous one signs again [J07]', () => {
  const keys = [key(1, 0), key(2, 90 * DAY, { retiredAt: 91 * DAY })]
  assert.equal(decideSigner(keys, 'RS256', 92 * DAY)?.kid, 'kid-1')
  assert.deepEqual(kids(decidePublished(keys, 92 * DAY, times)), ['kid-1'])
})

test('always publishes the key after the signing one [J06]', () => {
  const first = key(1, 0)
  const second = key(2, 90 * DAY)
  assert.equal(decideNextSigning([first], 'RS256', 0, times), 90 * DAY)
  assert.equal(decideNextSigning([first, second], 'RS256', 89 * DAY, times), undefined)
  // The one after it is there before it begins to sign.
  assert.equal(decideNextSigning([first, second], 'RS256', 90 * DAY - 60_000, times), 180 * DAY)
  // A node that slept through the date still publishes ahead.
  assert.equal(decideNextSigning([first], 'RS256', 200 * DAY, times), 201 * DAY)
  assert.equal(decideNextSigning([], 'RS256', 5, times), 5)
  // Without rotation the standby key waits for an operator.
  const waits = decideNextSigning([first], 'RS256', 200 * DAY, { ...times, rotationMs: 0 }) ?? 0
  assert.ok(waits > 100 * 365 * DAY)
})

test('the keys of each algorithm have a schedule of their own', () => {
  const rsa = key(1, 0)
  const ec = key(1, 50 * DAY, { kid: 'ec-1', alg: 'ES256' })
  const keys = [ec, rsa]
  const at = 60 * DAY
  assert.equal(decideSigner(keys, 'RS256', at), rsa)
  assert.equal(decideSigner(keys, 'ES256', at), ec)
  assert.equal(decideSigner([rsa], 'ES256', at), undefined)
  assert.deepEqual(kids(decidePublished(keys, at, times)), ['kid-1', 'ec-1'])
  assert.equal(decideKeyState(keys, rsa, at, times), 'signing')
  assert.equal(decidePublishedUntil(keys, rsa, times), undefined)
  assert.equal(decideNextSigning(keys, 'ES256', at, times), 140 * DAY)
  assert.deepEqual([nextGeneration(keys, 'ES256'), nextGeneration([rsa], 'ES256')], [2, 1])
})

test('never lets a key sign in the first minute after it was published', () => {
  const ofSeconds = (keyPrepublishSeconds: number) =>
    earliestSigning(
      0,
      keyTimesOf({ keyRotationDays: 1, keyPrepublishSeconds, maxIdTokenLifetimeSeconds: 1 }),
    )
  assert.deepEqual([10, 60, 100, 86_400].map(ofSeconds), [10_000, 60_000, 60_000, 302_000])
})

test('caches keep the key set for at most half of the prepublication', () => {
  const maxAge = (keyPrepublishSeconds: number) =>
    jwksMaxAgeSeconds(
      keyTimesOf({ keyRotationDays: 1, keyPrepublishSeconds, maxIdTokenLifetimeSeconds: 1 }),
    )
  assert.deepEqual([10, 100, 600, 86_400].map(maxAge), [5, 50, 300, 300])
  assert.equal(earliestSigning(1000, times), 1000 + 2000 + 300_000)
})
