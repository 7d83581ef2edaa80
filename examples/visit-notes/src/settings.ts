// The app's settings, read once from its environment: who it is, where it listens, and which
// Chartside service it trusts. Nothing else in this app reads process.env.
// Spec §5.1 (the secret stays on the server), §5.5 (framing).

export interface Settings {
  readonly clientId: string
  readonly clientSecret: string
  readonly port: number
  /** The origin under which the browser sees this app. */
  readonly publicUrl: string
  /** The service, as the browser and this server both reach it. */
  readonly baseUrl: string
  /** The token endpoint (spec §4.2). */
  readonly tokenUrl: string
  /** Origins that may frame this app: the extension's, and the sample EHR's in the sandbox. */
  readonly frameAncestors: readonly string[]
}

export function parseSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = env
  if (!clientId || !clientSecret) {
    throw new Error(
      'Set CLIENT_ID and CLIENT_SECRET to those of the app registered with Chartside.',
    )
  }
  const port = Number(env.PORT ?? '4702')
  const baseUrl = env.CHARTSIDE_BASE_URL ?? 'http://localhost:4700'
  return {
    clientId,
    clientSecret,
    port,
    publicUrl: env.PUBLIC_URL ?? `http://visit-notes.chartside.localhost:${port}`,
    baseUrl,
    tokenUrl: env.CHARTSIDE_TOKEN_URL ?? `${baseUrl}/app-auth/token`,
    frameAncestors: (env.FRAME_ANCESTORS ?? '').split(/[\s,]+/).filter(Boolean),
  }
}
