// Owns the partition key: a small number that an account has by its identifier. Sessions and launches
// carry it in their identifiers, and so does every bearer value of a launch; every table that grows has
// it as a column. So a statement names its partition before anything is read. docs/inside/decisions/0035.
import { hash } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
export const PART_CHARS = 3
/** The part stands after the ten characters of time, so that identifiers still sort by time. */
const PART_AT = 10
const PARTS = 32 ** PART_CHARS

/** The part of an account, from 1 to 32,767. It never changes: rows and identifiers carry it. */
export function partOf(accountId: string): number {
  const [high = 0, low = 0] = hash('sha256', accountId, 'buffer')
  return 1 + ((high * 256 + low) % (PARTS - 1))
}

/** The characters of a part in an identifier. */
export function partChars(part: number): string {
  let chars = ''
  for (let rest = part, i = 0; i < PART_CHARS; i++) {
    chars = ALPHABET.charAt(rest % 32) + chars
    rest = Math.floor(rest / 32)
  }
  return chars
}

/**
 * The part that the identifier of an EHR session or a launch carries. What is not such an identifier
 * gives some number, under which no row is found.
 */
export function partOfId(id: string): number {
  const from = id.indexOf('_') + 1 + PART_AT
  let part = 0
  for (let at = from; at < from + PART_CHARS; at++) {
    part = part * 32 + Math.max(ALPHABET.indexOf(id.charAt(at) || '0'), 0)
  }
  return part
}
