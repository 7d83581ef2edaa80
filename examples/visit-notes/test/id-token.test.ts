// ID token verification of the sample app, attack by attack: each forged or foreign token is
// refused, the genuine one is accepted once. No network: keys are made here. Spec §5.4; RFC 8725.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { before, test } from 'node:test'
import {
  type CryptoKey,
  createLocalJWKSet,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
  SignJWT,
} from 'jose'
import { AppError } from '../src/app-error.ts'
import {
  CLOCK_TOLERANCE_SECONDS,
  createIdTokenVerifier,
  type IdTokenVerifier,
  ReplayStore,
} from '../src/id-token.ts'

const ISSUER = 'http://localhost:4700/app-auth'
const CLIENT_ID = `cli_${'0'.repeat(32)}`
const NOW_SECONDS = 1_800_000_000

let privateKey: CryptoKey
let publicKey: CryptoKey
let jwk: JWK

before(async () => {
  ;({ privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true }))
  jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' }
})

function verifier(nowSeconds = NOW_SECONDS): IdTokenVerifier {
  return createIdTokenVerifier({
    issuer: ISSUER,
    clientId: CLIENT_ID,
    keys: createLocalJWKSet({ keys: [jwk] }),
    replays: new ReplayStore(),
    now: () => nowSeconds * 1000,
  })
}

const genuine = {
  iss: ISSUER,
  aud: CLIENT_ID as string | string[],
  sub: 'usr_1',
  iat: NOW_SECONDS,
  exp: NOW_SECONDS + 900,
  jti: 'jti_1',
  sid: 'ses_1',
  launch_id: 'lnch_1',
  account: { id: 'acc_1', name: 'Lakeside Family Practice' },
  ehr_type: 'meadow',
  device_id: 'dev_1',
  name: 'Dr. Amara Okafor',
}

function sign(changes: Record<string, unknown> = {}, kid = 'key-1', key = privateKey) {
  const claims = { ...genuine, ...changes }
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' }).sign(key)
}

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

async function assertRejected(token: string, code = 'id_token_rejected'): Promise<void> {
  await assert.rejects(verifier()(token), (error: unknown) => {
    assert.ok(error instanceof AppError)
    assert.equal(error.view.error, code)
    if (token.length > 8) assert.ok(!JSON.stringify(error.view).includes(token))
    return true
  })
}

test('accepts a genuine ID token and says who is there [R01]', async () => {
  assert.deepEqual(await verifier()(await sign()), {
    userId: 'usr_1',
    name: 'Dr. Amara Okafor',
    account: { id: 'acc_1', name: 'Lakeside Family Practice' },
    ehrType: 'meadow',
    sessionId: 'ses_1',
    deviceId: 'dev_1',
    launchId: 'lnch_1',
  })
})

test('refuses a token without a signature, whatever case "none" is written in [R01]', async () => {
  for (const alg of ['none', 'None', 'NONE']) {
    await assertRejected(`${encode({ alg, kid: 'key-1', typ: 'JWT' })}.${encode(genuine)}.`)
  }
})

test('refuses an HS256 token signed with the public key as its secret [R03]', async () => {
  const secrets = [await exportSPKI(publicKey), JSON.stringify(jwk), String(jwk.n)]
  for (const secret of secrets) {
    const input = `${encode({ alg: 'HS256', kid: 'key-1', typ: 'JWT' })}.${encode(genuine)}`
    const signature = createHmac('sha256', secret).update(input).digest('base64url')
    await assertRejected(`${input}.${signature}`)
  }
})

test('refuses another RSA algorithm even with the right key [R03]', async () => {
  const { privateKey: other, publicKey: otherPublic } = await generateKeyPair('PS256')
  const token = await new SignJWT(genuine)
    .setProtectedHeader({ alg: 'PS256', kid: 'key-2', typ: 'JWT' })
    .sign(other)
  const published = { ...(await exportJWK(otherPublic)), kid: 'key-2' }
  const accept = createIdTokenVerifier({
    issuer: ISSUER,
    clientId: CLIENT_ID,
    keys: createLocalJWKSet({ keys: [published] }),
    replays: new ReplayStore(),
    now: () => NOW_SECONDS * 1000,
  })
  await assert.rejects(accept(token), /id_token_rejected/)
})

test('refuses a token of another issuer, a trailing slash included [R01]', async () => {
  await assertRejected(await sign({ iss: 'https://evil.example' }))
  await assertRejected(await sign({ iss: `${ISSUER}/` }))
})

test('refuses a token for another app, or for several [R01]', async () => {
  await assertRejected(await sign({ aud: 'cli_other' }))
  await assertRejected(await sign({ aud: [CLIENT_ID, 'cli_other'] }))
})

test('refuses an expired token beyond the clock tolerance and accepts one within it [R11]', async () => {
  const edge = NOW_SECONDS - CLOCK_TOLERANCE_SECONDS
  await assertRejected(await sign({ exp: edge }))
  assert.equal((await verifier()(await sign({ exp: edge + 1 }))).userId, 'usr_1')
})

test('refuses a token without sub, iat, exp or jti [R01]', async () => {
  for (const claim of ['sub', 'iat', 'exp', 'jti']) {
    await assertRejected(await sign({ [claim]: undefined }))
  }
})

test('refuses a token without the claims of its launch', async () => {
  for (const claim of ['account', 'launch_id', 'sid', 'ehr_type', 'device_id']) {
    await assertRejected(await sign({ [claim]: undefined }))
  }
})

test('refuses an unknown key id and a key that the token brings along [R01]', async () => {
  const { privateKey: foreign, publicKey: foreignPublic } = await generateKeyPair('RS256')
  await assertRejected(await sign({}, 'key-9', foreign))
  await assertRejected(await sign({}, 'key-1', foreign))
  const embedded = await new SignJWT(genuine)
    .setProtectedHeader({ alg: 'RS256', kid: 'key-1', jwk: await exportJWK(foreignPublic) })
    .sign(foreign)
  await assertRejected(embedded)
})

test('refuses a token whose payload was changed after signing [R01]', async () => {
  const [header, , signature] = (await sign()).split('.')
  await assertRejected(`${header}.${encode({ ...genuine, sub: 'usr_2' })}.${signature}`)
})

test('refuses text that is no token at all', async () => {
  for (const text of ['', 'a', 'a.b', 'a.b.c', '{}', 'null']) await assertRejected(text)
})

test('does not blame the token when the keys cannot be fetched', async () => {
  const accept = createIdTokenVerifier({
    issuer: ISSUER,
    clientId: CLIENT_ID,
    keys: () => Promise.reject(new TypeError('fetch failed')),
    replays: new ReplayStore(),
    now: () => NOW_SECONDS * 1000,
  })
  await assert.rejects(accept(await sign()), /keys_unavailable/)
})

test('accepts one of a thousand parallel presentations of a token [R10]', async () => {
  const verify = verifier()
  const token = await sign()
  const results = await Promise.allSettled(Array.from({ length: 1_000 }, () => verify(token)))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  const [refusal] = results.filter((result) => result.status === 'rejected')
  assert.match(String(refusal?.reason), /id_token_replayed/)
})

test('forgets a token id only after the token and the clock tolerance have passed [R10]', () => {
  const replays = new ReplayStore()
  assert.equal(replays.accept('jti_1', 100, 0), true)
  assert.equal(replays.accept('jti_1', 100, 99), false)
  assert.equal(replays.accept('jti_1', 200, 100), true)
})
