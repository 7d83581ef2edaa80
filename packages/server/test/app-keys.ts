// Key pairs of apps and their client assertions (private_key_jwt), made and signed by jose, which shares
// nothing with the service. Owns no expectation.
import { randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { ASSERTION_TYPE } from '../src/token/client-assertion.ts'
import type { Story } from './story.ts'

export interface AppKeyPair {
  readonly alg: 'RS256' | 'ES256'
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicJwk: JWK
}

export async function makeAppKey(alg: AppKeyPair['alg'], kid: string): Promise<AppKeyPair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { alg, kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid } }
}

export interface AssertionChanges {
  readonly header?: Record<string, unknown>
  /** `undefined` leaves a claim out. */
  readonly claims?: Record<string, unknown>
}

/** An assertion of 60 seconds for the issuer, with a jti of its own. */
export function signAssertion(
  { service }: Pick<Story, 'service'>,
  clientId: string,
  key: AppKeyPair,
  { header = {}, claims = {} }: AssertionChanges = {},
): Promise<string> {
  const now = Math.floor(service.clock() / 1000)
  const all = {
    ...{ iss: clientId, sub: clientId, aud: service.service.config.issuerUrl },
    ...{ iat: now, exp: now + 60, jti: randomUUID() },
    ...claims,
  }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  return new SignJWT(given)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JWT', ...header })
    .sign(key.privateKey)
}

/** In place of the client ID and the secret of a request. */
export const byAssertion = (assertion: string) => ({
  client_id: undefined,
  client_secret: undefined,
  client_assertion_type: ASSERTION_TYPE,
  client_assertion: assertion,
})
