// Entity tags of the backend API: a strong tag for every record, If-None-Match and If-Match, and the
// loop that applies a change to the record its caller read, or refuses it. RFC 9110 8.8.3 and 13.1, contract §4, security U04.
import { hash } from 'node:crypto'
import { ApiError } from '../../kernel/errors.ts'

/** The tag is strong: two bodies with one tag are the same byte for byte. */
export const etagOf = (json: string) => `"${hash('sha256', json, 'base64url').slice(0, 22)}"`

/** Whether the caller has the current body. Weak comparison, as for every GET. */
export function hasAlready(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || listTags(ifNoneMatch).includes(etag)
}

const listTags = (header: string): readonly string[] => header.match(/"[\x21\x23-\x7e]*"/g) ?? []

/**
 * Requires that the record is the one its caller read. Strong comparison: a weak tag never matches.
 * @throws ApiError precondition_failed with the current tag; invalid_request for a malformed tag
 */
export function requireMatch(ifMatch: string | undefined, body: object): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  if (!/^\s*((W\/)?"[\x21\x23-\x7e]*"\s*(,\s*|$))+$/.test(ifMatch)) {
    throw new ApiError('invalid_request', 'If-Match takes entity tags, in double quotes, or *.', [
      { field: 'If-Match', message: 'Send the ETag as the service gave it, quotes included.' },
    ])
  }
  const etag = etagOf(JSON.stringify(body))
  const strong = listTags(ifMatch.replace(/W\/"[^"]*"/g, ''))
  if (strong.includes(etag)) return
  throw new ApiError(
    'precondition_failed',
    'The record has changed since you read it. Read it again and repeat the change.',
    [],
    { etag },
  )
}

/** Losing this often in a row means that another caller writes in a tight loop. */
const MAX_ATTEMPTS = 8

interface Change<T, R> {
  /** Returns the current record, or throws 404 or 403. */
  readonly load: () => Promise<T>
  /** The body of GET. */
  readonly show: (stored: T) => object
  /** Writes, guarded by what was loaded; undefined when another change won the race. */
  readonly write: (stored: T) => Promise<R | undefined>
}

/**
 * Changes a record. Without If-Match a change that lost a race is applied again to the new record, so
 * that two callers who change different fields both succeed. @throws ApiError 412, 409
 */
export async function change<T, R>(
  call: { readonly ifMatch: string | undefined; readonly auditNotes: { before?: object } },
  { load, show, write }: Change<T, R>,
): Promise<R> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const stored = await load()
    const before = show(stored)
    requireMatch(call.ifMatch, before)
    call.auditNotes.before = before
    const done = await write(stored)
    if (done !== undefined) return done
  }
  throw new ApiError('conflict', 'Others keep changing this record. Try again in a moment.')
}
