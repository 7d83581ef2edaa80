// One page of the records that a caller may see: rows that are not deleted, after a cursor, in order
// of identifier, of the caller's accounts. Three lists of the backend API use this query.
import type { Database, Row } from './database.ts'
import { ALWAYS, identifier, list, type Statement, sql } from './sql.ts'

export interface VisiblePage {
  /** The accounts that the caller sees. */
  readonly accountIds: readonly string[] | 'all'
  /** The identifier after which the page begins. */
  readonly cursor: string
  readonly limit: number
  /** Their name has this text, in whatever case. */
  readonly find?: string | undefined
}

/** Whether a text has another one. SQLite ignores the case of ASCII only. */
export const hasText = (column: Statement, text: string): Statement =>
  sql`LOWER(${column}) LIKE LOWER(${`%${text.replace(/[!%_]/g, '!$&')}%`}) ESCAPE '!'`

const ACCOUNT_COLUMN = {
  accounts: 'id',
  apps: 'account_id',
  collections: 'account_id',
} as const

const EVERY_COLUMN = sql`*`

export function readVisiblePage(
  db: Database,
  table: keyof typeof ACCOUNT_COLUMN,
  { accountIds, cursor, limit, find }: VisiblePage,
  columns: Statement = EVERY_COLUMN,
): Promise<Row[]> {
  const isVisible =
    accountIds === 'all'
      ? sql`deleted_at IS NULL`
      : sql`deleted_at IS NULL AND ${identifier(ACCOUNT_COLUMN[table])} IN (${list(accountIds)})`
  const isFound = find === undefined ? ALWAYS : hasText(sql`name`, find)
  return db.read(
    sql`SELECT ${columns} FROM ${identifier(table)} WHERE id > ${cursor} AND ${isVisible} AND ${isFound}
      ORDER BY id LIMIT ${limit}`,
  )
}
