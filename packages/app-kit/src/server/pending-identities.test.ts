// What waits between an exchange and a session: once, for a minute, for one browser. Spec §5.6; V20.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPendingIdentities } from './pending-identities.ts'
import { buildIdentity } from './session-fixture.ts'

const PROOF = 'p'.repeat(43)

test('gives an identity once, to the browser with its secret [V20]', async () => {
  const pending = createPendingIdentities()
  const identity = buildIdentity()
  assert.equal(await pending.add(PROOF, identity), true)
  for (const other of ['q'.repeat(43), '', undefined, null, 7, `${PROOF}x`, '__proto__']) {
    assert.equal(await pending.redeem(other), undefined)
  }
  const redeemed = await Promise.all([pending.redeem(PROOF), pending.redeem(PROOF)])
  assert.deepEqual(redeemed.filter(Boolean), [identity])
})

test('keeps an identity for a minute', async () => {
  let now = 0
  const pending = createPendingIdentities({ now: () => now })
  await pending.add(PROOF, buildIdentity())
  now = 60_000
  assert.equal(await pending.redeem(PROOF), undefined)
})

test('keeps nothing under a text that is no secret, or over another identity', async () => {
  const pending = createPendingIdentities()
  for (const short of ['p'.repeat(42), 'guessable', '', undefined, {}]) {
    assert.equal(await pending.add(short, buildIdentity()), false)
  }
  assert.equal(await pending.add(PROOF, buildIdentity('lnch_1')), true)
  assert.equal(await pending.add(PROOF, buildIdentity('lnch_2')), false)
  assert.equal((await pending.redeem(PROOF))?.launchId, 'lnch_1')
})

test('holds at most ten thousand identities, and drops the oldest', async () => {
  const pending = createPendingIdentities({ now: () => 0 })
  const proofOf = (index: number) => `${index}`.padStart(43, '0')
  for (let index = 0; index <= 10_000; index += 1) {
    await pending.add(proofOf(index), buildIdentity())
  }
  assert.equal(await pending.redeem(proofOf(0)), undefined)
  assert.ok(await pending.redeem(proofOf(10_000)))
})
