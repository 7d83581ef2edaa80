// The SQL of the tokens by which the directory of an account calls. Stores and reads hashes only.
// Contract §13, security K01.
import { type Database, type Row, readOne } from '../db/database.ts'
import { insertWithinStatements, isOverLimit } from '../db/record-limit.ts'
import { integer, optionalInteger, optionalText, text } from '../db/row.ts'
import { ALWAYS, sql } from '../db/sql.ts'
import { MAX_DIRECTORY_TOKENS } from '../kernel/record-limits.ts'

export interface DirectoryToken {
  readonly id: string
  readonly accountId: string
  readonly tokenHash: string
  readonly label: string | undefined
  readonly createdAt: number
  readonly lastUsedAt: number | undefined
}

const tokenOf = (row: Row): DirectoryToken => ({
  id: text(row, 'id'),
  accountId: text(row, 'account_id'),
  tokenHash: text(row, 'token_hash'),
  label: optionalText(row, 'label'),
  createdAt: integer(row, 'created_at'),
  lastUsedAt: optionalInteger(row, 'last_used_at'),
})

export async function listDirectoryTokens(
  db: Database,
  accountId: string,
): Promise<DirectoryToken[]> {
  const rows = await db.read(
    sql`SELECT * FROM directory_tokens WHERE account_id = ${accountId} ORDER BY id`,
  )
  return rows.map(tokenOf)
}

export async function findDirectoryToken(
  db: Database,
  id: string,
): Promise<DirectoryToken | undefined> {
  const row = await readOne(db, sql`SELECT * FROM directory_tokens WHERE id = ${id}`)
  return row && tokenOf(row)
}

export const updateTokenLastUsed = (db: Database, id: string, now: number) =>
  db.write(sql`UPDATE directory_tokens SET last_used_at = ${now} WHERE id = ${id}`)

/** Returns false when the account has as many as it may. */
export async function insertDirectoryToken(db: Database, token: DirectoryToken): Promise<boolean> {
  const { id, accountId } = token
  const limit = {
    ...({ ownerTable: 'accounts', ownerId: accountId, table: 'directory_tokens' } as const),
    ...({ ownerColumn: 'account_id', isCounted: ALWAYS, max: MAX_DIRECTORY_TOKENS } as const),
  }
  const insert = sql`INSERT INTO directory_tokens (id, account_id, token_hash, label, created_at)
    VALUES (${id}, ${accountId}, ${token.tokenHash}, ${token.label ?? null}, ${token.createdAt})`
  return !isOverLimit(await db.write(...insertWithinStatements(limit, id, insert)))
}

/** Returns false when the account has no such token. */
export async function deleteDirectoryToken(
  db: Database,
  accountId: string,
  id: string,
): Promise<boolean> {
  const [rows = []] = await db.write(
    sql`DELETE FROM directory_tokens WHERE id = ${id} AND account_id = ${accountId} RETURNING id`,
  )
  return rows.length > 0
}
