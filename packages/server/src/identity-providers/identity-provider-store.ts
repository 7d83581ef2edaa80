// The SQL of the identity providers of accounts. Every statement names the account; a secret is stored sealed
// only. Contract §13.
import { type Database, type Row, readOne, writeOne } from '../db/database.ts'
import { insertWithinStatements, isOverLimit } from '../db/record-limit.ts'
import { integer, json, optionalText, text } from '../db/row.ts'
import { ALWAYS, sql } from '../db/sql.ts'
import { MAX_IDENTITY_PROVIDERS } from '../kernel/record-limits.ts'
import type { IdentityProvider } from './identity-provider.ts'

const providerOf = (row: Row): IdentityProvider => ({
  id: text(row, 'id'),
  accountId: text(row, 'account_id'),
  name: text(row, 'name'),
  issuer: text(row, 'issuer'),
  clientId: text(row, 'client_id'),
  sealedSecret: optionalText(row, 'sealed'),
  scopes: text(row, 'scopes'),
  authorizeParams: json(row, 'authorize_params'),
  createdAt: integer(row, 'created_at'),
  updatedAt: integer(row, 'updated_at'),
})

export async function listIdentityProviders(
  db: Database,
  accountId: string,
): Promise<IdentityProvider[]> {
  const rows = await db.read(
    sql`SELECT * FROM identity_providers WHERE account_id = ${accountId} ORDER BY id`,
  )
  return rows.map(providerOf)
}

export async function findIdentityProvider(
  db: Database,
  accountId: string,
  id: string,
): Promise<IdentityProvider | undefined> {
  const row = await readOne(
    db,
    sql`SELECT * FROM identity_providers WHERE id = ${id} AND account_id = ${accountId}`,
  )
  return row && providerOf(row)
}

/** False when the account has as many as it may. */
export async function insertIdentityProvider(
  db: Database,
  provider: IdentityProvider,
): Promise<boolean> {
  const { id, accountId } = provider
  const limit = {
    ...({ ownerTable: 'accounts', ownerId: accountId, table: 'identity_providers' } as const),
    ...({ ownerColumn: 'account_id', isCounted: ALWAYS, max: MAX_IDENTITY_PROVIDERS } as const),
  }
  const insert = sql`INSERT INTO identity_providers (id, account_id, name, issuer, client_id, sealed,
      scopes, authorize_params, created_at, updated_at)
    VALUES (${id}, ${accountId}, ${provider.name}, ${provider.issuer}, ${provider.clientId},
      ${provider.sealedSecret ?? null}, ${provider.scopes},
      ${JSON.stringify(provider.authorizeParams)}, ${provider.createdAt}, ${provider.updatedAt})`
  return !isOverLimit(await db.write(...insertWithinStatements(limit, id, insert)))
}

/** False when it was changed or deleted since `seenUpdatedAt`. */
export async function updateIdentityProvider(
  db: Database,
  provider: IdentityProvider,
  seenUpdatedAt: number,
): Promise<boolean> {
  const row = await writeOne(
    db,
    sql`UPDATE identity_providers SET name = ${provider.name}, issuer = ${provider.issuer},
        client_id = ${provider.clientId}, sealed = ${provider.sealedSecret ?? null},
        scopes = ${provider.scopes}, authorize_params = ${JSON.stringify(provider.authorizeParams)},
        updated_at = ${provider.updatedAt}
      WHERE id = ${provider.id} AND account_id = ${provider.accountId}
        AND updated_at = ${seenUpdatedAt} RETURNING id`,
  )
  return row !== undefined
}

/** False when the account has no such provider. */
export async function deleteIdentityProvider(
  db: Database,
  accountId: string,
  id: string,
): Promise<boolean> {
  const row = await writeOne(
    db,
    sql`DELETE FROM identity_providers WHERE id = ${id} AND account_id = ${accountId} RETURNING id`,
  )
  return row !== undefined
}
