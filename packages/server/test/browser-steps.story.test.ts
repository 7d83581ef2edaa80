// A step of a browser is taken once, by its own browser, as what it is, in its time. Security U06.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../src/kernel/identifiers.ts'
import { STEP_LIFETIME_MS } from '../src/sign-in/interaction/interaction.ts'
import { findStep, insertStep, redeemStep } from '../src/sign-in/interaction/interaction-store.ts'
import { createPreAuthSession } from '../src/sign-in/interaction/pre-auth-session.ts'
import { startTestService, type TestService } from './test-service.ts'

const DATA = { invitationId: 'inv_x' }

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

async function begin() {
  const { db, config, randomness } = service.service
  const now = service.clock()
  const browser = createPreAuthSession(config.baseUrl, randomness)
  const id = newId('stp', now, randomness)
  await db.write(insertStep(id, browser, 'new_passkey', DATA, now))
  return { db, now, browser, id, other: createPreAuthSession(config.baseUrl, randomness) }
}

test('of twenty who take a step at once exactly one gets it, and then it is not even to be seen', async () => {
  const { db, now, browser, id } = await begin()
  assert.deepEqual((await findStep(db, id, browser, 'new_passkey', now))?.data, DATA)
  const taken = await Promise.all(
    Array.from({ length: 20 }, () => redeemStep(db, id, browser, 'new_passkey', now)),
  )
  assert.deepEqual(
    taken.filter((step) => step !== undefined).map(({ data }) => data),
    [DATA],
  )
  assert.equal(await findStep(db, id, browser, 'new_passkey', now), undefined)
})

test('another browser, another kind and a later time take nothing and spoil nothing', async () => {
  const { db, now, browser, other, id } = await begin()
  const late = now + STEP_LIFETIME_MS
  assert.equal(await redeemStep(db, id, other, 'new_passkey', now), undefined)
  assert.equal(await redeemStep(db, id, browser, 'approval', now), undefined)
  assert.equal(await redeemStep(db, id, browser, 'new_passkey', late), undefined)
  assert.ok(await redeemStep(db, id, browser, 'new_passkey', late - 1))
})
