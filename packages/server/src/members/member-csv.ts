// The members of an account as CSV: the names of the columns, and the line of one member with its times in RFC 3339.
// How a cell is written is csv.ts. Pure.
import { csvLine } from '../kernel/csv.ts'
import { rfc3339 } from '../kernel/time.ts'
import type { Member } from './member-store.ts'

export const CSV_HEAD = csvLine(['name', 'email', 'role', 'state', 'since', 'ends'])

export const csvLineOf = ({ name, email, role, isInvited, createdAt, expiresAt }: Member): string =>
  csvLine([
    ...[name, email, role, isInvited ? 'invited' : 'active', rfc3339(createdAt)],
    expiresAt === undefined ? '' : rfc3339(expiresAt),
  ])
