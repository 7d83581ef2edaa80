// Starts everything a first launch needs: the service and the sample EHR, then the registration of
// the apps and the apps themselves; and stops it all again. Loopback only, no network beyond it.
// Owns the order and the children, nothing of what they do. Contract §7 (`npm start`).
import { fileURLToPath } from 'node:url'
import { startSampleEhr } from '@chartside/example-sample-ehr'
import { SAMPLE_EHRS, SAMPLE_PASSWORD, SAMPLE_PRACTICES } from '@chartside/server/sample-data'
import { type Child, startChild } from './child.ts'
import { chooseApps, keepChosen } from './chosen-apps.ts'
import { publishApps } from './collection.ts'
import { LaunchFollower } from './launch-follower.ts'
import { formatStep, type Level, type LogEntry, parseServiceLine } from './log-lines.ts'
import { LogOrder } from './log-order.ts'
import { choosePlaces, type Places, requireFree } from './places.ts'
import { type RegisteredApp, registerApps } from './registration.ts'
import { ServiceApi, waitUntilReady } from './service-api.ts'
import { buildServiceEnvironment, listHostOrigins } from './service-environment.ts'
import { buildAppEnvironment, chooseProgram, waitForPort } from './start-app.ts'

export interface SandboxOptions {
  /** The service's port; the EHR and the apps take those after it. 0: any free ones. */
  readonly port?: number
  readonly dataDir: string
  /** Directories of apps beside the samples, each with a chartside.app.json. */
  readonly apps?: readonly string[]
  /** Names of the sample apps to start; null: all. */
  readonly only?: readonly string[] | null
  readonly log?: (entry: LogEntry) => void
  /** Gives up while starting; whatever had started is stopped. */
  readonly signal?: AbortSignal
  /** A process of the sandbox ended by itself. The sandbox has been stopped when this is called. */
  readonly onDeath?: (error: Error) => void
}

export interface Sandbox {
  readonly places: Places
  /** The origin of an app that runs, by its name in host names, such as `visit-notes`. */
  appUrl(slug: string): string
  stop(): Promise<void>
}

const SERVICE = fileURLToPath(new URL('../../../packages/server/src/main.mjs', import.meta.url))

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataDir } = options
  const order = new LogOrder(options.log ?? (() => {}))
  const log = (entry: LogEntry): void => order.add(entry)
  const chosen = await chooseApps(options.only ?? null, options.apps ?? [])
  const places = keepChosen(await choosePlaces(options.port ?? 4700, chosen.manifests), chosen)
  await requireFree(places)
  const { service, ehr: ehrPlace } = places
  const running: { stop(): Promise<void> }[] = []
  const dying = new AbortController()
  let isUp = false

  const stop = async (): Promise<void> => {
    isUp = false
    const [first, ...others] = running.splice(0)
    // The service last: the apps need it.
    await Promise.all(others.map((part) => part.stop()))
    await first?.stop()
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

  const startService = async (): Promise<ServiceApi> => {
    let api: ServiceApi | undefined
    const follower = new LaunchFollower({
      findLaunch: async (id) => (await api?.findLaunch(id)) ?? null,
      onStep: (view, step, delta) => log(formatStep(view, step, delta)),
    })
    start({
      name: 'The service',
      program: { script: [SERVICE] },
      env: buildServiceEnvironment(places, dataDir),
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
    running.push({ stop: async () => follower.stop() })
    await waitUntilReady(service.url, dying.signal)
    api = await ServiceApi.signIn(service.url)
    return api
  }

  const startEhr = async () => {
    const ehr = await startSampleEhr({
      port: ehrPlace.port,
      serviceUrl: service.url,
      practices: SAMPLE_PRACTICES,
      ehrs: SAMPLE_EHRS,
      password: SAMPLE_PASSWORD,
      log: (line) => say('ehr', line),
    })
    running.push(ehr)
    return ehr
  }

  const startApp = async (app: RegisteredApp, tokenUrl: string): Promise<void> => {
    const { manifest, port } = app.place
    const { name } = manifest.registration
    const surroundings = {
      serviceUrl: service.url,
      tokenUrl,
      frameAncestors: listHostOrigins(places),
    }
    start({
      name,
      program: await chooseProgram(manifest.directory, manifest.start),
      directory: manifest.directory,
      env: buildAppEnvironment(app, surroundings),
      onLine: (line) => {
        if (line.startsWith('listening ')) return
        say(name, line, /^(failed|exchange|refused)/.test(line) ? 'warn' : 'info')
      },
    })
    await waitForPort(name, port, dying.signal)
  }

  try {
    // Side by side; a service that does not come up must not leave the EHR behind.
    const ehr = startEhr()
    const api = await startService().finally(() => ehr.catch(() => undefined))
    const { wireUrl } = await ehr
    const registrations = await registerApps(api, places.apps, chosen.examples)
    await Promise.all([
      publishApps(api, registrations),
      ...registrations.apps.map((app) => startApp(app, wireUrl)),
    ])
    dying.signal.throwIfAborted()
    isUp = true
    return { places, appUrl: (slug) => findAppUrl(places, slug), stop }
  } catch (error) {
    await stop()
    throw dying.signal.aborted ? dying.signal.reason : error
  }
}

function findAppUrl({ apps }: Places, slug: string): string {
  const url = apps.find(({ manifest }) => manifest.slug === slug)?.origins.origin
  if (url) return url
  throw new Error(`No app called ${slug} runs in this sandbox.`)
}
