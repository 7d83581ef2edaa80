// The edge of /api/apps and their client secrets. A secret is shown once, when it is made.
// Contract §4 (App, Secrets).
import type { FromSchema } from 'json-schema-to-ts'
import { ApiError, notFound } from '../errors.ts'
import { buildPage, parsePage } from '../http/page-of.ts'
import { type PersonCall, type Reply, rfc3339 } from '../http/route.ts'
import { hashBearer, mintBearer, newId } from '../identifiers.ts'
import type { Service } from '../service.ts'
import { admitTo } from '../users/access.ts'
import { listVisibleAccounts } from '../users/user.ts'
import { type App, EXCHANGES, listUrlProblems, newApp } from './app.ts'
import { deleteApp, findApp, insertApp, isAccountStored, listApps, updateApp } from './app-store.ts'
import type { ClientSecret } from './client-secret.ts'
import { insertClientSecret, listClientSecrets, retireClientSecret } from './client-secret-store.ts'

const url = { type: 'string', maxLength: 2048 } as const
const optionalUrl = { type: ['string', 'null'], maxLength: 2048 } as const
const seconds = { type: 'integer', minimum: 1, maximum: 86_400 } as const

const APP_FIELDS = {
  name: { type: 'string', minLength: 1, maxLength: 200 },
  iconUrl: optionalUrl,
  launchUrl: optionalUrl,
  workerLaunchUrl: optionalUrl,
  redirectUris: { type: 'array', maxItems: 50, items: url },
  tokenEndpoint: optionalUrl,
  allowedIframeUrls: { type: 'array', maxItems: 50, items: url },
  exchange: { enum: EXCHANGES },
  requirePkce: { type: 'boolean' },
  accessTokenLifetimeSeconds: seconds,
  idTokenLifetimeSeconds: seconds,
  stagingAccess: { type: 'boolean' },
  enabled: { type: 'boolean' },
} as const

export const APP_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['accountId', 'name'],
  properties: { accountId: { type: 'string', maxLength: 64 }, ...APP_FIELDS },
} as const

export const APP_PATCH = {
  type: 'object',
  additionalProperties: false,
  properties: APP_FIELDS,
} as const

export const SECRET_BODY = {
  type: 'object',
  additionalProperties: false,
  properties: {
    label: { type: 'string', minLength: 1, maxLength: 200 },
    expiresAt: { type: 'string', maxLength: 40, description: 'RFC 3339, in the future.' },
  },
} as const

type AppPatch = FromSchema<typeof APP_PATCH>

const appBody = (app: App) => ({
  ...app,
  createdAt: rfc3339(app.createdAt),
  updatedAt: rfc3339(app.updatedAt),
})

/** Applies a merge patch (RFC 7396): null removes, absent leaves. @throws ApiError for bad values */
function patched(service: Service, stored: App, patch: AppPatch, now: number): App {
  const cleared = <T>(value: T | null | undefined, kept: T | undefined): T | undefined =>
    value === null ? undefined : (value ?? kept)
  const app: App = {
    ...stored,
    name: patch.name ?? stored.name,
    iconUrl: cleared(patch.iconUrl, stored.iconUrl),
    launchUrl: cleared(patch.launchUrl, stored.launchUrl),
    workerLaunchUrl: cleared(patch.workerLaunchUrl, stored.workerLaunchUrl),
    redirectUris: patch.redirectUris ?? stored.redirectUris,
    tokenEndpoint: cleared(patch.tokenEndpoint, stored.tokenEndpoint),
    allowedIframeUrls: patch.allowedIframeUrls ?? stored.allowedIframeUrls,
    exchange: patch.exchange ?? stored.exchange,
    requirePkce: patch.requirePkce ?? stored.requirePkce,
    accessTokenLifetimeSeconds:
      patch.accessTokenLifetimeSeconds ?? stored.accessTokenLifetimeSeconds,
    idTokenLifetimeSeconds: patch.idTokenLifetimeSeconds ?? stored.idTokenLifetimeSeconds,
    stagingAccess: patch.stagingAccess ?? stored.stagingAccess,
    enabled: patch.enabled ?? stored.enabled,
    updatedAt: Math.max(now, stored.updatedAt + 1),
  }
  const { maxAccessTokenLifetimeSeconds: mostAccess, maxIdTokenLifetimeSeconds: mostId } =
    service.config
  const problems = [
    ...listUrlProblems(app),
    ...lifetimeProblem('/accessTokenLifetimeSeconds', patch.accessTokenLifetimeSeconds, mostAccess),
    ...lifetimeProblem('/idTokenLifetimeSeconds', patch.idTokenLifetimeSeconds, mostId),
  ]
  if (problems.length > 0) throw new ApiError('invalid_request', 'The app is not valid.', problems)
  return app
}

function lifetimeProblem(field: string, seconds: number | undefined, most: number) {
  return seconds !== undefined && seconds > most
    ? [{ field, message: `This platform allows at most ${most} seconds.` }]
    : []
}

export async function listAppsOf(service: Service, call: PersonCall): Promise<Reply> {
  const page = parsePage(call.query)
  const { accountId } = call.query
  const visible = listVisibleAccounts(call.person)
  if (accountId !== undefined) {
    const isVisible = visible === 'all' || visible.includes(accountId)
    if (!isVisible || !(await isAccountStored(service.db, accountId))) throw notFound('account')
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
  const { now } = call
  const { accountId, ...fields } = call.body
  const isStored = await isAccountStored(service.db, accountId)
  admitTo(call, 'account', isStored ? { accountId } : undefined)
  guardStagingAccess(call.person.user.role, fields)
  const app = patched(
    service,
    newApp(service.config, accountId, now, service.randomness),
    fields,
    now,
  )
  await service.db.write(insertApp(app))
  return { status: 201, body: appBody(app) }
}

/** Staging access is the platform's to give, not the developer's to take (spec: granted explicitly). */
function guardStagingAccess(role: string, patch: AppPatch): void {
  if (patch.stagingAccess === true && role !== 'admin') {
    throw new ApiError('not_allowed', 'Only a platform administrator grants staging access.', [
      { field: '/stagingAccess', message: 'Ask the platform operator.' },
    ])
  }
}

/** The app of this call, when the caller is what the route needs. @throws ApiError 404, 403 */
async function loadApp(service: Service, call: PersonCall<unknown>): Promise<App> {
  return admitTo(call, 'app', await findApp(service.db, call.params.id ?? ''))
}

export async function showApp(service: Service, call: PersonCall): Promise<Reply> {
  return { status: 200, body: appBody(await loadApp(service, call)) }
}

export async function patchApp(service: Service, call: PersonCall<AppPatch>): Promise<Reply> {
  const stored = await loadApp(service, call)
  guardStagingAccess(call.person.user.role, call.body)
  const app = patched(service, stored, call.body, call.now)
  if (!(await updateApp(service.db, app, stored.updatedAt))) {
    throw new ApiError('conflict', 'Somebody else changed this app just now. Read it again.')
  }
  service.apps.forget()
  return { status: 200, body: appBody(app) }
}

export async function removeApp(service: Service, call: PersonCall): Promise<Reply> {
  const { id } = await loadApp(service, call)
  await deleteApp(service.db, id, call.now)
  service.apps.forget()
  return { status: 204 }
}

const secretBody = ({ id, label, createdAt, expiresAt, lastUsedAt }: ClientSecret) => ({
  id,
  label: label ?? null,
  createdAt: rfc3339(createdAt),
  expiresAt: expiresAt === undefined ? null : rfc3339(expiresAt),
  lastUsedAt: lastUsedAt === undefined ? null : rfc3339(lastUsedAt),
})

export async function createSecret(
  service: Service,
  call: PersonCall<FromSchema<typeof SECRET_BODY>>,
): Promise<Reply> {
  const app = await loadApp(service, call)
  const expiresAt = call.body.expiresAt === undefined ? undefined : Date.parse(call.body.expiresAt)
  if (expiresAt !== undefined && !(expiresAt > call.now)) {
    throw new ApiError('invalid_request', 'The secret would expire before it exists.', [
      { field: '/expiresAt', message: 'Must be an RFC 3339 time in the future.' },
    ])
  }
  const id = newId('sec', call.now, service.randomness)
  const secret = mintBearer('cs', id, service.randomness)
  const stored: ClientSecret = {
    id,
    appId: app.id,
    secretHash: hashBearer(secret),
    label: call.body.label,
    createdAt: call.now,
    expiresAt,
    lastUsedAt: undefined,
  }
  await insertClientSecret(service.db, stored)
  service.apps.forget()
  return {
    status: 201,
    headers: { 'cache-control': 'no-store' },
    body: { ...secretBody(stored), secret },
  }
}

export async function listSecretsOf(service: Service, call: PersonCall): Promise<Reply> {
  const app = await loadApp(service, call)
  const secrets = await listClientSecrets(service.db, app.id)
  return { status: 200, body: { items: secrets.map(secretBody), nextCursor: null } }
}

export async function retireSecret(service: Service, call: PersonCall): Promise<Reply> {
  const app = await loadApp(service, call)
  const id = call.params.secretId ?? ''
  const isRetired = await retireClientSecret(service.db, app.id, id, call.now)
  service.apps.forget()
  if (!isRetired) throw notFound('secret')
  return { status: 204 }
}
