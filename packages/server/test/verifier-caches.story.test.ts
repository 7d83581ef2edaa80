// What app servers with jose, jwks-rsa and @cfworker/jwt do when keys rotate and when one is revoked: the
// page docs/operate/keys.md says it, these three libraries show it. They fetch over a real socket and look at
// the real clock. Contract §2 (jwks), security J06, J07.
import assert from 'node:assert/strict'
import { verify as verifySignature } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { getKey, parseJwt } from '@cfworker/jwt'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { JwksClient } from 'jwks-rsa'
import {
  applyPlan,
  type KeyContext,
  planRotation,
  planWithdrawal,
  rotateIfDue,
} from '../src/keys/key-rotation.ts'
import { keyTimesOf } from '../src/keys/key-schedule.ts'
import { masterKeysOf } from '../src/keys/master-key.ts'
import { exchange, freshCode, type Story, startStory } from './story.ts'
import { testClock } from './test-service.ts'

let story: Story
let jwksUrl: string
/** The verifiers of app servers that started now, each with a cache of its own. */
type Verifiers = Readonly<Record<string, (token: string) => Promise<unknown>>>

before(async () => {
  story = await startStory(
    { CHARTSIDE_SESSION_IDLE_SECONDS: '86400' },
    { clock: testClock(Date.now()) },
  )
  await story.service.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = story.service.server.server.address() as AddressInfo
  jwksUrl = `http://127.0.0.1:${port}/app-auth/.well-known/jwks.json`
})
after(() => story.close())

/** The cache of @cfworker/jwt belongs to its module: there is one for the process. */
async function startVerifiers(): Promise<Verifiers> {
  const remote = createRemoteJWKSet(new URL(jwksUrl))
  const client = new JwksClient({ jwksUri: jwksUrl })
  return {
    jose: (token) => jwtVerify(token, remote, { currentDate: new Date(story.service.clock()) }),
    'jwks-rsa': async (token) => {
      const key = await client.getSigningKey(decodeProtectedHeader(token).kid)
      const [header, payload, signature = ''] = token.split('.')
      const bytes = Buffer.from(signature, 'base64url')
      const isRight = verifySignature(
        'sha256',
        Buffer.from(`${header}.${payload}`),
        key.getPublicKey(),
        bytes,
      )
      assert.ok(isRight)
    },
    '@cfworker/jwt': async (token) => {
      const issuer = story.service.service.config.issuerUrl
      const audience = story.app.clientId
      const skewMs = 365 * 86_400_000
      const checked = await parseJwt({ jwt: token, issuer, audience, resolveKey: getKey, skewMs })
      assert.ok(checked.valid, checked.valid ? '' : checked.reason)
    },
  }
}

/** @cfworker/jwt asks the issuer itself, whose name of a test is served by no machine. */
function redirectIssuer(t: { after(work: () => void): void }): void {
  const { fetch } = globalThis
  const { origin } = new URL(jwksUrl)
  globalThis.fetch = (input, init) =>
    fetch(String(input).replace('https://chartside.test', origin), init)
  t.after(() => {
    globalThis.fetch = fetch
  })
}

function context(): KeyContext {
  const { db, config, randomness, clock } = story.service.service
  const masters = masterKeysOf(config, randomness)
  return { db, masters, randomness, times: keyTimesOf(config), now: clock() }
}

/** The node notices within a second what was changed. */
async function follow(): Promise<void> {
  story.service.clock.advance(2)
  await story.service.service.cacheVersions.check()
}

async function nextSigns(): Promise<void> {
  const plan = await planRotation(context(), 'RS256', 0)
  await applyPlan(context(), plan)
  story.service.clock.advance((plan.next.signsFrom - story.service.clock()) / 1000)
  await follow()
}

const idToken = async (): Promise<string> =>
  (await exchange(story, await freshCode(story))).json().id_token

async function accepting(verifiers: Verifiers, token: string): Promise<string[]> {
  const names: string[] = []
  for (const [name, check] of Object.entries(verifiers)) {
    await check(token).then(
      () => names.push(name),
      () => undefined,
    )
  }
  return names
}

test('no library fails at a rotation; a standby key is in every cache [J06, J07]', async (t) => {
  redirectIssuer(t)
  const { kid: leaked = '' } = decodeProtectedHeader(await idToken())
  await rotateIfDue(context())
  await follow()
  const all = ['jose', 'jwks-rsa', '@cfworker/jwt']
  const verifiers = await startVerifiers()
  const old = await idToken()
  assert.deepEqual(await accepting(verifiers, old), all)

  // The standby key signs: all have it since they started, and none has asked again.
  await nextSigns()
  const rotated = await idToken()
  assert.notEqual(decodeProtectedHeader(rotated).kid, leaked)
  assert.deepEqual(await accepting(verifiers, rotated), all)

  // The old key is revoked: every cache goes on with it.
  const plan = await planWithdrawal(context(), leaked)
  assert.ok(plan)
  await applyPlan(context(), plan)
  await follow()
  assert.deepEqual(await accepting(verifiers, old), all)

  // Another rotation within the cool-down of jose: only jwks-rsa asks again for an unknown key.
  await nextSigns()
  const unknown = await idToken()
  assert.deepEqual(await accepting(verifiers, unknown), ['jwks-rsa'])
  assert.deepEqual(await accepting(verifiers, old), all, 'the others of their caches stay')

  // A server that starts now knows the new keys and not the revoked one. The cache of @cfworker/jwt
  // ends with its process.
  const fresh = await startVerifiers()
  assert.deepEqual(await accepting(fresh, unknown), ['jose', 'jwks-rsa'])
  assert.deepEqual(await accepting(fresh, old), ['@cfworker/jwt'])
})
