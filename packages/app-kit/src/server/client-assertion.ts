// What an app with a private key sends in place of its client secret: an assertion of a minute for the issuer,
// with a jti of its own, signed with RS256 or ES256 as the key says. RFC 7523, OpenID Connect Core 9.
import { type CryptoKey, SignJWT } from 'jose'

export interface ClientKey {
  /** An RSA key for RS256 or a P-256 key for ES256, of Web Crypto; it never leaves this server. */
  readonly privateKey: CryptoKey
  /** The id of the public key, as the app's page at Chartside has it. */
  readonly kid: string
}

const LIFETIME_SECONDS = 60
const ALGORITHMS: Readonly<Record<string, string>> = {
  'RSASSA-PKCS1-v1_5': 'RS256',
  ECDSA: 'ES256',
}

/** @throws TypeError that names the option and the fix */
export function requireClientKey({ privateKey, kid }: ClientKey): ClientKey {
  if (typeof kid !== 'string' || kid === '') {
    throw new TypeError('createAppKit: clientKey.kid is missing. It is that of the registered key.')
  }
  if (privateKey?.type === 'private' && ALGORITHMS[privateKey.algorithm.name]) {
    return { privateKey, kid }
  }
  throw new TypeError(
    'createAppKit: clientKey.privateKey is not a private CryptoKey for RS256 or ES256. importPKCS8 and importJWK of jose make one.',
  )
}

interface AssertionFacts {
  readonly clientId: string
  readonly issuer: string
  readonly now: () => number
}

/** The parameters that authenticate one request; a second request needs new ones. */
export async function buildClientAssertion(
  { privateKey, kid }: ClientKey,
  { clientId, issuer, now }: AssertionFacts,
): Promise<Record<string, string>> {
  const issuedAt = Math.floor(now() / 1000)
  const assertion = await new SignJWT()
    .setProtectedHeader({ alg: ALGORITHMS[privateKey.algorithm.name] ?? '', kid, typ: 'JWT' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .setJti(crypto.randomUUID())
    .sign(privateKey)
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  }
}
