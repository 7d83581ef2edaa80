// The rules of the end of a sign-in: what ends it, when, and when its user is warned.
// Contract §3, security P04.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideSignInEnd, isSignInLive, livenessCutoff, planSignInEnd } from './liveness.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const IDLE_SECONDS = 30 * 60
const at = (now: number) => livenessCutoff(now, IDLE_SECONDS)
const SIGN_IN = {
  endedAt: undefined,
  endedReason: undefined,
  expiresAt: 12 * HOUR,
  lastSeenAt: 10 * MINUTE,
}

test('ends a sign-in at the moment it has been idle for thirty minutes [P04]', () => {
  assert.equal(decideSignInEnd(SIGN_IN, at(40 * MINUTE - 1)), undefined)
  const end = { at: 40 * MINUTE, reason: 'idle' }
  for (const now of [40 * MINUTE, 5 * HOUR, 24 * HOUR]) {
    assert.deepEqual(decideSignInEnd(SIGN_IN, at(now)), end)
  }
})

test('ends an active sign-in at its lifetime', () => {
  const active = { ...SIGN_IN, lastSeenAt: 12 * HOUR - MINUTE }
  assert.equal(decideSignInEnd(active, at(12 * HOUR - 1)), undefined)
  assert.deepEqual(decideSignInEnd(active, at(12 * HOUR)), { at: 12 * HOUR, reason: 'expired' })
})

test('keeps the first end, and its reason', () => {
  const signedOut = { ...SIGN_IN, endedAt: 20 * MINUTE, endedReason: 'revoked' } as const
  const late = { ...signedOut, endedAt: 50 * MINUTE }
  assert.deepEqual(decideSignInEnd(signedOut, at(HOUR)), { at: 20 * MINUTE, reason: 'revoked' })
  assert.deepEqual(decideSignInEnd(late, at(HOUR)), { at: 40 * MINUTE, reason: 'idle' })
})

test('takes the end of a sign-in without a reason for a sign-out', () => {
  const ended = { ...SIGN_IN, endedAt: 20 * MINUTE }
  assert.equal(decideSignInEnd(ended, at(21 * MINUTE))?.reason, 'signed_out')
})

test('says live exactly while there is no end', () => {
  for (const endedAt of [undefined, 20 * MINUTE]) {
    for (const lastSeenAt of [0, 10 * MINUTE, 12 * HOUR - 1]) {
      for (const now of [20 * MINUTE, 30 * MINUTE, 40 * MINUTE, 12 * HOUR, 13 * HOUR]) {
        const signIn = { ...SIGN_IN, endedAt, lastSeenAt: Math.min(lastSeenAt, now) }
        const end = decideSignInEnd(signIn, at(now))
        assert.equal(end === undefined, isSignInLive(signIn, at(now)), JSON.stringify(signIn))
      }
    }
  }
})

test('warns two minutes before the end, and for half of a short idle time', () => {
  const end = { at: 40 * MINUTE, reason: 'idle', warnAt: 38 * MINUTE }
  assert.deepEqual(planSignInEnd(SIGN_IN, at(11 * MINUTE)), end)
  const active = { ...SIGN_IN, lastSeenAt: 12 * HOUR - MINUTE }
  const lifetime = { at: 12 * HOUR, reason: 'expired', warnAt: 12 * HOUR - 2 * MINUTE }
  assert.deepEqual(planSignInEnd(active, at(12 * HOUR - MINUTE)), lifetime)
  const short = planSignInEnd(SIGN_IN, livenessCutoff(10 * MINUTE, 60))
  assert.deepEqual(short, { at: 11 * MINUTE, reason: 'idle', warnAt: 10.5 * MINUTE })
})
