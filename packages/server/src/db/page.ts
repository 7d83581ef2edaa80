// One page of the records that a caller may see: rows that are not deleted, after a cursor, in order
// of identifier, of the caller's accounts. The three lists of the backend API are this one query.
import type { Database, Row } from './database.ts'

export interface VisiblePage {
  /** The accounts that the caller sees. */
  readonly accountIds: readonly string[] | 'all'
  /** The identifier after which the page begins. */
  readonly cursor: string
  readonly limit: number
}

const ACCOUNT_COLUMN = {
  accounts: 'id',
  apps: 'account_id',
  collections: 'account_id',
} as const

export function readVisiblePage(
  db: Database,
  table: keyof typeof ACCOUNT_COLUMN,
  { accountIds, cursor, limit }: VisiblePage,
): Promise<Row[]> {
  // No account at all is a list of nothing, which SQL has no word for.
  const ids = accountIds === 'all' ? [] : accountIds.length === 0 ? [''] : accountIds
  const ofAccounts =
    accountIds === 'all' ? '' : `AND ${ACCOUNT_COLUMN[table]} IN (${ids.map(() => '?').join(', ')})`
  return db.read(
    `SELECT * FROM ${table} WHERE deleted_at IS NULL AND id > ? ${ofAccounts} ORDER BY id LIMIT ?`,
    cursor,
    ...ids,
    limit,
  )
}
