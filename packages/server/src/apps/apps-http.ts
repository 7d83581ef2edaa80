// The edge of /api/apps: register an app, change it, delete it. What a registration may hold is a rule
// of app.ts; what only the platform may set is guarded here. Contract §4 (App).
import type { FromSchema } from 'json-schema-to-ts'
import { ApiError } from '../errors.ts'
import { change } from '../http/conditional.ts'
import { applyMergePatch, buildPatchSchema } from '../http/merge-patch.ts'
import { buildPage, parsePage } from '../http/page-of.ts'
import { created, nextUpdate, type PersonCall, type Reply, rfc3339 } from '../http/route.ts'
import { checkedBody } from '../http/schema-check.ts'
import type { Service } from '../service.ts'
import { admitTo } from '../users/access.ts'
import { listVisibleAccounts } from '../users/user.ts'
import { type App, EXCHANGES, listUrlProblems, newApp } from './app.ts'
import { deleteApp, findApp, insertApp, isAccountStored, listApps, updateApp } from './app-store.ts'

const url = (example: string) => ({ type: 'string', maxLength: 2048, examples: [example] }) as const
const seconds = { type: 'integer', minimum: 1, maximum: 86_400, examples: [900] } as const
const flag = { type: 'boolean' } as const

/** What may be set, and taken back to what it is without being set; only a name there must be. */
const APP_FIELDS = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200, examples: ['Visit Notes'] },
    iconUrl: url('https://notes.example/icon.svg'),
    launchUrl: url('https://notes.example/launch'),
    workerLaunchUrl: url('https://notes.example/worker'),
    redirectUris: { type: 'array', maxItems: 50, items: url('https://notes.example/callback') },
    tokenEndpoint: url('https://notes.example/token'),
    allowedIframeUrls: { type: 'array', maxItems: 50, items: url('https://login.example/') },
    exchange: { type: 'string', enum: EXCHANGES },
    requirePkce: flag,
    accessTokenLifetimeSeconds: seconds,
    idTokenLifetimeSeconds: seconds,
    stagingAccess: flag,
    enabled: { ...flag, examples: [true] },
  },
} as const

export const APP_BODY = {
  ...APP_FIELDS,
  required: ['accountId', 'name'],
  properties: {
    accountId: { type: 'string', maxLength: 64, examples: ['acc_01jnye6xw8q2v5n0m4r7ta'] },
    ...APP_FIELDS.properties,
  },
} as const

export const APP_PATCH = buildPatchSchema(APP_FIELDS)

type AppFields = FromSchema<typeof APP_FIELDS>

const appBody = (app: App) => ({
  ...app,
  createdAt: rfc3339(app.createdAt),
  updatedAt: rfc3339(app.updatedAt),
})

const fieldsOf = ({ id, clientId, accountId, createdAt, updatedAt, ...fields }: App) => fields

/** The stored app with these fields; those that are absent are as nobody set them. @throws ApiError */
function withFields(service: Service, stored: App, fields: AppFields, now: number): App {
  const blank = newApp(service.config, stored.accountId, stored.createdAt, service.randomness)
  const { id, clientId } = stored
  const app: App = { ...blank, ...fields, id, clientId, updatedAt: nextUpdate(stored, now) }
  const { maxAccessTokenLifetimeSeconds: mostAccess, maxIdTokenLifetimeSeconds: mostId } =
    service.config
  const problems = [
    ...listUrlProblems(app),
    ...lifetimeProblem('/accessTokenLifetimeSeconds', app, stored, mostAccess),
    ...lifetimeProblem('/idTokenLifetimeSeconds', app, stored, mostId),
  ]
  if (problems.length > 0) throw new ApiError('invalid_request', 'The app is not valid.', problems)
  return app
}

type Lifetime = 'accessTokenLifetimeSeconds' | 'idTokenLifetimeSeconds'

/** What was allowed when it was set stays, should the platform allow less by now. */
function lifetimeProblem(field: `/${Lifetime}`, app: App, stored: App, most: number) {
  const name = field.slice(1) as Lifetime
  return app[name] > most && app[name] !== stored[name]
    ? [{ field, message: `This platform allows at most ${most} seconds.` }]
    : []
}

export async function listAppsOf(service: Service, call: PersonCall): Promise<Reply> {
  const page = parsePage(call.query)
  const { accountId } = call.query
  const visible = listVisibleAccounts(call.person)
  if (accountId !== undefined) {
    const isStored = await isAccountStored(service.db, accountId)
    admitTo(call, 'account', isStored ? { accountId } : undefined)
  }
  const accountIds = accountId === undefined ? visible : [accountId]
  const limit = page.limit + 1
  const found = await listApps(service.db, { accountIds, cursor: page.cursor, limit })
  return { status: 200, body: buildPage(found, page, appBody) }
}

export async function createApp(
  service: Service,
  call: PersonCall<FromSchema<typeof APP_BODY>>,
): Promise<Reply> {
  const { accountId, ...fields } = call.body
  const isStored = await isAccountStored(service.db, accountId)
  admitTo(call, 'account', isStored ? { accountId } : undefined)
  const blank = newApp(service.config, accountId, call.now, service.randomness)
  const app = withFields(service, blank, fields, call.now)
  guardStagingAccess(call, app, blank)
  await service.db.write(insertApp(app))
  return created(`/api/apps/${app.id}`, appBody(app))
}

/** Staging access is the platform's to give, not the developer's to take (spec: granted explicitly). */
function guardStagingAccess({ person }: PersonCall<unknown>, app: App, stored: App): void {
  if (app.stagingAccess && !stored.stagingAccess && person.user.role !== 'admin') {
    throw new ApiError('not_allowed', 'Only a platform administrator grants staging access.', [
      { field: '/stagingAccess', message: 'Ask the platform operator.' },
    ])
  }
}

/** The app of this call, when the caller is what the route needs. @throws ApiError 404, 403 */
export async function loadApp(service: Service, call: PersonCall<unknown>): Promise<App> {
  return admitTo(call, 'app', await findApp(service.db, call.params.id ?? ''))
}

export async function showApp(service: Service, call: PersonCall): Promise<Reply> {
  return { status: 200, body: appBody(await loadApp(service, call)) }
}

export async function patchApp(service: Service, call: PersonCall<unknown>): Promise<Reply> {
  const app = await change(call, {
    load: () => loadApp(service, call),
    show: appBody,
    async write(stored) {
      const fields = checkedBody<AppFields>(
        APP_FIELDS,
        applyMergePatch(fieldsOf(stored), call.body),
      )
      const changed = withFields(service, stored, fields, call.now)
      guardStagingAccess(call, changed, stored)
      return (await updateApp(service.db, changed, stored.updatedAt)) ? changed : undefined
    },
  })
  service.apps.forget()
  return { status: 200, body: appBody(app) }
}

export async function removeApp(service: Service, call: PersonCall): Promise<Reply> {
  await change(call, {
    load: () => loadApp(service, call),
    show: appBody,
    write: (stored) => deleteApp(service.db, stored, call.now),
  })
  service.apps.forget()
  return { status: 204 }
}
