// Owns the codes of an authenticator app: six digits of HMAC-SHA-1 every thirty seconds, as every such
// app makes them. Pure; a code is accepted one step early or late, and the caller makes sure that
// each step counts once. RFC 6238, RFC 4226.
import { createHmac } from 'node:crypto'
import { isSameHash } from '../kernel/identifiers.ts'

const STEP_MS = 30_000
/** RFC 4226 4: 160 bits. */
export const TOTP_SECRET_BYTES = 20

export function totpAt(secret: Buffer, step: number, digits = 6): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The step whose code this is: the one of now, before or after. Spaces in it do no harm. */
export function findTotpStep(secret: Buffer, code: string, now: number): number | undefined {
  const current = Math.floor(now / STEP_MS)
  const digits = code.replace(/\s/g, '')
  return [current - 1, current, current + 1].find((step) =>
    isSameHash(totpAt(secret, step), digits),
  )
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** As a person types it into their app. Twenty bytes fill 32 characters. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32.charAt(Number.parseInt(five, 2))).join('')
}

/** What an authenticator app scans. */
export function buildTotpUri(secret: Buffer, email: string, issuer: string): string {
  const label = encodeURIComponent(`${issuer}:${email}`)
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`
}
