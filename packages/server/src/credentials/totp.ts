// TOTP codes: six digits of HMAC-SHA-1, a new code every thirty seconds, as every authenticator app has
// them. Pure. Accepts a code one step early or late; the caller redeems each step once.
// RFC 6238, RFC 4226.
import { createHmac } from 'node:crypto'
import { isSameHash } from '../kernel/identifiers.ts'

const STEP_MS = 30_000
/** The length is 160 bits (RFC 4226 4). */
export const TOTP_SECRET_BYTES = 20

export function totpAt(secret: Buffer, step: number, digits = 6): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The step of this code: the current one, the one before or the one after. Spaces are ignored. */
export function findTotpStep(secret: Buffer, code: string, now: number): number | undefined {
  const current = Math.floor(now / STEP_MS)
  const digits = code.replace(/\s/g, '')
  return [current - 1, current, current + 1].find((step) =>
    isSameHash(totpAt(secret, step), digits),
  )
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes in RFC 4648 base32 without padding, to type into an app. Twenty bytes fill 32 characters. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32.charAt(Number.parseInt(five, 2))).join('')
}

/** The otpauth URI in the QR code. */
export function buildTotpUri(secret: Buffer, email: string, issuer: string): string {
  const label = encodeURIComponent(`${issuer}:${email}`)
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`
}
