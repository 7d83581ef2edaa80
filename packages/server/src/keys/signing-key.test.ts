// What is published of a key. Contract §2 (jwks), RFC 7517, RFC 7638, J05.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandomness } from '../kernel/randomness.ts'
import { buildPublicJwk, generateSigningKey } from './signing-key.ts'

test('a published key has public members only and its thumbprint as key id', async () => {
  const { privateKey, publicJwk, kid } = await generateSigningKey(systemRandomness())
  assert.deepEqual(Object.keys(publicJwk).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
  assert.equal(Buffer.from(publicJwk.n, 'base64url').length * 8, 2048)
  assert.equal(kid, publicJwk.kid)
  assert.deepEqual(buildPublicJwk(privateKey), publicJwk)
})
