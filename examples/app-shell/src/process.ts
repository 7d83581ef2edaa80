// A sample app as a process: settings from the environment, one HTTP server on this machine, a clean
// stop. But for a main.ts, nothing else in a sample app reads process.env.
// Spec §5.1 (the secret stays on the server), §5.5 (framing).
import type { Server } from 'node:http'

/** What an app is made with. */
export interface AppSettings {
  readonly clientId: string
  readonly clientSecret: string
  /** The service, as the browser and this server both reach it. */
  readonly baseUrl: string
  /** The token endpoint (spec §4.2). */
  readonly tokenUrl: string
  /** The origin under which the browser sees this app. */
  readonly publicUrl: string
  /** Origins that may frame this app: the extension's, and the sample EHR's in the sandbox. */
  readonly frameAncestors: readonly string[]
  /** Told one readable line; never holds a code, a token or a secret. */
  readonly log: (line: string) => void
}

export interface ProcessSettings extends AppSettings {
  readonly port: number
}

/**
 * @param slug the app's name in host names
 * @throws Error when the environment does not say who the app is
 */
export function loadSettings(
  slug: string,
  defaultPort: number,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ProcessSettings {
  const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = env
  if (!clientId || !clientSecret) {
    throw new Error(
      'Set CLIENT_ID and CLIENT_SECRET to those of the app registered with Chartside.',
    )
  }
  const port = Number(env.PORT ?? defaultPort)
  const baseUrl = env.CHARTSIDE_BASE_URL ?? 'http://localhost:4700'
  return {
    clientId,
    clientSecret,
    baseUrl,
    tokenUrl: env.CHARTSIDE_TOKEN_URL ?? `${baseUrl}/app-auth/token`,
    port,
    publicUrl: env.PUBLIC_URL ?? `http://${slug}.chartside.localhost:${port}`,
    frameAncestors: (env.FRAME_ANCESTORS ?? '').split(/[\s,]+/).filter(Boolean),
    log: (line) => console.log(line),
  }
}

/** Serves on loopback until the process is told to stop. */
export function listen(server: Server, { port, publicUrl, log }: ListenOptions): void {
  server.listen(port, '127.0.0.1', () => log(`listening on ${publicUrl}`))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      server.close(() => process.exit(0))
      server.closeAllConnections()
    })
  }
  // Whoever started this process with a channel wants it gone with them.
  process.once('disconnect', () => process.exit(0))
}

type ListenOptions = Pick<ProcessSettings, 'port' | 'publicUrl' | 'log'>
