// The SQL that holds a bound on the rows of one owner: the row of the owner is locked first, and the
// row that was one too many is deleted in the same write. So parallel inserts on any number of nodes
// never pass the bound. Security V03.
import type { Row } from './database.ts'
import { identifier, type Statement, sql } from './sql.ts'

export interface RowLimit {
  readonly ownerTable: 'accounts' | 'apps' | 'users'
  readonly ownerId: string
  readonly table:
    | 'apps'
    | 'collections'
    | 'client_secrets'
    | 'developer_keys'
    | 'directory_tokens'
    | 'domains'
    | 'identity_providers'
    | 'webhooks'
  readonly ownerColumn: 'account_id' | 'app_id' | 'user_id'
  /** The rows that count; those that are deleted or retired do not. */
  readonly isCounted: Statement
  readonly max: number
}

/** The insert of the row `id` between its guards. {@link isOverLimit} reads the results. */
export const insertWithinStatements = (
  { ownerTable, ownerId, table, ownerColumn, isCounted, max }: RowLimit,
  id: string,
  insert: Statement,
): Statement[] => [
  sql`UPDATE ${identifier(ownerTable)} SET updated_at = updated_at WHERE id = ${ownerId}`,
  insert,
  sql`DELETE FROM ${identifier(table)} WHERE id = ${id}
    AND (SELECT COUNT(*) FROM ${identifier(table)}
      WHERE ${identifier(ownerColumn)} = ${ownerId} AND ${isCounted}) > ${max} RETURNING id`,
]

export const isOverLimit = ([, , removed = []]: readonly (readonly Row[])[]): boolean =>
  removed.length > 0
