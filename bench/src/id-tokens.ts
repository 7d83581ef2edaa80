// Verifies the ID tokens of a sample of exchanges, with jose and the keys that the server publishes: each
// must be signed with RS256 by a key of 2048 bits. So no server is fast by leaving the signature out.
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'

const MODULUS_BYTES = 256

/** Gives how many there were. @throws Error when one is not as it must be. */
export async function countVerified(keys: string, answers: readonly string[]): Promise<number> {
  const set = JSON.parse(keys) as JSONWebKeySet
  const isShort = set.keys.some(
    ({ kty, n = '' }) => kty === 'RSA' && Buffer.from(n, 'base64url').length !== MODULUS_BYTES,
  )
  if (isShort) throw new Error('a key of the server does not have 2048 bits')
  const find = createLocalJWKSet(set)
  for (const answer of answers) {
    const { id_token: idToken } = JSON.parse(answer) as { id_token?: unknown }
    if (typeof idToken !== 'string') throw new Error('an answer has no ID token')
    const { payload } = await jwtVerify(idToken, find, { algorithms: ['RS256'] })
    if (!payload.sub || !payload.aud) throw new Error('an ID token has no subject or audience')
  }
  return answers.length
}
