// The app's settings, read once from its environment: who it is, where it listens, and which
// Chartside service it trusts. Owns no request state; nothing else in this app reads process.env.
// Spec §5.1 (the secret stays on the server), §5.5 (framing).

export interface Settings {
  readonly clientId: string
  readonly clientSecret: string
  readonly port: number
  /** The origin under which the browser sees this app. */
  readonly publicUrl: string
  /** The service, as the browser and this server both reach it. */
  readonly serviceUrl: string
  /** The token endpoint (spec §4.2). */
  readonly tokenUrl: string
  /** Origins that may frame this app: the extension's, and the sample EHR's in the sandbox. */
  readonly frameAncestors: readonly string[]
}

export function parseSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const missing = ['CLIENT_ID', 'CLIENT_SECRET'].filter((name) => !env[name])
  if (missing.length > 0) {
    throw new Error(
      `Set ${missing.join(' and ')}: the client ID of the app as it is registered with Chartside, ` +
        'and one of its live client secrets.',
    )
  }
  const port = Number(env.PORT ?? '4702')
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('PORT is not a port.')
  const serviceUrl = (env.CHARTSIDE_BASE_URL ?? 'http://localhost:4700').replace(/\/+$/, '')
  return {
    clientId: env.CLIENT_ID ?? '',
    clientSecret: env.CLIENT_SECRET ?? '',
    port,
    publicUrl: (env.PUBLIC_URL ?? `http://visit-notes.chartside.localhost:${port}`).replace(
      /\/+$/,
      '',
    ),
    serviceUrl,
    tokenUrl: env.CHARTSIDE_TOKEN_URL ?? `${serviceUrl}/app-auth/token`,
    frameAncestors: (env.FRAME_ANCESTORS ?? '').split(/[\s,]+/).filter(Boolean),
  }
}
