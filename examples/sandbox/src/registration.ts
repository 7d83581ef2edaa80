// Makes the registrations at the service equal to the apps of this run: creates a missing app,
// changes one that differs, renews its secret. Public API only. Contract §4 (App, Secrets).

import {
  fillRegistration,
  MANIFEST_FILE,
  ManifestError,
  type Registration,
} from '@chartside/protocol/app-manifest'
import type { Account, App, ClientSecret, NewClientSecret } from '@chartside/protocol/payloads'
import { SAMPLE_VENDOR } from '@chartside/server/sample-data'
import { COMMAND } from './installation.ts'
import type { AppPlace } from './places.ts'
import { ApiError, type ServiceApi } from './service-api.ts'

/** One app of this run, as it is registered. */
export interface RegisteredApp {
  readonly id: string
  readonly clientId: string
  readonly clientSecret: string
  readonly place: AppPlace
}

/** A secret with this label is the sandbox's own, and so is its app. */
const SECRET_LABEL = 'sandbox'

export interface Registrations {
  readonly apps: readonly RegisteredApp[]
  /** The ids of the sandbox's apps that do not run this time. */
  readonly notRunning: readonly string[]
}

/**
 * `examples`: the names of all sample apps, whether they run or not.
 * @throws ManifestError when the service refuses the values of a manifest.
 */
export async function registerApps(
  api: ServiceApi,
  places: readonly AppPlace[],
  examples: readonly string[],
): Promise<Registrations> {
  const vendor = await findVendor(api)
  const stored = await api.list<App>(`/api/apps?accountId=${encodeURIComponent(vendor.id)}`)
  const apps = await Promise.all(
    places.map(async (place) => {
      const wanted = fillRegistration(place.manifest.registration, place.origins)
      const known = stored.find(({ name }) => name === wanted.name)
      const { id, clientId } = await upsertApp(api, vendor.id, wanted, known).catch(
        (error: unknown) => {
          throw error instanceof ApiError ? explain(place.manifest.directory, error) : error
        },
      )
      return { id, clientId, clientSecret: await renewSecret(api, id), place }
    }),
  )
  const others = stored.filter(({ id }) => apps.every((app) => app.id !== id))
  const isOwn = await Promise.all(
    others.map(async ({ id, name }) => {
      return examples.includes(name) || (await listOwnSecrets(api, id)).length > 0
    }),
  )
  return { apps, notRunning: others.filter((_, index) => isOwn[index]).map(({ id }) => id) }
}

/** The account that owns the sample apps. */
export async function findVendor(api: ServiceApi): Promise<Account> {
  const accounts = await api.list<Account>('/api/accounts')
  const vendor = accounts.find(({ name }) => name === SAMPLE_VENDOR.name)
  if (vendor) return vendor
  throw new Error(`"${SAMPLE_VENDOR.name}" is not in the stored data: ${COMMAND} -- --reset`)
}

async function upsertApp(
  api: ServiceApi,
  accountId: string,
  wanted: Registration,
  known: App | undefined,
): Promise<App> {
  if (!known) {
    const given = Object.entries(wanted).filter(([, value]) => value !== null)
    return api.call('POST', '/api/apps', { accountId, ...Object.fromEntries(given) })
  }
  const isSame = Object.entries(wanted).every(
    ([field, value]) =>
      JSON.stringify(known[field as keyof Registration] ?? null) === JSON.stringify(value),
  )
  return isSame ? known : api.call('PATCH', `/api/apps/${known.id}`, wanted)
}

function explain(directory: string, error: ApiError): Error {
  const problems = error.fields.map(({ field, message }) => `${field.slice(1)}: ${message}`)
  if (problems.length === 0) return error
  return new ManifestError(
    `The service refuses ${directory}/${MANIFEST_FILE}: ${problems.join(' ')}`,
    { cause: error },
  )
}

/** A new secret; the sandbox's earlier ones are deleted. */
async function renewSecret(api: ServiceApi, appId: string): Promise<string> {
  const path = `/api/apps/${appId}/secrets`
  const fresh = await api.call<NewClientSecret>('POST', path, { label: SECRET_LABEL })
  const earlier = (await listOwnSecrets(api, appId)).filter(({ id }) => id !== fresh.id)
  await Promise.all(earlier.map(({ id }) => api.call('DELETE', `${path}/${id}`)))
  return fresh.secret
}

/** An app with such a secret was registered by an earlier run, not by hand. */
async function listOwnSecrets(api: ServiceApi, appId: string): Promise<ClientSecret[]> {
  const secrets = await api.list<ClientSecret>(`/api/apps/${appId}/secrets`)
  return secrets.filter(({ label }) => label === SECRET_LABEL)
}
