// The members of an account as a spreadsheet takes them: CSV of RFC 4180. A cell that a spreadsheet would run as a
// formula begins with an apostrophe. Pure.
import { rfc3339 } from '../kernel/time.ts'
import type { Member } from './member-store.ts'

const FORMULA = /^[\s\p{Cc}]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]/u

/** Always quoted: a comma, a quote and a line end then say nothing. */
const cellOf = (text: string): string =>
  `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

const lineOf = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`

export const CSV_HEAD = lineOf(['name', 'email', 'role', 'state', 'since', 'ends'])

export const csvLineOf = ({ name, email, role, isInvited, createdAt, expiresAt }: Member): string =>
  lineOf([
    ...[name, email, role, isInvited ? 'invited' : 'active', rfc3339(createdAt)],
    expiresAt === undefined ? '' : rfc3339(expiresAt),
  ])
