// The handlers of the identity providers of an account: list, register, change, delete. A client secret goes in
// and never comes out, and it is never sent to another issuer than the one that it was given for. Contract §13.
import type { Account } from '../accounts/account.ts'
import { loadAccount } from '../accounts/account-access.ts'
import { notifySessionsEnded } from '../cluster/end-notification.ts'
import type { HasSubscriptions } from '../cluster/session-subscriptions.ts'
import type { HasConfig } from '../config/config.ts'
import { hasProvenAdministrator } from '../credentials/login-method-store.ts'
import type { HasDatabase } from '../db/database.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { Answer, PayloadOf, PersonCall } from '../http/call.ts'
import { change } from '../http/input/conditional.ts'
import { applyMergePatch } from '../http/input/merge-patch.ts'
import { pageOf, parsePage } from '../http/input/pagination.ts'
import { checkedBody } from '../http/input/schema-check.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { limitReached, MAX_IDENTITY_PROVIDERS } from '../kernel/record-limits.ts'
import { nextUpdate, rfc3339 } from '../kernel/time.ts'
import { masterKeysOf, seal } from '../keys/master-key.ts'
import {
  DEFAULT_SCOPES,
  type IdentityProvider,
  listProviderProblems,
  redirectUriOf,
  revocationUriOf,
} from './identity-provider.ts'
import {
  type IDENTITY_PROVIDER,
  type IDENTITY_PROVIDERS,
  type PROVIDER_BODY,
  type PROVIDER_CHECK,
  PROVIDER_FIELDS,
  type PROVIDER_PATCH,
} from './identity-provider-schema.ts'
import {
  deleteIdentityProvider,
  findIdentityProvider,
  insertIdentityProvider,
  listIdentityProviders,
  updateIdentityProvider,
} from './identity-provider-store.ts'
import { type DiscoveryAnswer, decideFinding, discoveryUrlOf } from './provider-check.ts'
import { type HasProviderFetch, ProviderUnreachable } from './provider-fetch.ts'

type Parts = HasConfig & HasDatabase & HasRandomness
type Fields = PayloadOf<typeof PROVIDER_FIELDS>

const providerBody = (
  { config }: HasConfig,
  provider: IdentityProvider,
): PayloadOf<typeof IDENTITY_PROVIDER> => ({
  id: provider.id,
  name: provider.name,
  issuer: provider.issuer,
  clientId: provider.clientId,
  hasClientSecret: provider.sealedSecret !== undefined,
  scopes: provider.scopes,
  authorizeParams: provider.authorizeParams,
  required: provider.required,
  redirectUri: redirectUriOf(config.baseUrl, provider.id),
  revocationUri: revocationUriOf(config.baseUrl, provider.id),
  createdAt: rfc3339(provider.createdAt),
  updatedAt: rfc3339(provider.updatedAt),
})

export async function listProvidersOf(
  service: HasConfig & HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof IDENTITY_PROVIDERS>> {
  const account = await loadAccount(service, call)
  const page = parsePage(call.query, { of: ['idp'] })
  const providers = await listIdentityProviders(service.db, account.id)
  return { status: 200, body: pageOf(providers, page, (one) => providerBody(service, one)) }
}

export async function createProvider(
  service: Parts & HasSubscriptions,
  call: PersonCall<'id', typeof PROVIDER_BODY>,
): Promise<Answer<201, typeof IDENTITY_PROVIDER>> {
  const account = await loadAccount(service, call)
  const { clientSecret, ...fields } = call.body
  const id = newId('idp', call.now, service.randomness)
  const provider: IdentityProvider = {
    ...checkedFields(service, fields),
    id,
    accountId: account.id,
    sealedSecret: sealed(service, id, clientSecret),
    createdAt: call.now,
    updatedAt: call.now,
  }
  if (provider.required) await requireProof(service, call, provider)
  const ended = await insertIdentityProvider(service.db, provider)
  if (!ended) throw limitReached('account', 'identity providers', MAX_IDENTITY_PROVIDERS)
  await notifySessionsEnded(service, ended, 'revoked')
  return { status: 201, body: providerBody(service, provider) }
}

export async function patchProvider(
  service: Parts & HasSubscriptions,
  call: PersonCall<'id' | 'providerId', typeof PROVIDER_PATCH>,
): Promise<Answer<200, typeof IDENTITY_PROVIDER>> {
  const { clientSecret, ...patch } = call.body as { clientSecret?: string | null }
  const account = await loadAccount(service, call)
  const provider = await change(call, {
    load: () => loadProvider(service, account, call.params.providerId),
    show: (stored) => providerBody(service, stored),
    async write(stored) {
      const { name, issuer, clientId, scopes, authorizeParams, required } = stored
      const own = { name, issuer, clientId, scopes, authorizeParams, required }
      const merged = applyMergePatch(own, patch)
      const fields = checkedFields(service, checkedBody<Fields>(PROVIDER_FIELDS, merged))
      if (fields.issuer !== issuer && stored.sealedSecret && clientSecret === undefined) {
        throw new ApiError('invalid_request', 'A new issuer takes a new client secret.', [
          { field: '/clientSecret', message: 'Send the secret of the new provider, or null.' },
        ])
      }
      if (fields.required && (!required || fields.issuer !== issuer)) {
        await requireProof(service, call, { ...stored, ...fields })
      }
      const sealedSecret =
        clientSecret === undefined
          ? stored.sealedSecret
          : sealed(service, stored.id, clientSecret ?? undefined)
      const updatedAt = nextUpdate(stored, call.now)
      const changed: IdentityProvider = { ...stored, ...fields, sealedSecret, updatedAt }
      const ended = await updateIdentityProvider(service.db, stored, changed, call.now)
      if (ended) await notifySessionsEnded(service, ended, 'revoked')
      return ended && changed
    },
  })
  return { status: 200, body: providerBody(service, provider) }
}

export async function deleteProvider(
  service: HasDatabase & HasSubscriptions,
  call: PersonCall<'id' | 'providerId'>,
): Promise<Answer<204>> {
  const account = await loadAccount(service, call)
  const { providerId } = call.params
  const ended = await deleteIdentityProvider(service.db, account.id, providerId, call.now)
  if (!ended) throw notFound('identity provider')
  await notifySessionsEnded(service, ended, 'revoked')
  call.log.info({ provider: providerId, sessions: ended.length }, 'identity provider deleted')
  return { status: 204 }
}

/** Shows why no member could sign in at the provider; only a sign-in tests all steps. */
export async function checkProvider(
  service: HasDatabase & HasProviderFetch & HasRateLimits,
  call: PersonCall<'id' | 'providerId'>,
): Promise<Answer<200, typeof PROVIDER_CHECK>> {
  const account = await loadAccount(service, call)
  const { issuer } = await loadProvider(service, account, call.params.providerId)
  const attempt = { address: call.address, subject: call.person.user.id }
  await service.limits.count(attempt, call.now, 'preflights')
  const finding = decideFinding(issuer, await loadDiscovery(service, issuer))
  const body = { ...finding, checkedAt: rfc3339(call.now) }
  return { status: 200, headers: { 'cache-control': 'no-store' }, body }
}

async function loadDiscovery(
  { providerFetch }: HasProviderFetch,
  issuer: string,
): Promise<DiscoveryAnswer> {
  const asked = { method: 'GET', headers: { accept: 'application/json' } } as const
  try {
    const answer = await providerFetch(discoveryUrlOf(issuer), {
      ...asked,
      body: undefined,
      redirect: 'manual',
      signal: AbortSignal.timeout(CHECK_MS),
    })
    return { status: answer.status, text: await answer.text() }
  } catch (error) {
    if (!(error instanceof ProviderUnreachable)) throw error
    return { problem: error.problem }
  }
}

const CHECK_MS = 5_000

async function loadProvider(
  { db }: HasDatabase,
  account: Account,
  id: string,
): Promise<IdentityProvider> {
  const provider = await findIdentityProvider(db, account.id, id)
  if (!provider) throw notFound('identity provider')
  return provider
}

/**
 * An account that requires a provider at which no member can sign in has locked itself out. The platform's
 * administrators reach it in any case. @throws ApiError conflict
 */
async function requireProof(
  { db }: HasDatabase,
  { person }: Pick<PersonCall, 'person'>,
  { id: providerId, accountId, issuer }: IdentityProvider,
): Promise<void> {
  if (person.user.role === 'admin') return
  const stored = await findIdentityProvider(db, accountId, providerId)
  const isSame = stored?.issuer === issuer
  if (isSame && (await hasProvenAdministrator(db, { providerId, accountId }))) return
  throw new ApiError(
    'conflict',
    'No administrator of this account has signed in at this provider yet, so requiring it could lock all members out. Sign in at it once, then require it.',
  )
}

/** Checks the fields, with their defaults. @throws ApiError invalid_request */
function checkedFields({ config }: HasConfig, fields: Fields) {
  const { name, issuer, clientId, required = false } = fields
  const { scopes = DEFAULT_SCOPES, authorizeParams = {} } = fields
  const checked = { name, issuer, clientId, scopes, authorizeParams, required }
  const problems = listProviderProblems(checked, config.environment === 'development')
  if (problems.length === 0) return checked
  throw new ApiError('invalid_request', 'The provider cannot be used like this.', problems)
}

const sealed = (
  { config, randomness }: HasConfig & HasRandomness,
  id: string,
  secret: string | undefined,
): string | undefined =>
  secret === undefined
    ? undefined
    : seal(masterKeysOf(config, randomness), id, Buffer.from(secret), randomness)
