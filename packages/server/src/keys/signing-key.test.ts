// What is published of a key. Contract §2 (jwks), RFC 7517, RFC 7638, J05.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calculateJwkThumbprint } from 'jose'
import { systemRandomness } from '../kernel/randomness.ts'
import { buildPublicJwk, generateSigningKey } from './signing-key.ts'

test('a published key has public members only and its thumbprint as key id', async () => {
  const members = {
    RS256: ['alg', 'e', 'kid', 'kty', 'n', 'use'],
    ES256: ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
  }
  for (const alg of ['RS256', 'ES256'] as const) {
    const { privateKey, publicJwk, kid } = await generateSigningKey(alg, systemRandomness())
    assert.deepEqual(Object.keys(publicJwk).sort(), members[alg])
    assert.equal(publicJwk.alg, alg)
    assert.equal(kid, publicJwk.kid)
    assert.equal(kid, await calculateJwkThumbprint({ ...publicJwk }))
    assert.deepEqual(buildPublicJwk(privateKey), publicJwk)
    if (publicJwk.kty === 'RSA') assert.equal(Buffer.from(publicJwk.n, 'base64url').length, 256)
  }
})
