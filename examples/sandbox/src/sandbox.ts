// Starts everything that a first launch needs: the service and the sample EHR, then the
// registration of the apps and the apps themselves; stops all of it. Loopback only. Owns the order,
// not the parts. Contract §7 (`npm start`).
import { type RunningEhr, startSampleEhr } from '@chartside/example-sample-ehr'
import { SAMPLE_EHRS, SAMPLE_PASSWORD, SAMPLE_PRACTICES } from '@chartside/server/sample-data'
import { addApp } from './added-app.ts'
import { type Administrator, loadAdministrator } from './administrator.ts'
import { type ChosenApps, chooseApps, keepChosen } from './chosen-apps.ts'
import { publishApps } from './collection.ts'
import { FaultStudio } from './fault-studio.ts'
import { loadAssets } from './installation.ts'
import type { LogEntry } from './log-lines.ts'
import { LogOrder } from './log-order.ts'
import { choosePlaces, type Places, requireFreePorts } from './places.ts'
import { ProcessGroup } from './process-group.ts'
import { fillRealSize } from './real-size.ts'
import { registerApps } from './registration.ts'
import type { ServiceApi } from './service-api.ts'
import { listHostOrigins } from './service-environment.ts'
import { createAppProcess, isDevelopment, type RunEnvironment } from './start-app.ts'
import { startService } from './start-service.ts'

export interface SandboxOptions {
  /** The service's port; the EHR and the apps use the ports after it. 0: any free ports. */
  readonly port?: number
  readonly dataDir: string
  /** Directories of apps beside the samples, each with a chartside.app.json. */
  readonly apps?: readonly string[]
  /** Names of the sample apps to start; null: all. */
  readonly only?: readonly string[] | null
  /** The number of launches, with what is around them, that fill the new database first; null: only the samples. */
  readonly realSize?: number | null
  readonly log?: (entry: LogEntry) => void
  /** Each line of the service's log as it is written. */
  readonly onServiceLine?: ((line: string) => void) | undefined
  /** The further settings of the service, such as short lifetimes for a test. */
  readonly settings?: Readonly<Record<string, string>>
  /** Gives up during the start; the parts that run are stopped. */
  readonly signal?: AbortSignal
  /** The service exited by itself. The sandbox has been stopped. */
  readonly onExit?: (error: Error) => void
}

export interface Sandbox {
  readonly places: Places
  readonly administrator: Administrator
  /** The origin of an app that runs, by its name in host names, such as `visit-notes`. */
  appUrl(slug: string): string
  stop(): Promise<void>
}

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { only = null, apps = [], port = 4700, log, signal, onExit } = options
  const chosen = await chooseApps(only, apps)
  const places = keepChosen(await choosePlaces(port, chosen.manifests), chosen)
  await requireFreePorts(places)
  const administrator = await loadAdministrator(options.dataDir)
  const order = new LogOrder(log ?? (() => {}))
  const processes = new ProcessGroup(signal, (error) => {
    order.flush()
    onExit?.(error)
  })
  const stop = async (): Promise<void> => {
    await processes.stop()
    order.flush()
  }
  const run: Run = {
    processes,
    places,
    dataDir: options.dataDir,
    administrator,
    settings: options.settings ?? {},
    realSize: options.realSize ?? null,
    log: (entry) => order.add(entry),
    isWatched: log !== undefined,
    onServiceLine: options.onServiceLine,
  }
  try {
    await startParts(run, chosen)
    return { places, administrator, appUrl: (slug) => findAppUrl(places, slug), stop }
  } catch (error) {
    await stop()
    throw processes.signal.aborted ? processes.signal.reason : error
  }
}

interface Run {
  readonly processes: ProcessGroup
  readonly places: Places
  readonly dataDir: string
  readonly administrator: Administrator
  readonly settings: Readonly<Record<string, string>>
  readonly realSize: number | null
  readonly log: (entry: LogEntry) => void
  readonly onServiceLine: SandboxOptions['onServiceLine']
  /** Whether anything takes the lines. */
  readonly isWatched: boolean
}

async function startParts(run: Run, { examples }: ChosenApps): Promise<void> {
  const { processes, places, log, realSize } = run
  if (realSize !== null) await fillRealSize(run, realSize)
  const { promise: ready, resolve: setReady } = Promise.withResolvers<ServiceApi>()
  // In parallel; when the service fails, the EHR is waited for, so that it can be stopped.
  const starting = startEhr(run, ready)
  const api = await startService(run).finally(() => starting.catch(() => undefined))
  setReady(api)
  const ehr = await starting
  const registrations = await registerApps(api, places.apps, examples)
  const environment = environmentOf(places, ehr.tokenProxyUrl)
  await Promise.all([
    publishApps(api, registrations),
    ...registrations.apps.map((app) => {
      const started = createAppProcess(app, environment, log, (change) =>
        ehr.publish({ appId: app.id, isDevelopment: isDevelopment(app), ...change }),
      )
      processes.add(started)
      return started.start()
    }),
  ])
  processes.markUp()
}

async function startEhr(
  { processes, places, log }: Run,
  ready: Promise<ServiceApi>,
): Promise<RunningEhr> {
  const { port, url } = places.ehr
  const say = (text: string): void =>
    log({ source: 'ehr', level: 'info', at: Date.now(), text, details: [] })
  const studio = new FaultStudio(places.apps, say)
  processes.add({ stop: () => studio.end() })
  const ehr: RunningEhr = await startSampleEhr({
    port,
    url,
    serviceUrl: places.service.url,
    assets: await loadAssets(),
    practices: SAMPLE_PRACTICES,
    ehrs: SAMPLE_EHRS,
    password: SAMPLE_PASSWORD,
    sandbox: {
      findSession: async (launch) => (await (await ready).findLaunch(launch))?.sessionId ?? null,
      addApp: async (app) => addApp(await ready, app, environmentOf(places, ehr.tokenProxyUrl)),
    },
    studio,
    log: say,
  })
  processes.add(ehr)
  return ehr
}

const environmentOf = (places: Places, tokenUrl: string): RunEnvironment => ({
  baseUrl: places.service.url,
  tokenUrl,
  frameAncestors: listHostOrigins(places),
})

function findAppUrl({ apps }: Places, slug: string): string {
  const url = apps.find(({ manifest }) => manifest.slug === slug)?.origins.origin
  if (url) return url
  throw new Error(`No app called ${slug} runs in this sandbox.`)
}
