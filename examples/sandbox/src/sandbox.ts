// Starts everything a first launch needs, in order: the service, the registration of the sample
// apps, the sample EHR, the two apps; and stops it all again. Loopback only, no network beyond it.
// Owns the order and the children, nothing of what they do. Contract §7 (`npm start`).

import { fileURLToPath } from 'node:url'
import { startSampleEhr } from '@chartside/example-sample-ehr'
import {
  SAMPLE_ADMIN_EMAIL,
  SAMPLE_EHRS,
  SAMPLE_PASSWORD,
  SAMPLE_PRACTICES,
} from '@chartside/server/sample-data'
import { type Child, startChild } from './child.ts'
import { LaunchFollower } from './launch-follower.ts'
import { formatStep, type Level, type LogEntry, parseServiceLine } from './log-lines.ts'
import { LogOrder } from './log-order.ts'
import { choosePorts, requireFree } from './ports.ts'
import { buildUrls, type Credentials, prepareSampleApps, type SandboxUrls } from './sample-apps.ts'
import { ServiceApi, waitUntilReady } from './service-api.ts'

export interface SandboxOptions {
  /** The service's port; the EHR and the apps take the three after it. 0: any free ones. */
  readonly port?: number
  readonly dataDir: string
  readonly log?: (entry: LogEntry) => void
  /** Gives up while starting; whatever had started is stopped. */
  readonly signal?: AbortSignal
  /** A process of the sandbox ended by itself. The sandbox has been stopped when this is called. */
  readonly onDeath?: (error: Error) => void
}

export interface Sandbox {
  readonly urls: SandboxUrls
  stop(): Promise<void>
}

const script = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const SERVICE = script('../../../packages/server/src/main.mjs')
const VISIT_NOTES = script('../../visit-notes/src/main.ts')
const CODING_WATCH = script('../../coding-watch/src/main.ts')

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataDir } = options
  const order = new LogOrder(options.log ?? (() => {}))
  const log = (entry: LogEntry): void => order.add(entry)
  const ports = await choosePorts(options.port ?? 4700)
  await requireFree(ports)
  const urls = buildUrls(ports)
  const running: { stop(): Promise<void> }[] = []
  const dying = new AbortController()
  let isUp = false

  const stop = async (): Promise<void> => {
    isUp = false
    // Newest first: the apps before the service that they need.
    for (const part of running.splice(0).reverse()) await part.stop()
    order.flush()
  }
  options.signal?.addEventListener('abort', () => dying.abort(options.signal?.reason))
  const die = (error: Error): void => {
    dying.abort(error)
    if (isUp) void stop().then(() => options.onDeath?.(error))
  }
  const say = (source: string, text: string, level: Level = 'info'): void =>
    log({ source, level, at: Date.now(), text, details: [] })
  const start = (child: Omit<Parameters<typeof startChild>[0], 'onDeath'>): Child => {
    const started = startChild({ ...child, onDeath: die })
    running.push(started)
    return started
  }

  try {
    let api: ServiceApi | undefined
    const follower = new LaunchFollower({
      findLaunch: async (id) => (await api?.findLaunch(id)) ?? null,
      onStep: (view, step, delta) => log(formatStep(view, step, delta)),
    })
    running.push({ stop: async () => follower.stop() })
    start({
      name: 'The service',
      script: SERVICE,
      env: serviceEnvironment(ports.service, urls, dataDir),
      explain: (line) => {
        const { entry } = parseServiceLine(line, Date.now())
        return entry.level !== 'info' || entry.text === line ? entry.text : null
      },
      onLine: (line) => {
        const { entry, launch, isDebug } = parseServiceLine(line, Date.now())
        if (launch) follower.follow(launch)
        // While it starts, only what may explain a failure is worth a line.
        else if (!isDebug && (isUp || entry.level !== 'info')) log(entry)
      },
    })
    await waitUntilReady(urls.service, dying.signal)
    api = await ServiceApi.signIn(urls.service)
    const apps = await prepareSampleApps(api, urls)

    const ehr = await startSampleEhr({
      port: ports.ehr,
      serviceUrl: urls.service,
      practices: SAMPLE_PRACTICES,
      ehrs: SAMPLE_EHRS,
      password: SAMPLE_PASSWORD,
      log: (line) => say('ehr', line),
    })
    running.push(ehr)
    const startApp = (name: string, path: string, port: number, url: string, who: Credentials) =>
      new Promise<void>((resolve, reject) => {
        dying.signal.addEventListener('abort', () => reject(dying.signal.reason))
        start({
          name,
          script: path,
          env: {
            CLIENT_ID: who.clientId,
            CLIENT_SECRET: who.clientSecret,
            PORT: String(port),
            PUBLIC_URL: url,
            CHARTSIDE_BASE_URL: urls.service,
            CHARTSIDE_TOKEN_URL: ehr.wireUrl,
            FRAME_ANCESTORS: hostOrigins(urls).join(' '),
          },
          onLine: (line) => {
            if (line.startsWith('listening ')) return resolve()
            const level = /^(failed|exchange|refused)/.test(line) ? 'warn' : 'info'
            say(name, line, level)
          },
        })
      })
    await Promise.all([
      startApp('Visit Notes', VISIT_NOTES, ports.visitNotes, urls.visitNotes, apps.visitNotes),
      startApp('Coding Watch', CODING_WATCH, ports.codingWatch, urls.codingWatch, apps.codingWatch),
    ])
    dying.signal.throwIfAborted()
    isUp = true
    return { urls, stop }
  } catch (error) {
    await stop()
    throw dying.signal.aborted ? dying.signal.reason : error
  }
}

/** The sample EHR, and a browser extension that somebody tries out against the sandbox. */
function hostOrigins(urls: SandboxUrls): string[] {
  const others = (process.env.CHARTSIDE_EXTENSION_ORIGINS ?? '').split(',')
  return [urls.ehr, ...others.map((origin) => origin.trim())].filter(Boolean)
}

function serviceEnvironment(
  port: number,
  urls: SandboxUrls,
  dataDir: string,
): Record<string, string> {
  return {
    CHARTSIDE_ENVIRONMENT: 'development',
    CHARTSIDE_HOST: '127.0.0.1',
    CHARTSIDE_PORT: String(port),
    CHARTSIDE_BASE_URL: urls.service,
    CHARTSIDE_DATA_DIR: dataDir,
    CHARTSIDE_ADMIN_EMAIL: SAMPLE_ADMIN_EMAIL,
    CHARTSIDE_ADMIN_PASSWORD: SAMPLE_PASSWORD,
    CHARTSIDE_EXTENSION_ORIGINS: hostOrigins(urls).join(','),
    // Debug lines name each launch as it is created, which is where following it begins.
    CHARTSIDE_LOG_LEVEL: 'debug',
  }
}
