// The settings of an app, parsed once from the environment: credentials, addresses, the Chartside
// service that it trusts. Selects what a page may read: never a secret. Spec §5.1, §5.3, §5.5.

import { requireAlg, type SignedResponseAlg } from './require-option.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The settings that every app has of itself and of the service. */
export interface PublicSettings {
  readonly port: number
  /** The address on which the server listens. */
  readonly host: string
  /** The origin under which the browser sees this app. */
  readonly publicUrl: string
  /** The service, as the browser and this server both reach it. */
  readonly baseUrl: string
  /** Origins that may frame this app: the extension's, and the sample EHR's in the sandbox. */
  readonly frameAncestors: readonly string[]
  /** The sandbox has started the app: the policy of its pages lets a development server in. */
  readonly isDevelopment?: boolean
  /** Sessions and accepted ID tokens outlive the process there; otherwise they are in memory. */
  readonly sessionsFile?: string | undefined
}

export interface ClientSettings {
  readonly clientId: string
  readonly clientSecret: string
  /** The token endpoint (spec §4.2). */
  readonly tokenUrl: string
  /** The algorithm that is registered for ID tokens. Default `RS256`. */
  readonly idTokenSignedResponseAlg?: SignedResponseAlg | undefined
}

/** The settings of an app that exchanges its codes: options 1 and 2. */
export interface AppSettings extends PublicSettings, ClientSettings {}

/** The settings of an app whose identity provider exchanges the codes: option 3. */
export interface ProviderAppSettings extends PublicSettings {
  /** The provider's origin in the browser. */
  readonly providerUrl: string
  /** The provider's address for this server; its management API is below. */
  readonly providerApi: string
  /** The token for the management API. A hosted provider issues one. */
  readonly managementToken: string
}

/** The settings that are configured in the console of a hosted provider. */
export interface ProviderSettings extends ClientSettings {
  readonly port: number
}

/**
 * Reads the settings of an app of option 1 or 2 from environment variables. `slug` is its name in the default
 * host name, such as `ward-notes`. Spec §5.1, §5.2.
 * @throws Error that names the one variable, or the credentials, to set
 * @example const settings = parseAppSettings(process.env, 'ward-notes')
 */
export function parseAppSettings(env: Environment, slug: string): AppSettings {
  const client = parseClient(env)
  return { ...parsePublic(env, slug), ...client }
}

/**
 * Reads the settings of an app of option 3 and of the identity provider of development, which holds the
 * credentials. `slug` as in `parseAppSettings`; `managementToken` is the secret between the two. Spec §5.3.
 * @throws Error that names the one variable, or the credentials, to set
 * @example const { settings, provider } = parseProviderAppSettings(process.env, 'ward-desk', token)
 */
export function parseProviderAppSettings(
  env: Environment,
  slug: string,
  managementToken: string,
): { settings: ProviderAppSettings; provider: ProviderSettings } {
  const client = parseClient(env)
  const shared = parsePublic(env, slug)
  const port = parsePort(env, 'PORT_PROVIDER', shared.port + 1)
  const providerUrl = parseUrl(
    env,
    'PUBLIC_URL_PROVIDER',
    `http://provider.${slug}.chartside.localhost:${port}`,
  )
  // Node.js does not resolve names under .localhost.
  const providerApi = `http://127.0.0.1:${port}`
  const settings = { ...shared, providerUrl, providerApi, managementToken }
  return { settings, provider: { port, ...client } }
}

function parsePublic(env: Environment, slug: string): PublicSettings {
  const port = parsePort(env, 'PORT', 3000)
  const publicUrl = parseUrl(env, 'PUBLIC_URL', `http://${slug}.chartside.localhost:${port}`)
  return {
    port,
    host: env.LISTEN_HOST || '127.0.0.1',
    publicUrl,
    isDevelopment: parseDevelopment(env, publicUrl),
    baseUrl: parseBaseUrl(env),
    frameAncestors: (env.FRAME_ANCESTORS ?? '').split(/[\s,]+/).filter(Boolean),
    sessionsFile: env.SESSIONS_FILE || undefined,
  }
}

/** Reads the switch, which is for this machine only: a development server runs what is sent to its port. */
function parseDevelopment({ CHARTSIDE_DEVELOPMENT: value }: Environment, url: string): boolean {
  if (!value) return false
  if (value === '1' && /(^|\.)localhost$/.test(new URL(url).hostname)) return true
  throw new Error(
    'CHARTSIDE_DEVELOPMENT is 1, and only for an app below http://localhost. Remove it elsewhere.',
  )
}

function parseClient(env: Environment): ClientSettings {
  const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = env
  if (!clientId || !clientSecret) {
    throw new Error(
      'Set CLIENT_ID and CLIENT_SECRET (see .env.example) to those of the app registered with Chartside.',
    )
  }
  const tokenUrl = parseUrl(env, 'CHARTSIDE_TOKEN_URL', `${parseBaseUrl(env)}/app-auth/token`)
  const alg = env.ID_TOKEN_SIGNED_RESPONSE_ALG || undefined
  const idTokenSignedResponseAlg = requireAlg('ID_TOKEN_SIGNED_RESPONSE_ALG', alg)
  return { clientId, clientSecret, tokenUrl, idTokenSignedResponseAlg }
}

const parseBaseUrl = (env: Environment): string =>
  parseUrl(env, 'CHARTSIDE_BASE_URL', 'http://localhost:4700').replace(/\/+$/, '')

function parsePort(env: Environment, name: string, otherwise: number): number {
  const port = Number(env[name] || otherwise)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new Error(`Set ${name} (see .env.example) to a port from 0 to 65535.`)
}

function parseUrl(env: Environment, name: string, otherwise: string): string {
  const url = env[name] || otherwise
  if (/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) return url
  throw new Error(`Set ${name} (see .env.example) to an address that begins with http or https.`)
}

/** The settings that the page's script reads from `data-settings`. */
export interface PageSettings {
  readonly baseUrl: string
  /** Options 1 and 2. */
  readonly clientId?: string
  readonly redirectUri?: string
  /** The origin of the provider, in option 3. */
  readonly providerUrl?: string
}

/**
 * Returns the part of the settings that the page may read: no secret. Never throws. Spec §5.1, §5.3.
 * @example buildLaunchPage({ name, settings: buildPageSettings(settings) })
 */
export const buildPageSettings = (settings: AppSettings | ProviderAppSettings): PageSettings => {
  const { baseUrl, publicUrl } = settings
  if ('providerUrl' in settings) return { baseUrl, providerUrl: settings.providerUrl }
  return { clientId: settings.clientId, baseUrl, redirectUri: `${publicUrl}/callback` }
}
