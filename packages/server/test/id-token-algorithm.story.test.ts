// An app registers ES256 for its ID tokens: its key is created once and published then, other apps keep
// RS256, and each algorithm rotates and is withdrawn alone. OpenID Connect Dynamic Client Registration 1.0, 2;
// decision 90; security J01, J05–J07.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { createLocalJWKSet, type JWK, jwtVerify } from 'jose'
import {
  applyPlan,
  type KeyContext,
  planRotation,
  planWithdrawal,
  rotateIfDue,
} from '../src/keys/key-rotation.ts'
import { keyTimesOf } from '../src/keys/key-schedule.ts'
import { listSigningKeys } from '../src/keys/key-store.ts'
import { masterKeysOf } from '../src/keys/master-key.ts'
import {
  authorize,
  exchange,
  freshCode,
  type RegisteredApp,
  type Story,
  startStory,
} from './story.ts'
import { startTestService, type TestService } from './test-service.ts'

const MASTER = { CHARTSIDE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }

let story: Story
let second: TestService
beforeEach(async () => {
  story = await startStory({ ...MASTER, CHARTSIDE_SESSION_IDLE_SECONDS: '86400' })
  second = await startTestService(MASTER, { beside: story.service })
})
afterEach(async () => {
  await second.close()
  await story.close()
})

const choose = (idTokenSignedResponseAlg: unknown, app: RegisteredApp = story.app) =>
  story.api('PATCH', `/api/apps/${app.id}`, { idTokenSignedResponseAlg })

async function published(node: TestService = story.service): Promise<JWK[]> {
  await node.service.cacheVersions.check()
  return (await node.server.inject('/app-auth/.well-known/jwks.json')).json().keys
}
const kidsOf = (keys: readonly JWK[], alg: string) =>
  keys.filter((key) => key.alg === alg).map(({ kid }) => kid)

function workOf({ service }: TestService): KeyContext {
  const { db, config, randomness, clock } = service
  const masters = masterKeysOf(config, randomness)
  return { db, masters, randomness, times: keyTimesOf(config), now: clock() }
}

/** The header of an ID token that verifies against what the service publishes, by one pinned algorithm. */
async function headerFor(alg: string, app: RegisteredApp = story.app) {
  const launch = await story.launch({ app, sessionId: await story.openSession() })
  const code = (await authorize(story, launch.launchId, {}, app)).searchParams.get('code') ?? ''
  const answer = await exchange(story, code, {}, app)
  assert.equal(answer.statusCode, 200, answer.body)
  const keys = createLocalJWKSet({ keys: await published() })
  const { protectedHeader } = await jwtVerify(answer.json().id_token, keys, {
    algorithms: [alg],
    audience: app.clientId,
    currentDate: new Date(story.service.clock()),
  })
  return protectedHeader
}

test('an app that registers ES256 gets it, and every other app RS256 [J01]', async () => {
  const other = await story.registerApp('other')
  await story.service.service.cacheVersions.check()
  assert.deepEqual(
    (await published()).map(({ kty }) => kty),
    ['RSA'],
    'as the specification has it, until an app registers another',
  )
  const { idTokenSignedResponseAlg } = (await story.api('GET', `/api/apps/${story.app.id}`)).json()
  assert.equal(idTokenSignedResponseAlg, 'RS256')

  const answer = await choose('ES256')
  assert.equal(answer.json().idTokenSignedResponseAlg, 'ES256', answer.body)
  const [, key, ...more] = await published()
  assert.deepEqual(Object.keys(key ?? {}).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  assert.deepEqual(more, [])
  const ec = await headerFor('ES256')
  assert.deepEqual(ec, { alg: 'ES256', typ: 'JWT', kid: key?.kid })
  assert.equal((await headerFor('RS256', other)).alg, 'RS256')

  await choose(null)
  assert.equal((await headerFor('RS256')).alg, 'RS256')
  const trail = (await story.api('GET', '/api/audit-events?action=createKey')).json().items
  assert.deepEqual(
    trail.map(({ target, actor }: Record<string, string>) => [target, actor]),
    [[key?.kid, 'service']],
  )
})

test('no other algorithm can be registered', async () => {
  for (const alg of ['none', 'HS256', 'RS384', 'es256', '', ['RS256', 'ES256']]) {
    const answer = await choose(alg)
    assert.equal(answer.statusCode, 400, String(alg))
    assert.equal(answer.json().errors[0].field, '/idTokenSignedResponseAlg')
  }
  assert.deepEqual(
    (await published()).map(({ kty }) => kty),
    ['RSA'],
  )
})

test('registered at two nodes at once it creates one key, and each node signs with it', async () => {
  const other = await story.registerApp('other')
  const headers = { authorization: `Bearer ${story.adminToken}` }
  const payload = { idTokenSignedResponseAlg: 'ES256' }
  const answers = await Promise.all([
    choose('ES256'),
    second.server.inject({ method: 'PATCH', url: `/api/apps/${other.id}`, headers, payload }),
  ])
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [200, 200],
  )
  const keys = await listSigningKeys(second.service.db)
  assert.equal(keys.filter(({ alg }) => alg === 'ES256').length, 1)
  assert.equal((await headerFor('ES256')).kid, (await headerFor('ES256', other)).kid)
})

test('a node that has not heard of the first key yet signs with it all the same', async () => {
  await choose('ES256')
  const { clientId: client_id, secret: client_secret } = story.app
  const payload = { grant_type: 'authorization_code', client_id, client_secret }
  const code = await freshCode(story)
  const answer = await second.server.inject({
    method: 'POST',
    url: '/app-auth/token',
    payload: { ...payload, code },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  const header = JSON.parse(
    Buffer.from(answer.json().id_token.split('.')[0], 'base64url').toString(),
  )
  assert.equal(header.alg, 'ES256')
})

test('the keys of ES256 rotate and are withdrawn without those of RS256 [J06, J07]', async () => {
  await choose('ES256')
  const made = (await rotateIfDue(workOf(second))).created
  assert.equal(made.length, 2, 'a standby key of each')
  story.service.clock.advance(1)
  const before = await published()
  const [first, standby] = kidsOf(before, 'ES256')
  await applyPlan(workOf(second), await planRotation(workOf(second), 'ES256', 0))
  story.service.clock.advance(310)
  await rotateIfDue(workOf(second))
  const turned = await published()
  assert.deepEqual(kidsOf(turned, 'RS256'), kidsOf(before, 'RS256'))
  assert.equal((await headerFor('ES256')).kid, standby)

  const plan = await planWithdrawal(workOf(second), standby ?? '')
  assert.ok(plan)
  const next = await applyPlan(workOf(second), plan)
  story.service.clock.advance(2)
  const left = await published(second)
  assert.deepEqual(kidsOf(left, 'RS256'), kidsOf(before, 'RS256'))
  assert.equal(kidsOf(left, 'ES256').includes(standby), false)
  await published()
  const { kid } = await headerFor('ES256')
  assert.deepEqual([kid, kid === first], [next, false])
})
