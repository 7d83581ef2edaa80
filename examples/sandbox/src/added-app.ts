// Registers an app that a developer starts by hand, from its Launch URL, and puts it on the sample
// collection: no restart of the sandbox is needed. Public API only. Contract §4 (App, Secrets).
import type { AddedApp, NewApp } from '@chartside/example-sample-ehr'
import type { App, NewClientSecret } from '@chartside/protocol/payloads'
import { publishContent } from './collection.ts'
import { findVendor } from './registration.ts'
import { ApiError, type ServiceApi } from './service-api.ts'
import type { AppEnvironment } from './start-app.ts'

/** Not the label of the apps that the sandbox starts: this one stays on the collection. */
const SECRET_LABEL = 'added by its Launch URL'

/**
 * The same Launch URL again changes the registration and gives another secret.
 * @throws Error whose message is for the developer
 */
export async function addApp(
  api: ServiceApi,
  { name, launchUrl, redirectUri }: NewApp,
  { serviceUrl, tokenUrl, frameAncestors }: AppEnvironment,
): Promise<AddedApp> {
  const vendor = await findVendor(api)
  const apps = await api.list<App>(`/api/apps?accountId=${encodeURIComponent(vendor.id)}`)
  const known = apps.find((app) => app.launchUrl === launchUrl)
  const wanted = { name, launchUrl, redirectUris: [redirectUri] }
  const saving = known
    ? api.call<App>('PATCH', `/api/apps/${known.id}`, wanted)
    : api.call<App>('POST', '/api/apps', { accountId: vendor.id, exchange: 'app', ...wanted })
  const app = await saving.catch((error: unknown) => {
    throw error instanceof ApiError ? new Error(describe(error), { cause: error }) : error
  })
  const secret = { label: SECRET_LABEL }
  const path = `/api/apps/${app.id}/secrets`
  const { secret: clientSecret } = await api.call<NewClientSecret>('POST', path, secret)
  await publishContent(api, `With ${name}`, ({ ehrs, apps: listed }) => {
    const isListed = listed.some(({ appId }) => appId === app.id)
    return { ehrs, apps: isListed ? listed : [...listed, { appId: app.id, autoLaunch: false }] }
  })
  return {
    appId: app.id,
    name: app.name,
    environment: {
      CLIENT_ID: app.clientId,
      CLIENT_SECRET: clientSecret,
      PUBLIC_URL: new URL(launchUrl).origin,
      CHARTSIDE_BASE_URL: serviceUrl,
      CHARTSIDE_TOKEN_URL: tokenUrl,
      FRAME_ANCESTORS: frameAncestors.join(' '),
    },
  }
}

function describe({ fields, message }: ApiError): string {
  const problems = fields.map((field) => `${field.field.slice(1)}: ${field.message}`)
  return problems.length > 0 ? problems.join(' ') : message
}
