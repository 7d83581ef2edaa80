// Which key signs, and what is published of it. Contract §2 (jwks), RFC 7517, RFC 7638, J05, J06.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildPublicJwk, decideSigner, makeSigningKey } from './signing-key.ts'

test('the newest key whose time has come signs; a key that is only published does not', async () => {
  const [old, current, next] = await Promise.all([0, 100, 200].map(makeSigningKey))
  assert.ok(old && current && next)
  const keys = [next, old, current]
  assert.equal(decideSigner(keys, 150).kid, current.kid)
  assert.equal(decideSigner(keys, 199).kid, current.kid)
  assert.equal(decideSigner(keys, 200).kid, next.kid)
  assert.equal(decideSigner(keys, 50).kid, old.kid)
  assert.throws(() => decideSigner([next], 150), /no signing key/)
})

test('the published key has public members only and is named by its thumbprint', async () => {
  const { privateKey, publicJwk, kid } = await makeSigningKey(0)
  assert.deepEqual(Object.keys(publicJwk).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
  assert.equal(Buffer.from(publicJwk.n, 'base64url').length * 8, 2048)
  assert.equal(kid, publicJwk.kid)
  assert.deepEqual(buildPublicJwk(privateKey), publicJwk)
})
