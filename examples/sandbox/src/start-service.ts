// Starts the service of a run as a process, turns its log into lines for a person, and signs in as
// the sample administrator. Owns nothing of the service itself.
import type { Administrator } from './administrator.ts'
import { findService } from './installation.ts'
import { LaunchFollower } from './launch-follower.ts'
import { formatState, formatStep, type LogEntry, parseServiceLine } from './log-lines.ts'
import type { Places } from './places.ts'
import type { ProcessGroup } from './process-group.ts'
import { ServiceApi, waitUntilReady } from './service-api.ts'
import { buildServiceEnvironment } from './service-environment.ts'

interface StartServiceOptions {
  readonly processes: ProcessGroup
  readonly places: Places
  readonly dataDir: string
  readonly administrator: Administrator
  readonly settings: Readonly<Record<string, string>>
  readonly log: (entry: LogEntry) => void
  readonly onServiceLine: ((line: string) => void) | undefined
  /** Launches are looked up only for someone who reads their steps. */
  readonly isWatched: boolean
}

/** @throws Error when the service is not ready in time, or the reason of the group's signal */
export async function startService(options: StartServiceOptions): Promise<ServiceApi> {
  const { processes, places, dataDir, administrator, settings, log, isWatched } = options
  let api: ServiceApi | undefined
  const follower = new LaunchFollower({
    findLaunch: async (id) => (await api?.findLaunch(id)) ?? null,
    onStep: (view, step) => log(formatStep(view, step)),
    onState: (view, state) => log(formatState(view, state)),
  })
  processes.start({
    name: 'The service',
    program: { script: findService() },
    env: { ...buildServiceEnvironment(places, dataDir, administrator), ...settings },
    explain: (line) => {
      const { entry } = parseServiceLine(line, Date.now())
      return entry.level !== 'info' || entry.text === line ? entry.text : null
    },
    onLine: (line) => {
      options.onServiceLine?.(line)
      const { entry, launch, isDebug } = parseServiceLine(line, Date.now())
      if (launch) {
        if (isWatched) follower.follow(launch)
        return
      }
      // During the start only warnings and errors are shown.
      if (!isDebug && (processes.isUp || entry.level !== 'info')) log(entry)
    },
  })
  processes.add({ stop: async () => follower.stop() })
  await waitUntilReady(places.service.url, processes.signal)
  api = await ServiceApi.signIn(places.service.url, administrator)
  return api
}
