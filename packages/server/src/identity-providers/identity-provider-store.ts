// The SQL of the identity providers of accounts. A secret is stored sealed only. What ends a provider ends its
// bindings, sign-ins and EHR sessions in the same write. Contract §13.
import {
  deleteMethodsOfProviderStatement,
  lockUsersOfProviderStatement,
} from '../credentials/login-method-store.ts'
import { type Database, type Row, readOne } from '../db/database.ts'
import { insertWithinStatements, isOverLimit } from '../db/record-limit.ts'
import { integer, json, optionalText, text } from '../db/row.ts'
import { ALWAYS, type Statement, sql } from '../db/sql.ts'
import { MAX_IDENTITY_PROVIDERS } from '../kernel/record-limits.ts'
import {
  endSignInsOfProviderStatements,
  endUnreachedSessionsStatements,
} from '../liveness/liveness-store.ts'
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
  required: row.required_at !== null,
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

/** The provider with the account that it reaches, for a sign-in. */
export interface SignInProvider extends IdentityProvider {
  readonly accountName: string
}

const signInProviderOf = (row: Row): SignInProvider => ({
  ...providerOf(row),
  accountName: text(row, 'account_name'),
})

const SIGN_IN_PROVIDERS = sql`SELECT p.*, a.name AS account_name FROM identity_providers p
  JOIN accounts a ON a.id = p.account_id AND a.deleted_at IS NULL`

export async function findSignInProvider(
  db: Database,
  id: string,
): Promise<SignInProvider | undefined> {
  const row = await readOne(db, sql`${SIGN_IN_PROVIDERS} WHERE p.id = ${id}`)
  return row && signInProviderOf(row)
}

/** Lists the providers at which a user may sign in, or bind an account there. */
export async function listSignInProviders(
  db: Database,
  of:
    | { readonly shortName: string }
    | { readonly domain: string }
    | { readonly accountId: string }
    | { readonly memberId: string },
): Promise<SignInProvider[]> {
  const condition =
    'shortName' in of
      ? sql`a.short_name = ${of.shortName}`
      : 'domain' in of
        ? sql`p.account_id = (SELECT d.account_id FROM domains d
            WHERE d.domain = ${of.domain} AND d.verified_at IS NOT NULL)`
        : 'accountId' in of
          ? sql`p.account_id = ${of.accountId}`
          : sql`p.account_id IN (SELECT account_id FROM members
            WHERE user_id = ${of.memberId} AND invited_at IS NULL)`
  const rows = await db.read(sql`${SIGN_IN_PROVIDERS} WHERE ${condition} ORDER BY p.id`)
  return rows.map(signInProviderOf)
}

export async function hasAnyProvider(db: Database): Promise<boolean> {
  return (await readOne(db, sql`SELECT id FROM identity_providers LIMIT 1`)) !== undefined
}

const requiredAt = ({ required, updatedAt }: IdentityProvider) => (required ? updatedAt : null)

/** Stores the providers that the account requires where each sign-in reads them. */
function requiredProvidersStatement(accountId: string): Statement {
  const nth = (n: number) => sql`COALESCE((SELECT p.id || ',' FROM identity_providers p
    WHERE p.account_id = ${accountId} AND p.required_at IS NOT NULL
    ORDER BY p.id LIMIT 1 OFFSET ${n}), '')`
  const all = Array.from({ length: MAX_IDENTITY_PROVIDERS }, (_, n) => nth(n))
  const ids = all.reduce((joined, one) => sql`${joined} || ${one}`)
  return sql`UPDATE accounts SET required_providers = NULLIF(${ids}, '') WHERE id = ${accountId}`
}

const sessionsIn = (rows: readonly (readonly Row[])[], at: number): string[] =>
  (rows[at] ?? []).map((row) => text(row, 'id'))

/** Returns the EHR sessions that it ended; undefined when the account has as many providers as it may. */
export async function insertIdentityProvider(
  db: Database,
  provider: IdentityProvider,
): Promise<string[] | undefined> {
  const { id, accountId } = provider
  const limit = {
    ...({ ownerTable: 'accounts', ownerId: accountId, table: 'identity_providers' } as const),
    ...({ ownerColumn: 'account_id', isCounted: ALWAYS, max: MAX_IDENTITY_PROVIDERS } as const),
  }
  const insert = sql`INSERT INTO identity_providers (id, account_id, name, issuer, client_id, sealed,
      scopes, authorize_params, required_at, created_at, updated_at)
    VALUES (${id}, ${accountId}, ${provider.name}, ${provider.issuer}, ${provider.clientId},
      ${provider.sealedSecret ?? null}, ${provider.scopes},
      ${JSON.stringify(provider.authorizeParams)}, ${requiredAt(provider)}, ${provider.createdAt},
      ${provider.updatedAt})`
  const inserted = insertWithinStatements(limit, id, insert)
  const results = await db.write(
    ...inserted,
    ...(provider.required ? requireStatements(accountId, provider.createdAt) : []),
  )
  return isOverLimit(results) ? undefined : sessionsIn(results, inserted.length + 2)
}

/** The third statement returns the EHR sessions that it ended. */
const requireStatements = (accountId: string, at: number): Statement[] => [
  requiredProvidersStatement(accountId),
  ...endUnreachedSessionsStatements(accountId, { at, reason: 'revoked' }),
]

/**
 * Replaces the provider. Returns the EHR sessions that it ended: with another issuer those of its sign-ins,
 * whose bindings go too; with another requirement those that came otherwise. Returns undefined when it was
 * changed or deleted since `stored` was read.
 */
export async function updateIdentityProvider(
  db: Database,
  stored: IdentityProvider,
  changed: IdentityProvider,
  now: number,
): Promise<string[] | undefined> {
  const { id, accountId } = changed
  const isOther = changed.issuer !== stored.issuer
  const update = sql`UPDATE identity_providers SET name = ${changed.name}, issuer = ${changed.issuer},
      client_id = ${changed.clientId}, sealed = ${changed.sealedSecret ?? null},
      scopes = ${changed.scopes}, authorize_params = ${JSON.stringify(changed.authorizeParams)},
      required_at = ${requiredAt(changed)}, updated_at = ${changed.updatedAt}
    WHERE id = ${id} AND account_id = ${accountId} AND updated_at = ${stored.updatedAt} RETURNING id`
  const isDone = sql`EXISTS (SELECT 1 FROM identity_providers p
    WHERE p.id = ${id} AND p.updated_at = ${changed.updatedAt})`
  const ending = isOther ? endProviderStatements(id, isDone, now) : []
  const required =
    changed.required === stored.required ? [] : requireStatements(accountId, changed.updatedAt)
  const results = await db.write(update, ...ending, ...required)
  if (results[0]?.length !== 1) return undefined
  return [
    ...(isOther ? sessionsIn(results, 1 + ENDED_AT) : []),
    ...(required.length > 0 ? sessionsIn(results, 1 + ending.length + 2) : []),
  ]
}

/** The position at which {@link endProviderStatements} returns the EHR sessions that it ended. */
const ENDED_AT = 4

/** Ends what hangs on a provider that is gone, or has another issuer. */
const endProviderStatements = (id: string, isDone: Statement, at: number): Statement[] => [
  lockUsersOfProviderStatement(id),
  deleteMethodsOfProviderStatement(id, isDone),
  ...endSignInsOfProviderStatements(id, isDone, { at, reason: 'revoked' }),
]

/** Returns the EHR sessions that it ended; undefined when the account has no such provider. */
export async function deleteIdentityProvider(
  db: Database,
  accountId: string,
  id: string,
  now: number,
): Promise<string[] | undefined> {
  const results = await db.write(
    sql`DELETE FROM identity_providers WHERE id = ${id} AND account_id = ${accountId} RETURNING id`,
    ...endProviderStatements(
      id,
      sql`NOT EXISTS (SELECT 1 FROM identity_providers p WHERE p.id = ${id})`,
      now,
    ),
    requiredProvidersStatement(accountId),
  )
  return results[0]?.length === 1 ? sessionsIn(results, 1 + ENDED_AT) : undefined
}
