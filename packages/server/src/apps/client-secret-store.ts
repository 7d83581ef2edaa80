// The SQL of client secrets. Stores and reads hashes only; the secret itself never reaches this
// file. Contract §4 (Secrets), security K01.
import { bumpVersionStatement } from '../cluster/cache-versions.ts'
import type { Database, Row } from '../db/database.ts'
import { insertWithinStatements, isOverLimit, type RowLimit } from '../db/record-limit.ts'
import { integer, optionalInteger, optionalText, text } from '../db/row.ts'
import { list, sql } from '../db/sql.ts'
import { MAX_LIVE_SECRETS } from '../kernel/record-limits.ts'
import type { ClientSecret, StoredSecret } from './client-secret.ts'

function secretOf(row: Row): ClientSecret {
  return {
    id: text(row, 'id'),
    appId: text(row, 'app_id'),
    secretHash: text(row, 'secret_hash'),
    label: optionalText(row, 'label'),
    createdAt: integer(row, 'created_at'),
    expiresAt: optionalInteger(row, 'expires_at'),
    retiresAt: optionalInteger(row, 'retires_at'),
    lastUsedAt: optionalInteger(row, 'last_used_at'),
  }
}

/** The secrets of an app that have not been retired; expired ones are among them. */
export async function listClientSecrets(db: Database, appId: string): Promise<ClientSecret[]> {
  const rows = await db.read(
    sql`SELECT * FROM client_secrets WHERE app_id = ${appId} AND retired_at IS NULL ORDER BY id`,
  )
  return rows.map(secretOf)
}

export interface ExpiringSecret {
  readonly secretId: string
  readonly appId: string
  readonly clientId: string
  readonly accountId: string
  readonly expiresAt: number
  readonly lastUsedAt: number | undefined
}

/**
 * Lists live secrets of apps that are not deleted, whose expiry is in the window; the first ends first. One
 * that retires before was given its end by its owner.
 */
export async function listExpiringSecrets(
  db: Database,
  { from, until }: { readonly from: number; readonly until: number },
  limit: number,
): Promise<ExpiringSecret[]> {
  const rows = await db.read(
    sql`SELECT s.id, s.app_id, s.expires_at, s.last_used_at, a.client_id, a.account_id
      FROM client_secrets s JOIN apps a ON a.id = s.app_id AND a.deleted_at IS NULL
      WHERE s.retired_at IS NULL AND (s.retires_at IS NULL OR s.retires_at >= s.expires_at)
        AND s.expires_at > ${from} AND s.expires_at <= ${until}
      ORDER BY s.expires_at LIMIT ${limit}`,
  )
  return rows.map((row) => ({
    secretId: text(row, 'id'),
    appId: text(row, 'app_id'),
    clientId: text(row, 'client_id'),
    accountId: text(row, 'account_id'),
    expiresAt: integer(row, 'expires_at'),
    lastUsedAt: optionalInteger(row, 'last_used_at'),
  }))
}

/** Finds these secrets, retired ones too, in one statement. */
export async function findStoredSecrets(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredSecret>> {
  if (ids.length === 0) return new Map()
  const rows = await db.read(sql`SELECT * FROM client_secrets WHERE id IN (${list(ids)})`)
  const retiredAt = (row: Row) => optionalInteger(row, 'retired_at')
  return new Map(
    rows.map((row) => [text(row, 'id'), { ...secretOf(row), retiredAt: retiredAt(row) }]),
  )
}

/**
 * Retires the secrets of the app that have ended in the same write: every exchange compares those that are
 * not retired. Returns false when the app has its most live secrets already. [V03]
 */
export async function insertClientSecret(db: Database, secret: ClientSecret): Promise<boolean> {
  const { appId, createdAt } = secret
  const limit: RowLimit = {
    ownerTable: 'apps',
    ownerId: appId,
    table: 'client_secrets',
    ownerColumn: 'app_id',
    isCounted: sql`retired_at IS NULL`,
    max: MAX_LIVE_SECRETS,
  }
  const retireExpired = sql`UPDATE client_secrets SET retired_at = ${createdAt}
    WHERE app_id = ${appId} AND retired_at IS NULL
      AND (expires_at <= ${createdAt} OR retires_at <= ${createdAt})`
  const insert = sql`INSERT INTO client_secrets (id, app_id, secret_hash, label, created_at, expires_at)
      VALUES (${secret.id}, ${appId}, ${secret.secretHash}, ${secret.label ?? null},
        ${createdAt}, ${secret.expiresAt ?? null})`
  const [, ...results] = await db.write(
    retireExpired,
    ...insertWithinStatements(limit, secret.id, insert),
    bumpVersionStatement('apps'),
  )
  return !isOverLimit(results)
}

/** Returns false when the app has no such secret, or it is retired already. */
export async function retireClientSecret(
  db: Database,
  appId: string,
  id: string,
  now: number,
): Promise<boolean> {
  const [rows] = await db.write(
    sql`UPDATE client_secrets SET retired_at = ${now}
        WHERE id = ${id} AND app_id = ${appId} AND retired_at IS NULL RETURNING id`,
    bumpVersionStatement('apps'),
  )
  return rows?.length === 1
}

/**
 * Sets when the secret retires, or takes that back. Gives the secret; undefined when the app has no such secret, or
 * it has retired meanwhile.
 */
export async function updateRetirement(
  db: Database,
  { appId, id }: { readonly appId: string; readonly id: string },
  retiresAt: number | undefined,
  now: number,
): Promise<ClientSecret | undefined> {
  const [rows] = await db.write(
    sql`UPDATE client_secrets SET retires_at = ${retiresAt ?? null}
      WHERE id = ${id} AND app_id = ${appId} AND retired_at IS NULL
        AND (retires_at IS NULL OR retires_at > ${now}) RETURNING *`,
    bumpVersionStatement('apps'),
  )
  return rows?.[0] && secretOf(rows[0])
}

export async function updateSecretLastUsed(db: Database, id: string, now: number): Promise<void> {
  await db.write(sql`UPDATE client_secrets SET last_used_at = ${now} WHERE id = ${id}`)
}
