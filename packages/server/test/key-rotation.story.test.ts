// Keys of an installation with two nodes: one makes the next, all publish it long before it signs,
// the old one goes after its last token, a leaked one goes at once, and the master key changes
// while the nodes run. Contract §2 (jwks), security J05–J07, F03.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import {
  applyPlan,
  type KeyContext,
  planRotation,
  planWithdrawal,
  reseal,
  rotateIfDue,
} from '../src/keys/key-rotation.ts'
import { keyTimesOf } from '../src/keys/key-schedule.ts'
import { listSealed, listSigningKeys } from '../src/keys/key-store.ts'
import { masterKeysOf, sealedWith } from '../src/keys/master-key.ts'
import { exchange, freshCode, type Story, startStory } from './story.ts'
import { startTestService, type TestService } from './test-service.ts'

const DAY = 86_400
const MASTER = Buffer.alloc(32, 7).toString('base64')
const NEW_MASTER = Buffer.alloc(32, 8).toString('base64')

let story: Story
let second: TestService
beforeEach(async () => {
  story = await startStory({
    CHARTSIDE_MASTER_KEY: MASTER,
    CHARTSIDE_SESSION_IDLE_SECONDS: '86400',
  })
  second = await startTestService({ CHARTSIDE_MASTER_KEY: MASTER }, { beside: story.service })
})
afterEach(async () => {
  await second.close()
  await story.close()
})

/** What a node does now and then on its own. */
async function tend(node: TestService) {
  const done = await rotateIfDue(workOf(node))
  await node.service.cacheVersions.check()
  return done
}

function workOf({ service }: TestService): KeyContext {
  const { db, config, randomness, clock } = service
  const masters = masterKeysOf(config, randomness)
  return { db, masters, randomness, times: keyTimesOf(config), now: clock() }
}

async function publishedBy(node: TestService): Promise<string[]> {
  await node.service.cacheVersions.check()
  const answer = await node.server.inject('/app-auth/.well-known/jwks.json')
  return answer.json().keys.map(({ kid }: { kid: string }) => kid)
}

/** The kid that signs now, shown by a token that verifies against what this node publishes. */
async function signedBy(node: TestService): Promise<string> {
  const { service } = node
  await service.cacheVersions.check()
  const jwks = (await node.server.inject('/app-auth/.well-known/jwks.json')).json()
  const code = await freshCode(story)
  const answer = await exchange(
    { ...story, request: (options) => node.server.inject(options) },
    code,
  )
  assert.equal(answer.statusCode, 200, answer.body)
  const { protectedHeader } = await jwtVerify(answer.json().id_token, createLocalJWKSet(jwks), {
    currentDate: new Date(service.clock()),
  })
  return String(protectedHeader.kid)
}

/** A day at a time, so that sign-ins can be made anew. */
async function turnTo(days: number): Promise<void> {
  story.service.clock.advance(days * DAY)
  const fresh = await story.request({
    method: 'POST',
    url: '/auth/sign-in',
    payload: { email: 'admin@test.example', password: 'correct horse battery staple' },
  })
  const token = fresh.json().token
  const api: Story['api'] = (method, url, body) =>
    story.request({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(body ? { payload: body } : {}),
    })
  const opened = await api('POST', '/api/sessions', {
    accountId: story.accountId,
    ehrType: 'meadow',
    deviceId: 'device-1',
  })
  const sessionId = opened.json().id
  story = {
    ...story,
    api,
    sessionId,
    launch: async () =>
      (
        await api('POST', `/api/sessions/${sessionId}/launches`, {
          appId: story.app.id,
          kind: 'ui',
        })
      ).json(),
  }
}

test('two nodes start with one key, and no rotation is due for a long time', async () => {
  const published = await publishedBy(story.service)
  assert.equal(published.length, 1)
  assert.deepEqual(await publishedBy(second), published)
})

test('publishes a standby key at once, which signs after the rotation time [J06]', async () => {
  const [first] = await publishedBy(story.service)
  const nodes = Array.from({ length: 10 }, (_, i) => (i % 2 ? story.service : second))
  const made = (await Promise.all(nodes.map(tend))).flatMap(({ created }) => created)
  assert.equal(made.length, 1)
  story.service.clock.advance(1)
  assert.deepEqual(await publishedBy(second), [first, ...made])
  assert.equal(await signedBy(second), first)
  assert.deepEqual(await tend(second), { created: [], retired: [] })
  // A rotation by hand signs with the key that every verifier has, and publishes the one after it.
  story.service.clock.advance(600)
  const plan = await planRotation(workOf(second), 'RS256', 0)
  assert.deepEqual(plan.next, { kid: made[0], signsFrom: story.service.clock() })
  await applyPlan(workOf(second), plan)
  story.service.clock.advance(2)
  assert.equal(await signedBy(story.service), made[0])
  assert.equal((await publishedBy(story.service)).length, 3)
})

test('one of many nodes creates the next key; all publish it a day ahead [J06]', async () => {
  const [first] = await publishedBy(story.service)
  await turnTo(89)
  const nodes = Array.from({ length: 10 }, (_, i) => (i % 2 ? story.service : second))
  const made = (await Promise.all(nodes.map(tend))).flatMap(({ created }) => created)
  assert.equal(made.length, 1)
  const [next] = made
  story.service.clock.advance(1)
  for (const node of [story.service, second]) {
    assert.deepEqual(await publishedBy(node), [first, next])
    assert.equal(await signedBy(node), first)
  }
  await turnTo(1)
  for (const node of [story.service, second]) {
    assert.equal(await signedBy(node), next)
    // The last tokens of the old key are still out.
    assert.deepEqual(await publishedBy(node), [first, next])
  }
})

test('retires the old key after its last token expired, and wipes it [J06]', async () => {
  const [first] = await publishedBy(story.service)
  await turnTo(89)
  await tend(story.service)
  await turnTo(1)
  await tend(second)
  // Beside the signing one the standby key.
  assert.equal((await publishedBy(second)).length, 3)
  story.service.clock.advance(3600 + 300)
  const { retired } = await tend(second)
  assert.deepEqual(retired, [first])
  for (const node of [story.service, second]) {
    assert.equal((await publishedBy(node)).includes(String(first)), false)
  }
  const stored = (await listSigningKeys(second.service.db)).find(({ kid }) => kid === first)
  assert.equal(stored?.sealed, '')
})

test('rotates early on request, but never before every key set has the next key', async () => {
  const [first] = await publishedBy(story.service)
  const plan = await planRotation(workOf(second), 'RS256', 0)
  assert.equal(plan.next.kid, undefined)
  assert.equal(plan.next.signsFrom, story.service.clock() + 302_000)
  const next = await applyPlan(workOf(second), plan)
  story.service.clock.advance(2)
  assert.deepEqual(await publishedBy(story.service), [first, next])
  assert.equal(await signedBy(story.service), first)
  story.service.clock.advance(300)
  assert.equal(await signedBy(story.service), next)
  assert.equal(await signedBy(second), next)
})

test('brings a planned rotation forward instead of creating another next key', async () => {
  await turnTo(89)
  await tend(story.service)
  story.service.clock.advance(600)
  const plan = await planRotation(workOf(second), 'RS256', 0)
  const next = await applyPlan(workOf(second), plan)
  assert.equal(next, plan.next.kid)
  assert.equal((await publishedBy(story.service)).length, 3)
  story.service.clock.advance(2)
  assert.equal(await signedBy(story.service), next)
})

test('withdraws a leaked key on every node within two seconds; launches go on [J07]', async () => {
  const [leaked = ''] = await publishedBy(story.service)
  const work = workOf(second)
  const plan = await planWithdrawal(work, leaked)
  assert.ok(plan)
  await applyPlan(work, plan)
  story.service.clock.advance(2)
  for (const node of [story.service, second]) {
    const published = await publishedBy(node)
    assert.equal(published.includes(leaked), false)
    assert.notEqual(await signedBy(node), leaked)
  }
  assert.equal(await planWithdrawal(workOf(second), leaked), undefined)
  assert.equal((await listSigningKeys(second.service.db))[0]?.sealed, '')
})

test('after a withdrawal the published next key signs at once', async () => {
  const [leaked = ''] = await publishedBy(story.service)
  await turnTo(89)
  const [made] = (await tend(story.service)).created
  const work = workOf(second)
  const plan = await planWithdrawal(work, leaked)
  assert.equal(plan?.next.kid, made)
  assert.ok(plan)
  await applyPlan(work, plan)
  story.service.clock.advance(2)
  assert.equal(await signedBy(story.service), made)
  const published = await publishedBy(second)
  assert.deepEqual([published[0], published.length], [made, 2])
})

test('changes the master key while nodes run: old and new nodes sign', async (t) => {
  const third = await startTestService(
    { CHARTSIDE_MASTER_KEY: NEW_MASTER, CHARTSIDE_PREVIOUS_MASTER_KEY: MASTER },
    { beside: story.service },
  )
  t.after(() => third.close())
  const [first] = await publishedBy(third)
  assert.equal(await signedBy(third), first)
  const { db, masters, randomness } = workOf(third)
  assert.equal((await reseal({ db, masters, randomness }, true)).length, 2)
  assert.equal((await reseal({ db, masters, randomness }, false)).length, 2)
  assert.deepEqual(await reseal({ db, masters, randomness }, false), [])
  const seals = (await listSealed(db)).map(({ sealed }) => sealedWith(sealed))
  assert.deepEqual([...new Set(seals)], [masters.current.id])
  // A node with the old one goes on with what it has opened; a new start with the old one is refused.
  story.service.clock.advance(2)
  assert.equal(await signedBy(second), first)
  await assert.rejects(
    startTestService({ CHARTSIDE_MASTER_KEY: MASTER }, { beside: story.service }),
    /CHARTSIDE_MASTER_KEY/,
  )
  const fourth = await startTestService(
    { CHARTSIDE_MASTER_KEY: NEW_MASTER },
    { beside: story.service },
  )
  t.after(() => fourth.close())
  assert.equal(await signedBy(fourth), first)
})

test('answers 503 and redeems no code when the signing key cannot be opened', async (t) => {
  const third = await startTestService(
    { CHARTSIDE_MASTER_KEY: NEW_MASTER, CHARTSIDE_PREVIOUS_MASTER_KEY: MASTER },
    { beside: story.service },
  )
  t.after(() => third.close())
  const code = await freshCode(story)
  const work = workOf(third)
  const leaked = (await publishedBy(third))[0] ?? ''
  const plan = await planWithdrawal(work, leaked)
  assert.ok(plan)
  const made = await applyPlan(work, plan)
  story.service.clock.advance(2)
  const refused = await exchange(story, code)
  assert.equal(refused.statusCode, 503)
  assert.equal(refused.json().error, 'temporarily_unavailable')
  assert.ok(refused.headers['retry-after'])
  // It publishes the key all the same, so that its answers never break a verifier.
  assert.equal((await publishedBy(second))[0], made)
  const elsewhere = {
    ...story,
    request: third.server.inject.bind(third.server) as Story['request'],
  }
  assert.equal((await exchange(elsewhere, code)).statusCode, 200)
})
