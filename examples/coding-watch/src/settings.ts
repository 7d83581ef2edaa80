// The app's settings, parsed once from the environment: credentials, addresses, the Chartside
// service that it trusts. Selects what the page may read: never the secret. Spec §5.1, §5.5.

export interface Settings {
  readonly clientId: string
  readonly clientSecret: string
  readonly port: number
  readonly host: string
  /** The origin under which the browser sees this app. */
  readonly publicUrl: string
  /** The service, as the browser and this server both reach it. */
  readonly baseUrl: string
  /** The token endpoint (spec §4.2). */
  readonly tokenUrl: string
  /** Origins that may frame this app: the extension's, and the sample EHR's in the sandbox. */
  readonly frameAncestors: readonly string[]
}

/** @throws Error that names the missing variable */
export function parseSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = env
  if (!clientId || !clientSecret) {
    throw new Error(
      'Set CLIENT_ID and CLIENT_SECRET (see .env.example) to those of the app registered with Chartside.',
    )
  }
  const port = Number(env.PORT ?? '3000')
  const baseUrl = (env.CHARTSIDE_BASE_URL ?? 'http://localhost:4700').replace(/\/+$/, '')
  return {
    clientId,
    clientSecret,
    port,
    host: env.LISTEN_HOST ?? '127.0.0.1',
    publicUrl: env.PUBLIC_URL ?? `http://coding-watch.chartside.localhost:${port}`,
    baseUrl,
    tokenUrl: env.CHARTSIDE_TOKEN_URL || `${baseUrl}/app-auth/token`,
    frameAncestors: (env.FRAME_ANCESTORS ?? '').split(/[\s,]+/).filter(Boolean),
  }
}

/** What the page's script reads from `data-settings`. */
export interface PageSettings {
  readonly clientId: string
  readonly baseUrl: string
  readonly redirectUri: string
}

export const buildPageSettings = ({ clientId, baseUrl, publicUrl }: Settings): PageSettings => ({
  clientId,
  baseUrl,
  redirectUri: `${publicUrl}/callback`,
})
