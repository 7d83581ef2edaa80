// Two operators who change keys at once: the later one starts from what is stored, or changes nothing.
// Contract §2 (jwks), security J05, J06.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { applyPlan, type KeyContext, planRotation } from '../src/keys/key-rotation.ts'
import { keyTimesOf } from '../src/keys/key-schedule.ts'
import { listSealed, listSigningKeys, updateSealed } from '../src/keys/key-store.ts'
import { masterKeysOf } from '../src/keys/master-key.ts'
import { type Story, startStory } from './story.ts'
import { startTestService } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

function context(): KeyContext {
  const { db, config, randomness, clock } = story.service.service
  const masters = masterKeysOf(config, randomness)
  return { db, masters, randomness, times: keyTimesOf(config), now: clock() }
}

const stored = () => listSigningKeys(story.service.service.db)

test('refuses a plan for a key whose start another operator has moved [J06]', async () => {
  await applyPlan(context(), await planRotation(context(), 'RS256', 600_000))
  story.service.clock.advance(400)
  const [early, late] = [
    await planRotation(context(), 'RS256', 60_000),
    await planRotation(context(), 'RS256', 0),
  ]
  assert.equal(early.next.kid, late.next.kid)
  assert.ok(early.next.kid !== undefined && early.next.signsFrom !== late.next.signsFrom)
  await applyPlan(context(), early)
  const before = await stored()
  await assert.rejects(applyPlan(context(), late), /keys were changed meanwhile/)
  assert.deepEqual(await stored(), before)
})

test('replaces what is sealed only while it is what was read [J05]', async () => {
  const { db } = story.service.service
  assert.equal((await story.api('POST', '/api/users/me/second-factor')).statusCode, 201)
  const before = await listSealed(db)
  assert.ok(before.some(({ id }) => id.startsWith('usr_')))
  for (const { id } of before) {
    assert.equal(await updateSealed(db, id, 'what it was before', 'overwritten'), false)
  }
  assert.deepEqual(await listSealed(db), before)
})

test('delays no rotation that is due earlier than an operator asks for [J06]', async () => {
  const { kid } = (await planRotation(context(), 'RS256', 0)).next
  const due = (await stored()).find((key) => key.kid === kid)?.signsFrom
  const { next } = await planRotation(context(), 'RS256', 365 * 86_400_000)
  assert.ok(kid !== undefined && due !== undefined)
  assert.deepEqual([next.kid, next.signsFrom], [kid, due])
})

test('logs which key a node cannot open, and starts with the others [J06, J08]', async () => {
  const { db } = story.service.service
  story.service.clock.advance(1)
  const kids = (await stored()).filter(({ retiredAt }) => retiredAt === undefined)
  const standby = kids.at(-1)
  assert.ok(kids.length > 1 && standby)
  const broken = 'v1.00000000.AAAA.AAAA'
  assert.equal(await updateSealed(db, standby.kid, standby.sealed, broken), true)
  const node = await startTestService({}, { beside: story.service })
  try {
    const line = node
      .logText()
      .split('\n')
      .find((text) => text.includes('a key cannot be opened'))
    assert.equal(JSON.parse(line ?? '{}').kid, standby.kid)
    assert.doesNotMatch(node.logText(), /AAAA\.AAAA/)
  } finally {
    await node.close()
    await updateSealed(db, standby.kid, broken, standby.sealed)
  }
})
