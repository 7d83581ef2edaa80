// Maps PostgreSQL errors to the port: a programmer error passes through, a temporary failure becomes
// DatabaseUnavailable. Decides what may be retried; retries nothing itself. PostgreSQL manual,
// appendix A (SQLSTATE).
import pg from 'pg'
import { type DatabaseFault, DatabaseUnavailable, UniqueViolation } from '../database.ts'

export type Failure =
  /** A UNIQUE or PRIMARY KEY constraint. */
  | 'unique'
  /** The statement was rolled back because of a concurrent transaction; a retry may succeed. */
  | 'conflict'
  /** A prepared statement is out of date; nothing ran. */
  | 'stale'
  /** The connection is broken. What was sent may or may not be committed. */
  | 'lost'
  /** The server refuses temporarily: time-outs, disk, memory. The connection is usable. */
  | 'unavailable'
  /** The statement or its values are wrong. */
  | 'programmer_error'

const BY_CODE: Readonly<Record<string, Failure>> = {
  '23505': 'unique',
  '40001': 'conflict',
  '40P01': 'conflict',
  // "Cached plan must not change result type": a column was added since it was prepared.
  '0A000': 'stale',
  // A pooler between us and the server gave us another server connection.
  '26000': 'stale',
  '42P05': 'stale',
  // The number of parameters is wrong: a protocol violation by name, a programmer error by cause.
  '08P01': 'programmer_error',
  // A primary that was demoted; the next connection finds the new one.
  '25006': 'lost',
  '55P03': 'unavailable',
  '57014': 'unavailable',
}

const BY_CLASS: Readonly<Record<string, Failure>> = {
  '08': 'lost',
  '40': 'unavailable',
  '53': 'unavailable',
  '57': 'lost',
  '58': 'unavailable',
  XX: 'unavailable',
}

export function decideFailure(error: unknown): Failure {
  if (!(error instanceof pg.DatabaseError)) {
    // Encoding a value or decoding a row throws these two; a broken socket never does.
    return error instanceof TypeError || error instanceof RangeError ? 'programmer_error' : 'lost'
  }
  const { code = '', routine } = error
  if (code === '0A000' && routine !== 'RevalidateCachedQuery') return 'programmer_error'
  return BY_CODE[code] ?? BY_CLASS[code.slice(0, 2)] ?? 'programmer_error'
}

/** The port's error for this one; a programmer error stays as it is. */
export function translateError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) return error
  switch (decideFailure(error)) {
    case 'unique':
      return new UniqueViolation(error)
    case 'programmer_error':
      return error
    default:
      return new DatabaseUnavailable(error, faultOf(error))
  }
}

/** Whether the server answered that it did nothing, for a cause that may be gone at the next attempt. */
export const isRefusedByServer = ({ fault, cause }: DatabaseUnavailable): boolean =>
  fault === 'busy' && cause instanceof pg.DatabaseError

const FAULTS: Readonly<Record<string, DatabaseFault>> = {
  '25006': 'read_only',
  '53100': 'full',
  '53300': 'busy',
  '40001': 'busy',
  '40P01': 'busy',
  '55P03': 'busy',
  '57014': 'busy',
}

function faultOf(error: unknown): DatabaseFault {
  if (!(error instanceof pg.DatabaseError)) return 'unreachable'
  const { code = '' } = error
  const isFailing = /^(53|58|XX)/.test(code)
  return FAULTS[code] ?? (isFailing ? 'failing' : 'unreachable')
}
