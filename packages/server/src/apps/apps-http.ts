// The handlers of /api/apps: register, change and delete an app. Checks the fields that only the
// platform may set; the rules of a registration are in app.ts. Contract §4 (App).

import { auditService } from '../audit/service-event.ts'
import { notifyLaunchesEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { Statement } from '../db/sql.ts'
import type { Answer, PayloadOf, PersonCall } from '../http/call.ts'
import { change } from '../http/input/conditional.ts'
import { applyMergePatch } from '../http/input/merge-patch.ts'
import { buildPage, isByName, parsePage, parseSearch, sayHidden } from '../http/input/pagination.ts'
import { checkedBody } from '../http/input/schema-check.ts'
import { created } from '../http/replies.ts'
import { requireAccess } from '../kernel/access.ts'
import { ApiError } from '../kernel/errors.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { limitReached } from '../kernel/record-limits.ts'
import { nextUpdate, rfc3339 } from '../kernel/time.ts'
import { listVisibleAccounts, type Person } from '../kernel/user.ts'
import type { HasKeys } from '../keys/key-ring.ts'
import { vendorEventStatement } from '../outbox/vendor-event-store.ts'
import {
  type App,
  type DisabledNote,
  decideDisabledBy,
  decideDisabledNote,
  listExchangeProblems,
  listLogoutProblems,
  listSmartProblems,
  listUrlProblems,
  newApp,
} from './app.ts'
import { loadApp } from './app-access.ts'
import type { HasApps } from './app-directory.ts'
import { buildKeySet, listKeyProblems } from './app-key.ts'
import {
  type APP,
  type APP_BODY,
  APP_FIELDS,
  type APP_PATCH,
  type APPS,
  type DISABLED,
  MAX_IDS,
} from './app-schema.ts'
import {
  deleteApp,
  findAppByClientId,
  insertApp,
  isAccountStored,
  isSwitchedBy,
  listApps,
  runsHiddenCollection,
  updateApp,
} from './app-store.ts'

type Parts = HasApps &
  HasClock &
  HasConfig &
  HasDatabase &
  HasKeys &
  HasRandomness &
  HasSubscriptions

type AppFields = PayloadOf<typeof APP_FIELDS>

/** Lists each field, so that no other field of the record leaves the service. */
const appBody = (app: App, reader: Person): PayloadOf<typeof APP> => ({
  id: app.id,
  clientId: app.clientId,
  accountId: app.accountId,
  name: app.name,
  redirectUris: app.redirectUris,
  allowedIframeUrls: app.allowedIframeUrls,
  exchange: app.exchange,
  requirePkce: app.requirePkce,
  idTokenSignedResponseAlg: app.idTokenSignedResponseAlg,
  accessTokenLifetimeSeconds: app.accessTokenLifetimeSeconds,
  idTokenLifetimeSeconds: app.idTokenLifetimeSeconds,
  stagingAccess: app.stagingAccess,
  enabled: app.enabled,
  createdAt: rfc3339(app.createdAt),
  updatedAt: rfc3339(app.updatedAt),
  ...(app.iconUrl === undefined ? {} : { iconUrl: app.iconUrl }),
  ...(app.launchUrl === undefined ? {} : { launchUrl: app.launchUrl }),
  ...(app.workerLaunchUrl === undefined ? {} : { workerLaunchUrl: app.workerLaunchUrl }),
  ...(app.tokenEndpoint === undefined ? {} : { tokenEndpoint: app.tokenEndpoint }),
  ...(app.backchannelLogoutUri === undefined
    ? {}
    : { backchannelLogoutUri: app.backchannelLogoutUri }),
  ...(app.launchStyle === undefined ? {} : { launchStyle: app.launchStyle }),
  ...(app.jwks === undefined ? {} : { jwks: app.jwks }),
  ...(app.disabledBy === undefined ? {} : { disabledBy: app.disabledBy }),
  ...(app.disabledNote === undefined
    ? {}
    : {
        disabled: disabledBody(
          app.disabledNote,
          app.disabledBy === 'account' || reader.user.role === 'admin',
        ),
      }),
})

/** An account does not learn who of the platform has disabled its app. */
function disabledBody(
  { at, user, reason }: DisabledNote,
  isNamed: boolean,
): PayloadOf<typeof DISABLED> {
  return {
    at: rfc3339(at),
    ...(user && isNamed ? { by: user } : {}),
    ...(reason === undefined ? {} : { reason }),
  }
}

const fieldsOf = ({
  id,
  clientId,
  accountId,
  disabledBy,
  disabledNote,
  createdAt,
  updatedAt,
  ...fields
}: App) => fields

/** The stored app with these fields; absent fields get their defaults. @throws ApiError */
function withFields(
  service: HasConfig & HasRandomness,
  stored: App,
  fields: AppFields,
  now: number,
): App {
  const blank = newApp(service.config, stored.accountId, stored.createdAt, service.randomness)
  const { id, clientId } = stored
  const { jwks } = fields
  const keyProblems = listKeyProblems(jwks?.keys ?? [])
  const app: App = {
    ...{ ...blank, ...fields, id, clientId, updatedAt: nextUpdate(stored, now) },
    // A SMART launch is only safe with it: nothing else binds its code to the app that asked. Contract §14.
    requirePkce: fields.launchStyle === 'smart' || (fields.requirePkce ?? blank.requirePkce),
    jwks: jwks && keyProblems.length === 0 ? buildKeySet(jwks.keys) : undefined,
  }
  const { maxAccessTokenLifetimeSeconds, maxIdTokenLifetimeSeconds } = service.config
  const problems = [
    ...listUrlProblems(app, stored),
    ...keyProblems,
    ...listExchangeProblems(app),
    ...listSmartProblems(app),
    ...listLogoutProblems(app),
    ...findLifetimeProblem(
      '/accessTokenLifetimeSeconds',
      app,
      stored,
      maxAccessTokenLifetimeSeconds,
    ),
    ...findLifetimeProblem('/idTokenLifetimeSeconds', app, stored, maxIdTokenLifetimeSeconds),
  ]
  if (problems.length > 0) throw new ApiError('invalid_request', 'The app is not valid.', problems)
  return app
}

type Lifetime = 'accessTokenLifetimeSeconds' | 'idTokenLifetimeSeconds'

/** A stored lifetime stays valid when the platform lowers its maximum; the exchange applies both. */
function findLifetimeProblem(field: `/${Lifetime}`, app: App, stored: App, maxSeconds: number) {
  const name = field.slice(1) as Lifetime
  return app[name] > maxSeconds && app[name] !== stored[name]
    ? [{ field, message: `This platform allows at most ${maxSeconds} seconds.` }]
    : []
}

export async function listAppsOf(
  service: HasDatabase,
  call: PersonCall,
): Promise<Answer<200, typeof APPS>> {
  const page = parsePage(call.query, { of: ['app'] })
  const { accountId } = call.query
  const visible = listVisibleAccounts(call.person)
  if (accountId !== undefined) {
    const isStored = await isAccountStored(service.db, accountId)
    requireAccess(call, 'account', isStored ? { accountId } : undefined)
  }
  const accountIds = accountId === undefined ? visible : [accountId]
  if (call.query.clientId !== undefined) {
    const app = await findAppByClientId(service.db, call.query.clientId)
    const isShown = app && (accountIds === 'all' || accountIds.includes(app.accountId))
    return {
      status: 200,
      body: { items: isShown ? [appBody(app, call.person)] : [], nextCursor: null },
    }
  }
  const limit = page.limit + 1
  const asked = {
    ...{ q: parseSearch(call.query), ids: parseIds(call.query) },
    isByName: isByName(call.query),
  }
  const found = await listApps(service.db, { accountIds, cursor: page.cursor, limit, ...asked })
  const isHidden =
    found.length === 0 && (await runsHiddenCollection(service.db, accountIds, visible))
  return {
    status: 200,
    body: sayHidden(
      buildPage(found, page, (app) => appBody(app, call.person)),
      call.query,
      isHidden,
    ),
  }
}

/** @throws ApiError for too many */
function parseIds({ ids }: PersonCall['query']): string[] | undefined {
  const sent = ids === undefined ? undefined : ids.split(',')
  if (sent === undefined || sent.length <= MAX_IDS) return sent
  throw new ApiError('invalid_request', 'These are too many identifiers.', [
    { field: 'ids', message: `Send at most ${MAX_IDS}; ask for the others in a second request.` },
  ])
}

export async function createApp(
  service: HasClock & HasConfig & HasDatabase & HasKeys & HasRandomness,
  call: PersonCall<never, typeof APP_BODY>,
): Promise<Answer<201, typeof APP>> {
  const { accountId, ...fields } = call.body
  const isStored = await isAccountStored(service.db, accountId)
  requireAccess(call, 'account', isStored ? { accountId } : undefined)
  const blank = newApp(service.config, accountId, call.now, service.randomness)
  const app = withDisabledBy(call, withFields(service, blank, fields, call.now), blank, {
    isSet: true,
    reason: undefined,
  })
  requireStagingPermission(call, app, blank)
  await ensureSigningKey(service, app, call.now)
  const max = service.config.maxAppsPerAccount
  if (!(await insertApp(service.db, app, max))) {
    throw limitReached('account', 'apps', max, 'CHARTSIDE_MAX_APPS_PER_ACCOUNT')
  }
  return created(`/api/apps/${app.id}`, appBody(app, call.person))
}

/** The app with who has disabled it, and why. @throws ApiError app_disabled_by_platform */
function withDisabledBy(
  { person }: Pick<PersonCall, 'person'>,
  app: App,
  stored: App,
  { isSet, reason }: { readonly isSet: boolean; readonly reason: string | undefined },
): App {
  const caller = person.user.role === 'admin' ? 'platform' : 'account'
  const disabledBy = decideDisabledBy(stored, { enabled: app.enabled, isSet }, caller)
  if (disabledBy !== 'refused') {
    const { id, name } = person.user
    // The time of the write, which the events of a switch are compared with.
    const at = app.updatedAt
    const note = { at, user: { id, name }, ...(reason === undefined ? {} : { reason }) }
    return { ...app, disabledBy, disabledNote: decideDisabledNote(stored, disabledBy, note) }
  }
  throw new ApiError(
    'app_disabled_by_platform',
    'An administrator of the platform disabled this app; only the platform enables it again.',
    [{ field: '/enabled', message: 'Ask the platform operator.' }],
  )
}

/** Only the platform grants staging access; a developer cannot grant it to the own app. [V16] */
function requireStagingPermission(
  { person }: Pick<PersonCall, 'person'>,
  app: App,
  stored: App,
): void {
  if (app.stagingAccess && !stored.stagingAccess && person.user.role !== 'admin') {
    throw new ApiError('not_allowed', 'Only a platform administrator grants staging access.', [
      { field: '/stagingAccess', message: 'Ask the platform operator.' },
    ])
  }
}

/** Makes the key before the app is written, so that no exchange of it lacks the key. */
async function ensureSigningKey(
  service: HasClock & HasDatabase & HasKeys & HasRandomness,
  { idTokenSignedResponseAlg }: App,
  now: number,
): Promise<void> {
  const created = await service.keys.ensure(idTokenSignedResponseAlg, now)
  if (created) await auditService(service, [{ action: 'createKey', target: created }])
}

export async function showApp(
  service: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof APP>> {
  return { status: 200, body: appBody(await loadApp(service, call), call.person) }
}

export async function patchApp(
  service: Parts,
  call: PersonCall<'id', typeof APP_PATCH>,
): Promise<Answer<200, typeof APP>> {
  const { reason, ...patch } = call.body as { readonly reason?: string }
  if (reason !== undefined) call.auditNotes.reason = reason
  const { app, ended } = await change(call, {
    load: () => loadApp(service, call),
    show: (app) => appBody(app, call.person),
    async write(stored) {
      const fields = checkedBody<AppFields>(APP_FIELDS, applyMergePatch(fieldsOf(stored), patch))
      const changed = withDisabledBy(call, withFields(service, stored, fields, call.now), stored, {
        reason,
        isSet: Object.hasOwn(call.body as object, 'enabled'),
      })
      requireStagingPermission(call, changed, stored)
      await ensureSigningKey(service, changed, call.now)
      const events = buildSwitchEvents(service, changed, stored)
      const launches = await updateApp(service.db, changed, stored.updatedAt, events)
      return launches && { app: changed, ended: launches }
    },
  })
  service.apps.forget()
  await notifyLaunchesEnded(service, ended)
  if (!app.enabled) call.log.info({ app: app.id, launches: ended.length }, 'app is disabled')
  return { status: 200, body: appBody(app, call.person) }
}

/** Builds the events for the vendor's webhooks when the app was enabled or disabled. */
function buildSwitchEvents({ randomness }: HasRandomness, app: App, stored: App): Statement[] {
  if (app.enabled === stored.enabled) return []
  const { id: appId, updatedAt: at, disabledBy } = app
  const event = { appId, at, once: String(at), ...(disabledBy ? { detail: { disabledBy } } : {}) }
  const type = app.enabled ? 'app.enabled' : 'app.disabled'
  return [vendorEventStatement({ ...event, type }, isSwitchedBy(app), randomness)]
}

export async function removeApp(
  service: HasApps & HasDatabase & HasSubscriptions,
  call: PersonCall<'id'>,
): Promise<Answer<204>> {
  const ended = await change(call, {
    load: () => loadApp(service, call),
    show: (app) => appBody(app, call.person),
    write: (stored) => deleteApp(service.db, stored, call.now),
  })
  service.apps.forget()
  await notifyLaunchesEnded(service, ended)
  return { status: 204 }
}
