// Registers an app that a developer starts by hand, from its Launch URL, and puts it on the sample
// collection: no restart of the sandbox is needed. Public API only. Contract §4 (App, Secrets).
import type { AddedApp, NewApp } from '@chartside/example-sample-ehr'
import { buildAppEnvironment } from '@chartside/protocol/app-environment'
import type { App, NewClientSecret } from '@chartside/protocol/payloads'
import { publishContent } from './collection.ts'
import { findVendor } from './registration.ts'
import { ApiError, type ServiceApi } from './service-api.ts'
import type { RunEnvironment } from './start-app.ts'

/** The label differs from that of the apps that the sandbox starts: this one stays on the collection. */
const SECRET_LABEL = 'added by its Launch URL'

/**
 * A Launch URL that is registered keeps its name; it gets the redirect URI too, and another secret.
 * @throws Error whose message is for the developer
 */
export async function addApp(api: ServiceApi, added: NewApp, run: RunEnvironment) {
  const { name, launchUrl, redirectUri } = added
  const vendor = await findVendor(api)
  const apps = await api.list<App>(`/api/apps?accountId=${encodeURIComponent(vendor.id)}`)
  const known = apps.find((app) => app.launchUrl === launchUrl)
  const redirectUris = [...new Set([...(known?.redirectUris ?? []), redirectUri])]
  const wanted = { accountId: vendor.id, exchange: 'app', name, launchUrl, redirectUris }
  const saving = known
    ? api.call<App>('PATCH', `/api/apps/${known.id}`, { redirectUris })
    : api.call<App>('POST', '/api/apps', wanted)
  const app = await saving.catch((error: unknown) => {
    throw error instanceof ApiError ? new Error(describeRefusal(error), { cause: error }) : error
  })
  const secret = { label: SECRET_LABEL }
  const path = `/api/apps/${app.id}/secrets`
  const { secret: clientSecret } = await api.call<NewClientSecret>('POST', path, secret)
  await publishContent(api, `With ${app.name}`, ({ ehrs, apps: listed }) => {
    const isListed = listed.some(({ appId }) => appId === app.id)
    return { ehrs, apps: isListed ? listed : [...listed, { appId: app.id, autoLaunch: false }] }
  })
  const { clientId } = app
  const publicUrl = new URL(launchUrl).origin
  return {
    appId: app.id,
    name: app.name,
    wasRegistered: known !== undefined,
    environment: buildAppEnvironment({ ...run, clientId, clientSecret, publicUrl }),
  } satisfies AddedApp
}

/** The fields of the dialog by those of the API. */
const FIELDS: Readonly<Record<string, string>> = {
  name: 'Name',
  launchUrl: 'Launch URL',
  redirectUris: 'Redirect URI',
}

/** Describes the refusal; what is wrong with several fields is said once. */
export function describeRefusal({ fields, message }: Pick<ApiError, 'fields' | 'message'>): string {
  const wrong = new Map<string, Set<string>>()
  for (const { field, message: problem } of fields) {
    const [, name = ''] = field.split('/')
    wrong.set(problem, (wrong.get(problem) ?? new Set()).add(FIELDS[name] ?? name))
  }
  const problems = [...wrong].map(([problem, names]) => `${[...names].join(' and ')}: ${problem}`)
  return problems.join(' ') || message
}
