// One page of the records that a caller may see: rows that are not deleted, after a cursor, in order
// of identifier, of the caller's accounts. Three lists of the backend API use this query.
import type { Database, Row } from './database.ts'
import { identifier, list, type Statement, sql } from './sql.ts'

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

const EVERY_COLUMN = sql`*`

export function readVisiblePage(
  db: Database,
  table: keyof typeof ACCOUNT_COLUMN,
  { accountIds, cursor, limit }: VisiblePage,
  columns: Statement = EVERY_COLUMN,
): Promise<Row[]> {
  const isVisible =
    accountIds === 'all'
      ? sql`deleted_at IS NULL`
      : sql`deleted_at IS NULL AND ${identifier(ACCOUNT_COLUMN[table])} IN (${list(accountIds)})`
  return db.read(
    sql`SELECT ${columns} FROM ${identifier(table)} WHERE id > ${cursor} AND ${isVisible}
      ORDER BY id LIMIT ${limit}`,
  )
}
