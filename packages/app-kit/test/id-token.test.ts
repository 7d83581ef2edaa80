// ID token verification against the published vectors, and against an issuer that rotates its keys
// and goes down. One attack, one test. Spec §5.4; RFC 8725; security R01-R04, R10, R11.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { startFakeIssuer } from '@chartside/test-kit'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { type AppKitOptions, createAppKit, IdTokenError } from '../src/server/index.ts'

interface Vectors {
  readonly now: number
  readonly tolerance_seconds: number
  readonly issuer: string
  readonly client_id: string
  readonly nonce: string
  readonly launch_id: string
  readonly jwks: Readonly<Record<string, object>>
  readonly vectors: readonly {
    readonly name: string
    readonly requirement: string
    readonly jwks: string
    readonly token: string
    readonly result: 'accept' | 'reject'
    readonly reason?: string
  }[]
}

const file = new URL('../../test-kit/vectors/id-token.json', import.meta.url)
const data: Vectors = JSON.parse(readFileSync(file, 'utf8'))
const SECRET = 'cs_secret'

for (const { name, requirement, jwks, token, result, reason } of data.vectors) {
  test(`${result}s an ID token ${name} [${requirement}]`, async () => {
    const { verifyIdToken } = createAppKit({
      baseUrl: 'https://service.invalid',
      issuer: data.issuer,
      clientId: data.client_id,
      clientSecret: SECRET,
      clockToleranceSeconds: data.tolerance_seconds,
      now: () => data.now * 1000,
      fetch: async () => Response.json(data.jwks[jwks]),
    })
    const verifying = verifyIdToken(token, { nonce: data.nonce, launchId: data.launch_id })
    if (result === 'accept') {
      assert.equal((await verifying).launchId, data.launch_id)
      return
    }
    await assert.rejects(verifying, (error: unknown) => {
      assert.ok(error instanceof IdTokenError)
      assert.equal(error.code, reason)
      assert.equal(error.status, 401)
      assert.ok(!`${error.message} ${error.fix}`.includes(token))
      return true
    })
  })
}

async function createFixture(t: TestContext, changes: Partial<AppKitOptions> = {}) {
  let now = 1_800_000_000_000
  const clock = () => now
  const issuer = await startFakeIssuer({ now: clock })
  t.after(() => issuer.stop())
  const { baseUrl, clientId, clientSecret } = issuer
  const kit = createAppKit({ baseUrl, clientId, clientSecret, now: clock, ...changes })
  return {
    issuer,
    kit,
    keyFetches: () => issuer.requests.filter(({ path }) => path.endsWith('jwks.json')).length,
    advance: (seconds: number) => {
      now += seconds * 1000
    },
  }
}

test('returns the identity of a token with a valid signature [R01]', async (t) => {
  const { issuer, kit } = await createFixture(t)
  const launch = issuer.mintLaunch()
  const claims = { jti: 'jti_1', email: 'a@lakeside.example' }
  assert.deepEqual(await kit.verifyIdToken(issuer.mintIdToken({ launch, claims })), {
    userId: launch.userId,
    name: launch.name,
    email: 'a@lakeside.example',
    account: launch.account,
    ehrType: launch.ehrType,
    sessionId: launch.sessionId,
    deviceId: launch.deviceId,
    launchId: launch.launchId,
    expiresAt: 1_800_000_900_000,
    jti: 'jti_1',
  })
})

test('takes ES256 where it is registered, and RS256 there no more [R03]', async (t) => {
  const { issuer, kit } = await createFixture(t)
  const pair = await generateKeyPair('ES256')
  const ec = { ...(await exportJWK(pair.publicKey)), kid: 'e1', alg: 'ES256', use: 'sig' }
  const published = (await (await fetch(issuer.jwksUri)).json()) as { keys: object[] }
  const { baseUrl, clientId } = issuer
  const es256 = createAppKit({
    ...{ baseUrl, clientId, clientSecret: SECRET, now: () => 1_800_000_000_000 },
    idTokenSignedResponseAlg: 'ES256',
    fetch: async () => Response.json({ keys: [...published.keys, ec] }),
  })
  const sign = (alg: string, kid: string) =>
    new SignJWT(decodeJwt(issuer.mintIdToken()))
      .setProtectedHeader({ alg, kid, typ: 'JWT' })
      .sign(pair.privateKey)
  assert.equal((await es256.verifyIdToken(await sign('ES256', 'e1'))).ehrType, 'meadow')
  // The key of one algorithm never verifies the other, though the header names it.
  const foreign = es256.verifyIdToken(await sign('ES256', 'key-1'))
  await assert.rejects(foreign, { code: 'key_unknown' })
  const refused = { code: 'algorithm_refused' }
  await assert.rejects(es256.verifyIdToken(issuer.mintIdToken()), refused)
  await assert.rejects(kit.verifyIdToken(await sign('ES256', 'e1')), refused)
})

test('accepts no clock difference when the tolerance is 0 [R11]', async (t) => {
  const { issuer, kit } = await createFixture(t, { clockToleranceSeconds: 0 })
  const mint = (claims: object) => issuer.mintIdToken({ claims: { ...claims } })
  await assert.rejects(kit.verifyIdToken(mint({ exp: 1_800_000_000 })), { code: 'token_expired' })
  await kit.verifyIdToken(mint({ exp: 1_800_000_001 }))
  await kit.verifyIdToken(mint({ iat: 1_800_000_000 }))
  const early = kit.verifyIdToken(mint({ iat: 1_800_000_001 }))
  await assert.rejects(early, { code: 'token_not_yet_valid' })
})

test('fetches the keys once for 1,000 concurrent verifications [R04]', async (t) => {
  const { issuer, kit, keyFetches } = await createFixture(t)
  const tokens = Array.from({ length: 1000 }, () => issuer.mintIdToken())
  await Promise.all(tokens.map((token) => kit.verifyIdToken(token)))
  assert.equal(keyFetches(), 1)
})

test('finds a new key before the cache expires', async (t) => {
  const { issuer, kit, keyFetches, advance } = await createFixture(t)
  await kit.verifyIdToken(issuer.mintIdToken())
  await issuer.rotateKey()
  advance(31)
  await kit.verifyIdToken(issuer.mintIdToken())
  assert.equal(keyFetches(), 2)
})

test('fetches once per cooldown for any number of unknown keys [R04]', async (t) => {
  const { issuer, kit, keyFetches, advance } = await createFixture(t)
  await kit.verifyIdToken(issuer.mintIdToken())
  const flood = () =>
    Promise.all(
      Array.from({ length: 200 }, () =>
        assert.rejects(kit.verifyIdToken(issuer.mintIdToken({ kind: 'unknown_kid' })), {
          code: 'key_unknown',
        }),
      ),
    )
  await flood()
  assert.equal(keyFetches(), 1)
  advance(30)
  await flood()
  await flood()
  assert.equal(keyFetches(), 2)
})

test('uses the known keys while the issuer is down [R04]', async (t) => {
  const { issuer, kit, advance } = await createFixture(t)
  await kit.verifyIdToken(issuer.mintIdToken())
  await issuer.suspend()
  for (const seconds of [1, 301, 3600]) {
    advance(seconds)
    assert.ok(await kit.verifyIdToken(issuer.mintIdToken()))
  }
})

test('rejects with 503 while no key is known and the issuer is down', async (t) => {
  const { issuer, kit } = await createFixture(t)
  await issuer.suspend()
  const refused = kit.verifyIdToken(issuer.mintIdToken())
  await assert.rejects(refused, { code: 'keys_unavailable', status: 503 })
  await issuer.resume()
  assert.ok(await kit.verifyIdToken(issuer.mintIdToken()))
})

test('refuses tokens of a withdrawn key within five minutes [R04]', async (t) => {
  const { issuer, kit, advance } = await createFixture(t)
  const stolen = issuer.mintIdToken({ claims: { exp: 1_800_003_600 } })
  await kit.verifyIdToken(issuer.mintIdToken())
  await issuer.rotateKey({ withdraw: true })
  advance(300)
  await assert.rejects(kit.verifyIdToken(stolen), { code: 'key_unknown' })
})

test('accepts a token once of 1,000 concurrent presentations [R10]', async (t) => {
  const { issuer, kit, advance } = await createFixture(t)
  const token = issuer.mintIdToken()
  const all = await Promise.allSettled(Array.from({ length: 1000 }, () => kit.verifyIdToken(token)))
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const outcome of all) {
    if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'token_replayed')
  }
  // The last moment in which it is not refused for its age.
  advance(929)
  await assert.rejects(kit.verifyIdToken(token), { code: 'token_replayed' })
  advance(1)
  await assert.rejects(kit.verifyIdToken(token), { code: 'token_expired' })
})

test('does not record the id of a refused token', async (t) => {
  const { issuer, kit } = await createFixture(t)
  const claims = { jti: 'jti_1' }
  const kinds = ['foreign_key', 'wrong_audience', 'expired', 'alg_none'] as const
  for (const kind of kinds) {
    await assert.rejects(kit.verifyIdToken(issuer.mintIdToken({ kind, claims })), IdTokenError)
  }
  assert.ok(await kit.verifyIdToken(issuer.mintIdToken({ claims })))
})

test('accepts a token again when the app has disabled the replay check', async (t) => {
  const { issuer, kit } = await createFixture(t, { replays: 'off' })
  const token = issuer.mintIdToken()
  await kit.verifyIdToken(token)
  assert.ok(await kit.verifyIdToken(token))
})

test('refuses any value that is no token with an IdTokenError [R01]', async (t) => {
  const { issuer, kit, keyFetches } = await createFixture(t)
  const genuine = issuer.mintIdToken()
  const corpus: unknown[] = ['', '.', '..', '...', 'a.b.c', 'null.null.null', `${genuine}.x`, ' ']
  corpus.push('x'.repeat(1_000_000), undefined, null, 7, {}, [genuine], `${genuine}\0`)
  for (const [at] of [...genuine].entries()) {
    if (at % 97 === 0) corpus.push(`${genuine.slice(0, at)}!${genuine.slice(at + 1)}`)
  }
  corpus.push(` ${genuine}`, `${genuine}\n`, genuine.replaceAll('.', ' . '), `${genuine}==`)
  for (const text of corpus) {
    await assert.rejects(kit.verifyIdToken(text), IdTokenError)
  }
  assert.ok(keyFetches() <= 2)
})
