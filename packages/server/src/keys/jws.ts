// Signs claims as a compact JWS with the algorithm of the key: RS256 or ES256 (RFC 7515, RFC 7518 3.3 and
// 3.4). Never builds a claim. An RSA signature costs more time than all other steps of an exchange. It runs
// on the thread pool with several cores, and in place with one core, where a second thread would only add a
// delay. An ES256 signature costs a fifth, so it always runs in place.
import { sign } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { SigningKey } from './signing-key.ts'

const isMultiCore = availableParallelism() > 1
const headers = new Map<string, string>()

/** The protected header of a key is constant, so it is encoded once. */
function headerOf({ alg, kid }: SigningKey['publicJwk'], typ: string): string {
  const name = `${typ} ${kid}`
  let header = headers.get(name)
  if (!header) {
    header = Buffer.from(JSON.stringify({ alg, typ, kid })).toString('base64url')
    headers.set(name, header)
  }
  return header
}

/** @param typ media type of the token, as in its header (RFC 7515 4.1.9) */
export async function signJws(
  key: SigningKey,
  claims: Record<string, unknown>,
  typ: 'JWT' | 'logout+jwt' = 'JWT',
): Promise<string> {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  const input = `${headerOf(key.publicJwk, typ)}.${payload}`
  const signature = await signInput(key, Buffer.from(input))
  return `${input}.${signature.toString('base64url')}`
}

function signInput({ privateKey, publicJwk }: SigningKey, input: Buffer): Promise<Buffer> | Buffer {
  // RFC 7518 3.4: the two numbers side by side, where OpenSSL gives DER.
  if (publicJwk.alg === 'ES256') {
    return sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  }
  if (!isMultiCore) return sign('sha256', input, privateKey)
  return new Promise((resolve, reject) => {
    sign('sha256', input, privateKey, (error, signature) =>
      error ? reject(error) : resolve(signature),
    )
  })
}
