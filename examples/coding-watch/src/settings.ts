// The app's settings, read once from its environment. Owns no request state; nothing else in this
// app reads process.env. Spec §4.3 (the secret stays on the server), §5.5 (framing).

export interface Settings {
  readonly clientId: string
  readonly clientSecret: string
  readonly port: number
  /** The origin under which the browser sees this app. */
  readonly publicUrl: string
  readonly serviceUrl: string
  readonly tokenUrl: string
  /** Origins that may frame this app. */
  readonly frameAncestors: readonly string[]
}

export function parseSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = env
  if (!clientId || !clientSecret) {
    throw new Error('Set CLIENT_ID and CLIENT_SECRET to those of the app registered at Chartside.')
  }
  const port = Number(env.PORT ?? '4703')
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('PORT is not a port.')
  const serviceUrl = (env.CHARTSIDE_BASE_URL ?? 'http://localhost:4700').replace(/\/+$/, '')
  return {
    clientId,
    clientSecret,
    port,
    publicUrl: (env.PUBLIC_URL ?? `http://coding-watch.chartside.localhost:${port}`).replace(
      /\/+$/,
      '',
    ),
    serviceUrl,
    tokenUrl: env.CHARTSIDE_TOKEN_URL ?? `${serviceUrl}/app-auth/token`,
    frameAncestors: (env.FRAME_ANCESTORS ?? '').split(/[\s,]+/).filter(Boolean),
  }
}
