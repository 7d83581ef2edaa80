// The SQL of apps: one function per verb. A deleted app is found by nobody; a disabled one is
// found, so that its developer can be told.
import { raiseVersion } from '../db/changes.ts'
import { type Database, type Row, readOne, type Statement, statement } from '../db/database.ts'
import { readVisiblePage, type VisiblePage } from '../db/page.ts'
import { integer, json, optionalText, text } from '../db/row.ts'
import type { App, Exchange } from './app.ts'

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
    allowedIframeUrls: json(row, 'allowed_iframe_urls'),
    exchange: text(row, 'exchange') as Exchange,
    requirePkce: row.require_pkce_at !== null,
    accessTokenLifetimeSeconds: integer(row, 'access_token_lifetime_seconds'),
    idTokenLifetimeSeconds: integer(row, 'id_token_lifetime_seconds'),
    stagingAccess: row.staging_access_at !== null,
    enabled: row.disabled_at === null,
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
  }
}

export async function findAppByClientId(db: Database, clientId: string): Promise<App | undefined> {
  const row = await readOne(
    db,
    'SELECT * FROM apps WHERE client_id = ? AND deleted_at IS NULL',
    clientId,
  )
  return row && appOf(row)
}

export async function findApp(db: Database, id: string): Promise<App | undefined> {
  const row = await readOne(db, 'SELECT * FROM apps WHERE id = ? AND deleted_at IS NULL', id)
  return row && appOf(row)
}

export async function listApps(db: Database, page: VisiblePage): Promise<App[]> {
  return (await readVisiblePage(db, 'apps', page)).map(appOf)
}

export const insertApp = (app: App): Statement => ({
  sql: `INSERT INTO apps (id, client_id, account_id, name, icon_url, launch_url,
      worker_launch_url, redirect_uris, token_endpoint, allowed_iframe_urls, exchange,
      require_pkce_at, access_token_lifetime_seconds, id_token_lifetime_seconds,
      staging_access_at, disabled_at, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  args: [app.id, app.clientId, app.accountId, ...changeable(app), app.createdAt, app.updatedAt],
})

/** Replaces what may change, unless somebody else changed it since `seenUpdatedAt`. */
export async function updateApp(db: Database, app: App, seenUpdatedAt: number): Promise<boolean> {
  const [rows] = await db.write(
    {
      sql: `UPDATE apps SET name = ?, icon_url = ?, launch_url = ?, worker_launch_url = ?,
      redirect_uris = ?, token_endpoint = ?, allowed_iframe_urls = ?, exchange = ?,
      require_pkce_at = ?, access_token_lifetime_seconds = ?, id_token_lifetime_seconds = ?,
      staging_access_at = ?, disabled_at = ?, updated_at = ?
      WHERE id = ? AND updated_at = ? AND deleted_at IS NULL RETURNING id`,
      args: [...changeable(app), app.updatedAt, app.id, seenUpdatedAt],
    },
    raiseVersion('apps'),
  )
  return rows?.length === 1
}

function changeable(app: App) {
  const since = (isSet: boolean) => (isSet ? app.updatedAt : null)
  return [
    app.name,
    app.iconUrl ?? null,
    app.launchUrl ?? null,
    app.workerLaunchUrl ?? null,
    JSON.stringify(app.redirectUris),
    app.tokenEndpoint ?? null,
    JSON.stringify(app.allowedIframeUrls),
    app.exchange,
    since(app.requirePkce),
    app.accessTokenLifetimeSeconds,
    app.idTokenLifetimeSeconds,
    since(app.stagingAccess),
    since(!app.enabled),
  ]
}

/** Undefined when somebody else changed or deleted it since it was read. */
export async function deleteApp(db: Database, stored: App, now: number): Promise<true | undefined> {
  const [rows] = await db.write(
    statement(
      `UPDATE apps SET deleted_at = ? WHERE id = ? AND updated_at = ? AND deleted_at IS NULL
        RETURNING id`,
      now,
      stored.id,
      stored.updatedAt,
    ),
    raiseVersion('apps'),
  )
  return rows?.length === 1 ? true : undefined
}

/** Whether an account exists to own an app. */
export async function isAccountStored(db: Database, accountId: string): Promise<boolean> {
  const sql = 'SELECT id FROM accounts WHERE id = ? AND deleted_at IS NULL'
  return (await readOne(db, sql, accountId)) !== undefined
}
