// Owns the shape of identifiers and bearer values: typed prefixes, the time-ordered part, the 256
// random bits, and the hash under which a bearer value is stored. Pure; clock and randomness are
// arguments. Contract §1.
import { hash, timingSafeEqual } from 'node:crypto'
import { PART_CHARS, partChars } from './partitions.ts'
import type { Randomness } from './randomness.ts'

export type IdPrefix =
  | 'acc'
  | 'usr'
  | 'app'
  | 'col'
  | 'ses'
  | 'sgn'
  | 'lau'
  | 'sec'
  | 'mth'
  | 'evt'
  | 'nod'
  | 'stp'
  | 'inv'
  | 'rpt'
  | 'dir'
  | 'dky'
  | 'idp'
  | 'whk'
  | 'dom'
  | 'frn'
export type BearerPrefix = 'lnch' | 'code' | 'at' | 'cs' | 'st' | 'invite' | 'scim' | 'dk'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARS = 10
const RANDOM_CHARS = 12

/** A new identifier: prefix, ten characters of time, twelve of randomness (60 bits). */
export const newId = (prefix: IdPrefix, now: number, randomness: Randomness): string =>
  idFloor(prefix, now) + randomChars(RANDOM_CHARS, randomness)

/** The same with the partition of its account in place of the first random characters. */
export function newIdIn(
  part: number,
  prefix: 'lau' | 'ses',
  now: number,
  randomness: Randomness,
): string {
  const random = randomChars(RANDOM_CHARS - PART_CHARS, randomness)
  return idFloor(prefix, now) + partChars(part) + random
}

function randomChars(count: number, randomness: Randomness): string {
  let random = ''
  for (const byte of randomness.bytes(count)) random += ALPHABET.charAt(byte & 31)
  return random
}

/** The lower bound of all identifiers created at `at` or later. */
export function idFloor(prefix: IdPrefix, at: number): string {
  let time = ''
  for (let rest = at, i = 0; i < TIME_CHARS; i++) {
    time = ALPHABET.charAt(rest % 32) + time
    rest = Math.floor(rest / 32)
  }
  return `${prefix}_${time}`
}

/** The time in an identifier, in milliseconds; undefined for a text of another form. */
export function timeOfId(id: string): number | undefined {
  const time = id.slice(id.indexOf('_') + 1).slice(0, TIME_CHARS)
  let at = 0
  for (const char of time) {
    const digit = ALPHABET.indexOf(char)
    if (digit < 0) return undefined
    at = at * 32 + digit
  }
  return time.length === TIME_CHARS ? at : undefined
}

/**
 * A new bearer value for the row `id`: prefix, the row's own identifier, 256 random bits. Carrying
 * the identifier lets every look-up go through the primary key (docs/inside/decisions/0004).
 */
export function mintBearer(prefix: BearerPrefix, id: string, randomness: Randomness): string {
  return bearerOf(prefix, id, randomness.bytes(32))
}

/** Builds a bearer value from its parts. `secret` is 32 bytes. */
export function bearerOf(prefix: BearerPrefix, id: string, secret: Buffer): string {
  return `${prefix}_${id.slice(id.indexOf('_') + 1)}${secret.toString('base64url')}`
}

const BEARER = /^([a-z]+)_([0-9a-z]{22})[A-Za-z0-9_-]{43}$/

/** The identifier of the row of a bearer value, or undefined for another value. */
export function parseBearer(
  prefix: BearerPrefix,
  idPrefix: IdPrefix,
  value: string,
): string | undefined {
  const match = BEARER.exec(value)
  return match?.[1] === prefix ? `${idPrefix}_${match[2]}` : undefined
}

/** Returns the SHA-256 in base64url: what the database keeps of a bearer value. */
export function hashBearer(value: string): string {
  return hash('sha256', value, 'base64url')
}

/** Compares two hashes of {@link hashBearer} in constant time. */
export function isSameHash(left: string, right: string): boolean {
  const a = Buffer.from(left)
  const b = Buffer.from(right)
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Returns `cli_` and 32 hexadecimal digits; never the app's own identifier. */
export function newClientId(randomness: Randomness): string {
  return `cli_${randomness.bytes(16).toString('hex')}`
}

/** Returns the text of a caller with bearer values cut to their prefix, before it is stored. */
export function redactBearers(text: string): string {
  return text.replace(/\b(lnch|code|at|cs|st|invite|scim|dk|whsec)_[A-Za-z0-9_-]{8,}/g, '$1_…')
}

/** Links an error message, its log line and its trace. 32 hexadecimal digits. */
export const newTraceId = (randomness: Randomness): string => randomness.bytes(16).toString('hex')

/** Returns sixteen hexadecimal digits, which name one request in a trace. */
export const newSpanId = (randomness: Randomness): string => randomness.bytes(8).toString('hex')
