// An interaction is redeemed once, by its own session, as its own kind, before it expires.
// Security U06.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../src/kernel/identifiers.ts'
import { INTERACTION_LIFETIME_MS } from '../src/sign-in/interaction/interaction.ts'
import {
  findInteraction,
  insertInteractionStatement,
  redeemInteraction,
} from '../src/sign-in/interaction/interaction-store.ts'
import { createPreAuthSession } from '../src/sign-in/interaction/pre-auth-session.ts'
import { startTestService, type TestService } from './test-service.ts'

const DATA = { invitationId: 'inv_x' }

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

async function insert() {
  const { db, config, randomness } = service.service
  const now = service.clock()
  const session = createPreAuthSession(config.baseUrl, randomness)
  const id = newId('stp', now, randomness)
  await db.write(insertInteractionStatement(id, session, 'new_passkey', DATA, now))
  return { db, now, session, id, other: createPreAuthSession(config.baseUrl, randomness) }
}

test('redeems an interaction once of twenty parallel attempts', async () => {
  const { db, now, session, id } = await insert()
  assert.deepEqual((await findInteraction(db, id, session, 'new_passkey', now))?.data, DATA)
  const redeemed = await Promise.all(
    Array.from({ length: 20 }, () => redeemInteraction(db, id, session, 'new_passkey', now)),
  )
  assert.deepEqual(
    redeemed.filter((interaction) => interaction !== undefined).map(({ data }) => data),
    [DATA],
  )
  assert.equal(await findInteraction(db, id, session, 'new_passkey', now), undefined)
})

test('refuses another session, another kind and a late time, and keeps the interaction', async () => {
  const { db, now, session, other, id } = await insert()
  const late = now + INTERACTION_LIFETIME_MS
  assert.equal(await redeemInteraction(db, id, other, 'new_passkey', now), undefined)
  assert.equal(await redeemInteraction(db, id, session, 'approval', now), undefined)
  assert.equal(await redeemInteraction(db, id, session, 'new_passkey', late), undefined)
  assert.ok(await redeemInteraction(db, id, session, 'new_passkey', late - 1))
})
