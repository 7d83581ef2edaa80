// What an app of a run is started with: its command, its packages, and its settings in the
// environment. Owns no process; app-process.ts does. Spec §5.1 (the secret goes to the app's server
// only).
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildAppEnvironment, buildPortEnvironment } from '@chartside/protocol/app-environment'
import type { Manifest } from '@chartside/protocol/app-manifest'
import { installPackages, listMissingPackages } from './app-packages.ts'
import { type AppChange, AppProcess } from './app-process.ts'
import type { Program } from './child.ts'
import { COMPILE_CACHE } from './installation.ts'
import { type Level, type LogEntry, parseAppLine } from './log-lines.ts'
import type { RegisteredApp } from './registration.ts'

/** The environment that all apps of a run have in common. */
export interface RunEnvironment {
  readonly baseUrl: string
  /** The address to which the apps send their exchanges. */
  readonly tokenUrl: string
  /** Origins that may frame the apps. */
  readonly frameAncestors: readonly string[]
}

/** Its own development server serves its pages: Vite's, or that of Next.js. */
export const isDevelopment = ({ place }: RegisteredApp): boolean =>
  place.manifest.hotReload.length > 0

const environmentOf = (app: RegisteredApp, run: RunEnvironment): Record<string, string> => ({
  ...buildAppEnvironment({
    ...run,
    ...{ clientId: app.clientId, clientSecret: app.clientSecret },
    publicUrl: app.place.origins.origin ?? '',
  }),
  ...buildPortEnvironment(app.place),
  ...(isDevelopment(app) ? { CHARTSIDE_DEVELOPMENT: '1' } : {}),
  // Halves the time of every start but the first.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? COMPILE_CACHE,
})

/** A start script that only calls node runs without npm, which saves time and memory. */
export async function chooseProgram(directory: string, start: string): Promise<Program> {
  let command = start
  if (start === 'npm start') {
    const text = await readFile(join(directory, 'package.json'), 'utf8').catch(() => '{}')
    const { scripts } = JSON.parse(text) as { scripts?: { start?: string } }
    command = scripts?.start ?? start
  }
  const [program, ...script] = command.split(' ')
  const isPlain = program === 'node' && script.length > 0 && /^[\w ./@:=-]+$/.test(command)
  return isPlain ? { script } : { command: start }
}

/** The program of an app whose packages are there; installs them when they are not. */
export async function prepareApp(
  { directory, start }: Pick<Manifest, 'directory' | 'start'>,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<Program> {
  const missing = await listMissingPackages(directory)
  if (missing.length > 0) {
    say(`lacks ${missing.join(', ')}: installing its packages (npm install)`)
    const startedAt = performance.now()
    await installPackages(directory, missing, signal)
    say(`packages installed in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  }
  return chooseProgram(directory, start)
}

export function createAppProcess(
  app: RegisteredApp,
  environment: RunEnvironment,
  log: (entry: LogEntry) => void,
  onChange: (change: AppChange) => void,
): AppProcess {
  const { manifest, port } = app.place
  const { name } = manifest.registration
  const say = (level: Level, text: string, details: readonly string[] = []) =>
    log({ source: name, level, at: Date.now(), text, details })
  return new AppProcess({
    name,
    port,
    directory: manifest.directory,
    env: environmentOf(app, environment),
    watch: manifest.watch,
    hotReload: manifest.hotReload,
    prepare: (signal) => prepareApp(manifest, (text) => say('info', text), signal),
    onLine: (line) => {
      const entry = parseAppLine(name, line, Date.now())
      if (entry) log(entry)
    },
    say,
    onChange,
  })
}
