// The settings of app and identity provider, parsed once from the environment: addresses, and the
// Chartside service that they trust. The client credentials belong to the provider. Selects what
// the page may read: never a secret. Spec §5.3, §5.5.

export interface Settings {
  readonly port: number
  readonly host: string
  /** The origin under which the browser sees this app. */
  readonly publicUrl: string
  /** The service, as the browser and this server both reach it. */
  readonly baseUrl: string
  /** Origins that may frame this app: the extension's, and the sample EHR's in the sandbox. */
  readonly frameAncestors: readonly string[]
  /** The provider's origin in the browser. */
  readonly providerUrl: string
  /** The provider's address for this server; its management API is below. */
  readonly providerApi: string
  /** For the management API. A hosted provider issues one. */
  readonly managementToken: string
}

/** What you configure in the console of a hosted provider. */
export interface ProviderSettings {
  readonly port: number
  readonly clientId: string
  readonly clientSecret: string
  /** The token endpoint (spec §4.2). */
  readonly tokenUrl: string
}

/** @throws Error that names the missing variable */
export function parseSettings(
  env: Readonly<Record<string, string | undefined>>,
  managementToken: string,
): { settings: Settings; provider: ProviderSettings } {
  const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = env
  if (!clientId || !clientSecret) {
    throw new Error(
      'Set CLIENT_ID and CLIENT_SECRET (see .env.example) to those of the app registered with Chartside.',
    )
  }
  const port = Number(env.PORT ?? '3000')
  const providerPort = Number(env.PORT_PROVIDER ?? port + 1)
  const baseUrl = (env.CHARTSIDE_BASE_URL ?? 'http://localhost:4700').replace(/\/+$/, '')
  const host = '{{slug}}.chartside.localhost'
  const settings: Settings = {
    port,
    host: env.LISTEN_HOST ?? '127.0.0.1',
    publicUrl: env.PUBLIC_URL ?? `http://${host}:${port}`,
    baseUrl,
    frameAncestors: (env.FRAME_ANCESTORS ?? '').split(/[\s,]+/).filter(Boolean),
    providerUrl: env.PUBLIC_URL_PROVIDER ?? `http://provider.${host}:${providerPort}`,
    // Node.js does not resolve names under .localhost.
    providerApi: `http://127.0.0.1:${providerPort}`,
    managementToken,
  }
  const tokenUrl = env.CHARTSIDE_TOKEN_URL || `${baseUrl}/app-auth/token`
  return { settings, provider: { port: providerPort, clientId, clientSecret, tokenUrl } }
}

/** What the page's script reads from `data-settings`. */
export interface PageSettings {
  readonly baseUrl: string
  readonly providerUrl: string
}

export const buildPageSettings = ({ baseUrl, providerUrl }: Settings): PageSettings => ({
  baseUrl,
  providerUrl,
})
