// The SQL of apps: one function per verb. It never finds a deleted app; it finds a disabled one, so
// that its developer learns why a launch fails. Disabling or deleting one ends its live launches. Contract §4 (App).
import { bumpVersionStatement } from '../cluster/cache-versions.ts'
import { type Database, type Row, readOne } from '../db/database.ts'
import { readVisiblePage, type VisiblePage } from '../db/page.ts'
import { insertWithinStatements, isOverLimit, type RowLimit } from '../db/record-limit.ts'
import { integer, json, optionalInteger, optionalText, text } from '../db/row.ts'
import { list, type Statement, sql } from '../db/sql.ts'
import { idFloor } from '../kernel/identifiers.ts'
import type { SigningAlgorithm } from '../keys/signing-key.ts'
import type { EndedLaunch } from '../liveness/liveness.ts'
import {
  endDebtsOfAppStatement,
  endedLaunchOf,
  endLaunchesStatement,
  MAX_SIGN_IN_MS,
} from '../liveness/liveness-store.ts'
import type { App, DisabledNote, Exchange, LaunchStyle } from './app.ts'

function appOf(row: Row): App {
  return {
    id: text(row, 'id'),
    clientId: text(row, 'client_id'),
    accountId: text(row, 'account_id'),
    name: text(row, 'name'),
    iconUrl: optionalText(row, 'icon_url'),
    launchUrl: optionalText(row, 'launch_url'),
    workerLaunchUrl: optionalText(row, 'worker_launch_url'),
    redirectUris: json(row, 'redirect_uris'),
    tokenEndpoint: optionalText(row, 'token_endpoint'),
    backchannelLogoutUri: optionalText(row, 'backchannel_logout_uri'),
    allowedIframeUrls: json(row, 'allowed_iframe_urls'),
    exchange: text(row, 'exchange') as Exchange,
    launchStyle: optionalText(row, 'launch_style') as LaunchStyle | undefined,
    requirePkce: row.require_pkce_at !== null,
    jwks: row.jwks === null ? undefined : json(row, 'jwks'),
    idTokenSignedResponseAlg: idTokenAlgOf(row),
    accessTokenLifetimeSeconds: integer(row, 'access_token_lifetime_seconds'),
    idTokenLifetimeSeconds: integer(row, 'id_token_lifetime_seconds'),
    stagingAccess: row.staging_access_at !== null,
    enabled: row.disabled_at === null,
    disabledBy:
      row.disabled_at === null ? undefined : (text(row, 'disabled_by') as App['disabledBy']),
    disabledNote: disabledNoteOf(row),
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
  }
}

/** Returns the algorithm; null stands for RS256, the default. */
export const idTokenAlgOf = (row: Row): SigningAlgorithm =>
  row.id_token_signed_response_alg === null
    ? 'RS256'
    : (text(row, 'id_token_signed_response_alg') as SigningAlgorithm)

/** A list reads no names. */
function disabledNoteOf(row: Row): DisabledNote | undefined {
  const at = optionalInteger(row, 'disabled_at')
  if (at === undefined) return undefined
  const userId = optionalText(row, 'disabled_user_id')
  const reason = optionalText(row, 'disabled_reason')
  const name =
    row.disabled_user_name === undefined ? undefined : optionalText(row, 'disabled_user_name')
  return {
    at,
    ...(userId === undefined ? {} : { user: { id: userId, name: name ?? userId } }),
    ...(reason === undefined ? {} : { reason }),
  }
}

export async function findAppByClientId(db: Database, clientId: string): Promise<App | undefined> {
  const row = await readOne(
    db,
    sql`SELECT * FROM apps WHERE client_id = ${clientId} AND deleted_at IS NULL`,
  )
  return row && appOf(row)
}

export async function findApp(db: Database, id: string): Promise<App | undefined> {
  const row = await readOne(
    db,
    sql`SELECT a.*, u.name AS disabled_user_name FROM apps a
      LEFT JOIN users u ON u.id = a.disabled_user_id
      WHERE a.id = ${id} AND a.deleted_at IS NULL`,
  )
  return row && appOf(row)
}

export async function listApps(db: Database, page: VisiblePage): Promise<App[]> {
  return (await readVisiblePage(db, 'apps', page)).map(appOf)
}

/** Whether one of these accounts runs a collection of an account that the caller does not see. */
export async function runsHiddenCollection(
  db: Database,
  accountIds: readonly string[] | 'all',
  visible: readonly string[] | 'all',
): Promise<boolean> {
  if (accountIds === 'all' || visible === 'all') return false
  const hidden = sql`SELECT a.id FROM accounts a JOIN collections c ON c.id = a.collection_id
    WHERE a.id IN (${list(accountIds)}) AND c.account_id NOT IN (${list(visible)}) LIMIT 1`
  return (await readOne(db, hidden)) !== undefined
}

/** Lists the apps of these accounts, deleted ones too; at most `limit`. */
export async function listAppIds(
  db: Database,
  accountIds: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await db.read(
    sql`SELECT id FROM apps WHERE account_id IN (${list(accountIds)}) LIMIT ${limit}`,
  )
  return rows.map((row) => text(row, 'id'))
}

export const insertAppStatement = (app: App): Statement => {
  const column = changeableColumns(app)
  return sql`INSERT INTO apps (id, client_id, account_id, name, icon_url, launch_url,
      worker_launch_url, redirect_uris, token_endpoint, backchannel_logout_uri,
      allowed_iframe_urls, exchange, launch_style, require_pkce_at, jwks,
      id_token_signed_response_alg, access_token_lifetime_seconds, id_token_lifetime_seconds,
      staging_access_at, disabled_at, disabled_by, disabled_user_id, disabled_reason,
      created_at, updated_at)
    VALUES (${app.id}, ${app.clientId}, ${app.accountId}, ${app.name}, ${column.iconUrl},
      ${column.launchUrl}, ${column.workerLaunchUrl}, ${column.redirectUris},
      ${column.tokenEndpoint}, ${column.backchannelLogoutUri}, ${column.allowedIframeUrls}, ${app.exchange},
      ${column.launchStyle}, ${column.requirePkceAt}, ${column.jwks}, ${column.idTokenAlg}, ${app.accessTokenLifetimeSeconds}, ${app.idTokenLifetimeSeconds},
      ${column.stagingAccessAt}, ${column.disabledAt}, ${column.disabledBy}, ${column.disabledUserId},
      ${column.disabledReason}, ${app.createdAt}, ${app.updatedAt})`
}

/** Returns false when the account has its most apps already. */
export async function insertApp(db: Database, app: App, max: number): Promise<boolean> {
  const limit: RowLimit = {
    ownerTable: 'accounts',
    ownerId: app.accountId,
    table: 'apps',
    ownerColumn: 'account_id',
    isCounted: sql`deleted_at IS NULL`,
    max,
  }
  const results = await db.write(...insertWithinStatements(limit, app.id, insertAppStatement(app)))
  return !isOverLimit(results)
}

/**
 * Replaces the changeable columns; of a disabled app the launches end in the same write. Returns the
 * launches that it ended; undefined when the app was changed since `seenUpdatedAt`. `events` are written with it.
 */
export async function updateApp(
  db: Database,
  app: App,
  seenUpdatedAt: number,
  events: readonly Statement[] = [],
): Promise<EndedLaunch[] | undefined> {
  const column = changeableColumns(app)
  const [rows, ended = []] = await db.write(
    sql`UPDATE apps SET name = ${app.name}, icon_url = ${column.iconUrl},
        launch_url = ${column.launchUrl}, worker_launch_url = ${column.workerLaunchUrl},
        redirect_uris = ${column.redirectUris}, token_endpoint = ${column.tokenEndpoint},
        backchannel_logout_uri = ${column.backchannelLogoutUri},
        allowed_iframe_urls = ${column.allowedIframeUrls}, exchange = ${app.exchange},
        launch_style = ${column.launchStyle}, require_pkce_at = ${column.requirePkceAt}, jwks = ${column.jwks},
        id_token_signed_response_alg = ${column.idTokenAlg},
        access_token_lifetime_seconds = ${app.accessTokenLifetimeSeconds},
        id_token_lifetime_seconds = ${app.idTokenLifetimeSeconds},
        staging_access_at = ${column.stagingAccessAt},
        disabled_count = disabled_count
          + CASE WHEN disabled_at IS NULL THEN ${app.enabled ? 0 : 1} ELSE 0 END,
        disabled_at = ${column.disabledAt}, disabled_by = ${column.disabledBy},
        disabled_user_id = ${column.disabledUserId}, disabled_reason = ${column.disabledReason},
        updated_at = ${app.updatedAt}
      WHERE id = ${app.id} AND updated_at = ${seenUpdatedAt} AND deleted_at IS NULL RETURNING id`,
    ...(app.enabled
      ? []
      : [
          endLaunchesOfAppStatement(app.id, app.updatedAt),
          endDebtsOfAppStatement(app.id, app.updatedAt),
        ]),
    bumpVersionStatement('apps'),
    ...events,
  )
  if (rows?.length !== 1) return undefined
  return app.enabled ? [] : ended.map(endedLaunchOf)
}

/** The condition is true when this change has enabled or disabled the app. */
export const isSwitchedBy = ({ id, enabled, updatedAt }: App): Statement => {
  const isSwitched = enabled ? sql`x.disabled_at IS NULL` : sql`x.disabled_at = ${updatedAt}`
  return sql`EXISTS (SELECT 1 FROM apps x
    WHERE x.id = ${id} AND x.updated_at = ${updatedAt} AND ${isSwitched})`
}

/** Ends the live launches of the app, if it is disabled or deleted. */
const endLaunchesOfAppStatement = (appId: string, now: number): Statement =>
  endLaunchesStatement(
    sql`app_id = ${appId} AND id > ${idFloor('lau', now - 2 * MAX_SIGN_IN_MS)}
      AND EXISTS (SELECT 1 FROM apps a WHERE a.id = launches.app_id
        AND (a.disabled_at IS NOT NULL OR a.deleted_at IS NOT NULL))`,
    { at: now, reason: 'app_disabled' },
  )

/** Columns that differ from their field: undefined is null, lists are JSON, flags are times. */
function changeableColumns(app: App) {
  const since = (isSet: boolean) => (isSet ? app.updatedAt : null)
  return {
    iconUrl: app.iconUrl ?? null,
    launchUrl: app.launchUrl ?? null,
    workerLaunchUrl: app.workerLaunchUrl ?? null,
    redirectUris: JSON.stringify(app.redirectUris),
    tokenEndpoint: app.tokenEndpoint ?? null,
    backchannelLogoutUri: app.backchannelLogoutUri ?? null,
    allowedIframeUrls: JSON.stringify(app.allowedIframeUrls),
    launchStyle: app.launchStyle ?? null,
    requirePkceAt: since(app.requirePkce),
    jwks: app.jwks === undefined ? null : JSON.stringify(app.jwks),
    idTokenAlg: app.idTokenSignedResponseAlg === 'RS256' ? null : app.idTokenSignedResponseAlg,
    stagingAccessAt: since(app.stagingAccess),
    disabledAt: app.enabled ? null : (app.disabledNote?.at ?? app.updatedAt),
    disabledBy: app.disabledBy ?? null,
    disabledUserId: app.disabledNote?.user?.id ?? null,
    disabledReason: app.disabledNote?.reason ?? null,
  }
}

/**
 * Returns the launches of the app, which end in the same write; undefined when the app was changed or
 * deleted since it was read.
 */
export async function deleteApp(
  db: Database,
  stored: App,
  now: number,
): Promise<EndedLaunch[] | undefined> {
  const [rows, ended = []] = await db.write(
    sql`UPDATE apps SET deleted_at = ${now}
      WHERE id = ${stored.id} AND updated_at = ${stored.updatedAt} AND deleted_at IS NULL
      RETURNING id`,
    endLaunchesOfAppStatement(stored.id, now),
    endDebtsOfAppStatement(stored.id, now),
    bumpVersionStatement('apps'),
  )
  return rows?.length === 1 ? ended.map(endedLaunchOf) : undefined
}

/** Whether the account exists. */
export async function isAccountStored(db: Database, accountId: string): Promise<boolean> {
  const found = sql`SELECT id FROM accounts WHERE id = ${accountId} AND deleted_at IS NULL`
  return (await readOne(db, found)) !== undefined
}
