// The authenticator app of a test: decodes the secret as the API shows it, and computes the code of a
// time. RFC 6238.
import { totpAt } from '../src/credentials/totp.ts'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** @param shown the secret in base32, as `POST /api/users/me/second-factor` answers it */
export function readSecret(shown: string): Buffer {
  const bits = [...shown].map((sign) => BASE32.indexOf(sign).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** @param now milliseconds since 1970 */
export const codeAt = (secret: Buffer, now: number): string =>
  totpAt(secret, Math.floor(now / 30_000))
