// The environment that an app's server is started with: its variables, which the app kit and the templates
// read, and the text of an `.env` file of them. Sandbox, fault studio and console build it here. Pure.

export interface AppEnvironment {
  readonly clientId: string
  /** The secret; empty where it is not known: it is shown once, when it is made. */
  readonly clientSecret: string
  /** The origin of the app in the browser. */
  readonly publicUrl: string
  /** The base URL of the service. */
  readonly baseUrl: string
  /** A token endpoint other than the service's. */
  readonly tokenUrl?: string | undefined
  /** The algorithm where it is not the default, RS256. */
  readonly idTokenSignedResponseAlg?: string | undefined
  /** Origins that may frame the app. */
  readonly frameAncestors: readonly string[]
}

export interface AppPorts {
  readonly port: number
  /** The ports of further servers of the app by name, such as `provider`. */
  readonly ports: Readonly<Record<string, number>>
  /** The origins by placeholder: `origin.provider`. */
  readonly origins: Readonly<Record<string, string>>
}

export type Variables = Readonly<Record<string, string>>

export const buildAppEnvironment = (app: AppEnvironment): Variables => ({
  CLIENT_ID: app.clientId,
  CLIENT_SECRET: app.clientSecret,
  PUBLIC_URL: app.publicUrl,
  CHARTSIDE_BASE_URL: app.baseUrl,
  ...(app.tokenUrl === undefined ? {} : { CHARTSIDE_TOKEN_URL: app.tokenUrl }),
  ...(app.idTokenSignedResponseAlg === undefined
    ? {}
    : { ID_TOKEN_SIGNED_RESPONSE_ALG: app.idTokenSignedResponseAlg }),
  FRAME_ANCESTORS: app.frameAncestors.join(' '),
})

/** Builds the variables that a run adds when it chooses the ports. */
export const buildPortEnvironment = ({ port, ports, origins }: AppPorts): Variables => ({
  PORT: String(port),
  ...Object.fromEntries(
    Object.entries(ports).flatMap(([name, at]) => [
      [`PORT_${name.toUpperCase()}`, String(at)],
      [`PUBLIC_URL_${name.toUpperCase()}`, origins[`origin.${name}`] ?? ''],
    ]),
  ),
})

/**
 * The lines of an `.env` file, remarks first. No value is quoted: Node.js and a container both read it to
 * the end of its line, and a container would keep the quotes.
 * @throws Error for a text with a line break: it would be another setting
 */
export function formatEnvironment(variables: Variables, remarks: readonly string[] = []): string {
  const lines = [
    ...remarks.map((remark) => `# ${remark}`),
    ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
  ]
  if (lines.some((line) => /[\r\n]/.test(line))) {
    throw new Error('A setting of an app has a line break.')
  }
  return lines.join('\n')
}
