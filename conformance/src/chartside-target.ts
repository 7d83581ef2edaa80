// A Chartside service under test: it signs in through the public API, registers two apps in an
// account of its own, and opens an EHR session and a launch for each authorize request. The account
// and the apps are deleted at the end. Contract §3, §4, spec §1.1.
import { exportJWK, generateKeyPair } from 'jose'
import { Browser } from './browser.ts'
import { ChartsideApi, type Credentials } from './chartside-api.ts'
import { CannotRun, type HttpClient, isLoopback } from './http-client.ts'
import { type LogoutReceiver, openLogoutReceiver } from './logout-receiver.ts'
import type { GivenClient } from './options.ts'
import type { Client, Target, UserAgent } from './target.ts'

export interface ChartsideOptions {
  readonly baseUrl: string
  readonly issuer: string
  readonly credentials: Credentials
  /** A registered client to use in place of two new ones. */
  readonly client: GivenClient | undefined
  /** The account where launches of a given client are opened; its own account when absent. */
  readonly accountId: string | undefined
  readonly ehrType: string
  /** The secrets that must not stand in a report; the set grows during the run. */
  readonly secrets: Set<string>
}

/** Reserved names (RFC 2606): they resolve nowhere, and no redirect to them is followed. */
const redirectUriOf = (app: string) => `https://${app}.conformance.example/callback`

interface Registration {
  readonly client: Client
  readonly otherClient: Client | undefined
  readonly accountId: string
  remove(): Promise<void>
}

export async function openChartside(http: HttpClient, options: ChartsideOptions): Promise<Target> {
  const { baseUrl, issuer, credentials, secrets, ehrType } = options
  secrets.add(credentials.password)
  const api = await ChartsideApi.signIn(baseUrl, http, credentials, secrets)
  const registration = options.client
    ? await findRegistration(api, options.client, options.accountId)
    : await register(api, ehrType, await publishesEs256(http, issuer))
  const { client, otherClient, accountId } = registration
  const isHere = isLoopback(new URL(baseUrl)) && !options.client
  const logoutReceiver = isHere ? await receiveLogouts(api, client) : undefined
  for (const { secret } of [client, ...(otherClient ? [otherClient] : [])]) secrets.add(secret)

  const openSession = async (provider: ChartsideApi) =>
    String(
      (
        await provider.call('POST', '/api/sessions', {
          accountId,
          ehrType,
          deviceId: 'conformance',
        })
      ).id,
    )
  const userAgent = async (provider: ChartsideApi, sessionId: string): Promise<UserAgent> => ({
    // Authorize sets no cookie and shows no sign-in page (contract §2).
    browser: new Browser(new URL(baseUrl).origin),
    async prepare({ appId }) {
      const launched = await provider.call('POST', `/api/sessions/${sessionId}/launches`, {
        appId,
        kind: 'ui',
      })
      return {
        parameters: { launch: String(launched.launchId) },
        launchUrl: String(launched.launchUrl),
      }
    },
    signOut: () => provider.signOut(),
  })

  const sessionId = await openSession(api)
  return {
    kind: 'chartside',
    issuer,
    client,
    otherClient,
    scopes: ['launch', 'openid'],
    logoutReceiver,
    async newUserAgent({ isSeparate = false } = {}) {
      if (!isSeparate) return userAgent(api, sessionId)
      const provider = await ChartsideApi.signIn(baseUrl, http, credentials, secrets)
      return userAgent(provider, await openSession(provider))
    },
    async close() {
      await registration.remove()
      await api.signOut()
      await logoutReceiver?.close()
    },
  }
}

/** An account, two apps and a published collection of the run's own. */
async function register(
  api: ChartsideApi,
  ehrType: string,
  hasEs256: boolean,
): Promise<Registration> {
  const account = await api.call('POST', '/api/accounts', { name: 'Conformance run' })
  const accountId = String(account.id)
  const client = await registerApp(api, accountId, 'first')
  const otherClient = await registerApp(api, accountId, 'second', {
    launchStyle: 'smart',
    ...(hasEs256 ? { idTokenSignedResponseAlg: 'ES256' } : {}),
  })
  const draft = {
    ehrs: [{ ehrType, name: 'Conformance', matches: ['https://ehr.conformance.example/*'] }],
    apps: [client, otherClient].map(({ appId }) => ({ appId, autoLaunch: false })),
  }
  const body = { accountId, name: 'Conformance run', draft }
  const collection = await api.call('POST', '/api/collections', body)
  await api.call('POST', `/api/collections/${collection.id}/versions`, {})
  const choice = { collection: { id: collection.id, version: 'latest' } }
  await api.call('PATCH', `/api/accounts/${accountId}`, choice)
  return {
    client,
    otherClient,
    accountId,
    async remove() {
      for (const { appId } of [client, otherClient]) await api.call('DELETE', `/api/apps/${appId}`)
      await api.call('PATCH', `/api/accounts/${accountId}`, { collection: null })
      await api.call('DELETE', `/api/collections/${collection.id}`)
      await api.call('DELETE', `/api/accounts/${accountId}`)
    },
  }
}

/** The first app with ES256 leaves its key in the key set for good, so a run is never the first. */
async function publishesEs256(http: HttpClient, issuer: string): Promise<boolean> {
  const { json } = await http.send(`${issuer}/.well-known/jwks.json`, {})
  const keys: unknown = json?.keys
  return Array.isArray(keys) && keys.some(({ alg }) => alg === 'ES256')
}

async function registerApp(
  api: ChartsideApi,
  accountId: string,
  name: string,
  fields: Pick<Client, 'idTokenSignedResponseAlg'> & { readonly launchStyle?: 'smart' } = {},
): Promise<Client> {
  const redirectUri = redirectUriOf(name)
  const redirectUriWithQuery = `${redirectUri}?tenant=1`
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const kid = `conformance-${name}`
  const app = await api.call('POST', '/api/apps', {
    accountId,
    name: `Conformance ${name}`,
    launchUrl: `https://${name}.conformance.example/launch`,
    redirectUris: [redirectUri, redirectUriWithQuery],
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kid }] },
    ...fields,
  })
  const appId = String(app.id)
  const { secret } = await api.call('POST', `/api/apps/${appId}/secrets`, { label: 'conformance' })
  return {
    id: String(app.clientId),
    secret: String(secret),
    redirectUri,
    redirectUriWithQuery,
    appId,
    key: { alg: 'ES256', kid, privateKey },
    ...(fields.idTokenSignedResponseAlg ? { idTokenSignedResponseAlg: 'ES256' } : {}),
  }
}

/**
 * A service of development sends to this machine; another one refuses the address, and the run goes on without it.
 */
async function receiveLogouts(
  api: ChartsideApi,
  { appId, redirectUri, redirectUriWithQuery = redirectUri }: Client,
): Promise<LogoutReceiver | undefined> {
  const receiver = await openLogoutReceiver()
  try {
    await api.call('PATCH', `/api/apps/${appId}`, {
      // A logout address is at an origin of the app.
      redirectUris: [redirectUri, redirectUriWithQuery, new URL('/callback', receiver.uri).href],
      backchannelLogoutUri: receiver.uri,
    })
    return receiver
  } catch (error) {
    await receiver.close()
    if (error instanceof CannotRun) return undefined
    throw error
  }
}

/** The app of a given client ID, in an account that has it on its collection. */
async function findRegistration(
  api: ChartsideApi,
  given: GivenClient,
  account: string | undefined,
): Promise<Registration> {
  const accounts = (await api.list('/api/accounts')).map(({ id }) => String(id))
  for (const owner of accounts) {
    const apps = await api.list(`/api/apps?accountId=${encodeURIComponent(owner)}`)
    const app = apps.find(({ clientId }) => clientId === given.id)
    if (!app) continue
    const { id, secret, redirectUri } = given
    const client = { id, secret, redirectUri, appId: String(app.id) }
    const accountId = account ?? owner
    return { client, otherClient: undefined, accountId, remove: async () => {} }
  }
  throw new CannotRun(`No app of the accounts that this person sees has the client ID ${given.id}.`)
}
