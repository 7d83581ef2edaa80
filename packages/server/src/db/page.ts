// One page of the records that a caller may see: rows that are not deleted, after a cursor, in order
// of identifier or of name, of the caller's accounts. Three lists of the backend API use this query.
import type { Database, Row } from './database.ts'
import { ALWAYS, identifier, list, type Statement, sql } from './sql.ts'

export interface VisiblePage {
  /** The accounts that the caller sees. */
  readonly accountIds: readonly string[] | 'all'
  /** The identifier after which the page begins. */
  readonly cursor: string
  readonly limit: number
  readonly isByName?: boolean | undefined
  /** The name has this text, in whatever case. */
  readonly q?: string | undefined
  /** The page has only records with these ids. */
  readonly ids?: readonly string[] | undefined
  /** Accounts that run this collection. */
  readonly collectionId?: string | undefined
}

/** Whether a text has another one. SQLite ignores the case of ASCII only. */
export const hasText = (column: Statement, text: string): Statement =>
  sql`LOWER(${column}) LIKE LOWER(${`%${text.replace(/[!%_]/g, '!$&')}%`}) ESCAPE '!'`

interface Order {
  /** The condition chooses what follows the cursor. */
  readonly isAfter: Statement
  readonly columns: Statement
}

/** The cursor is an identifier in each order, so that it holds no name; a deleted record still has its place. */
export function orderOf(
  table: 'accounts' | 'apps' | 'collections' | 'users',
  { cursor, isByName = false }: Pick<VisiblePage, 'cursor' | 'isByName'>,
): Order {
  if (!isByName) return { isAfter: sql`id > ${cursor}`, columns: sql`id` }
  const isAfter =
    cursor === ''
      ? ALWAYS
      : sql`(LOWER(name), id) > (SELECT LOWER(c.name), c.id FROM ${identifier(table)} c WHERE c.id = ${cursor})`
  return { isAfter, columns: sql`LOWER(name), id` }
}

const ACCOUNT_COLUMN = {
  accounts: 'id',
  apps: 'account_id',
  collections: 'account_id',
} as const

const EVERY_COLUMN = sql`*`

export const readVisiblePage = (
  db: Database,
  table: keyof typeof ACCOUNT_COLUMN,
  page: VisiblePage,
  columns?: Statement,
): Promise<Row[]> => db.read(visiblePageStatement(table, page, columns))

/** The statement of {@link readVisiblePage}; a test reads its plan. */
export function visiblePageStatement(
  table: keyof typeof ACCOUNT_COLUMN,
  { accountIds, limit, q, ids, collectionId, ...page }: VisiblePage,
  columns: Statement = EVERY_COLUMN,
): Statement {
  const isVisible =
    accountIds === 'all'
      ? sql`deleted_at IS NULL`
      : sql`deleted_at IS NULL AND ${identifier(ACCOUNT_COLUMN[table])} IN (${list(accountIds)})`
  const isFound = q === undefined ? ALWAYS : hasText(sql`name`, q)
  const isAsked = ids === undefined ? ALWAYS : sql`id IN (${list(ids)})`
  const isRunning = collectionId === undefined ? ALWAYS : sql`collection_id = ${collectionId}`
  const order = orderOf(table, page)
  return sql`SELECT ${columns} FROM ${identifier(table)} WHERE ${order.isAfter} AND ${isVisible}
    AND ${isFound} AND ${isAsked} AND ${isRunning} ORDER BY ${order.columns} LIMIT ${limit}`
}
