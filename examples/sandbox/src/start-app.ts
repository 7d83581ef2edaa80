// Starts one app of a run as a process: chooses the command, passes its settings by the
// environment, and waits until its port answers. Owns no process; process-group.ts does. Spec §5.1
// (the secret goes to the app's server only).
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Program } from './child.ts'
import type { ProcessGroup } from './process-group.ts'
import type { RegisteredApp } from './registration.ts'

export interface AppEnvironment {
  readonly serviceUrl: string
  /** Where the apps send their exchanges. */
  readonly tokenUrl: string
  /** Origins that may frame the apps. */
  readonly frameAncestors: readonly string[]
}

/** The service uses it too. */
const COMPILE_CACHE = fileURLToPath(
  new URL('../../../node_modules/.cache/compile', import.meta.url),
)

export function buildAppEnvironment(
  { clientId, clientSecret, place }: RegisteredApp,
  { serviceUrl, tokenUrl, frameAncestors }: AppEnvironment,
): Record<string, string> {
  const further = Object.entries(place.ports).flatMap(([name, port]) => [
    [`PORT_${name.toUpperCase()}`, String(port)],
    [`PUBLIC_URL_${name.toUpperCase()}`, place.origins[`origin.${name}`] ?? ''],
  ])
  return {
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    PORT: String(place.port),
    PUBLIC_URL: place.origins.origin ?? '',
    ...Object.fromEntries(further),
    CHARTSIDE_BASE_URL: serviceUrl,
    CHARTSIDE_TOKEN_URL: tokenUrl,
    FRAME_ANCESTORS: frameAncestors.join(' '),
    // Halves the time of every start but the first.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? COMPILE_CACHE,
  }
}

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

export async function startApp(
  app: RegisteredApp,
  environment: AppEnvironment,
  processes: ProcessGroup,
  onLine: (line: string) => void,
): Promise<void> {
  const { manifest, port } = app.place
  const { name } = manifest.registration
  processes.start({
    name,
    program: await chooseProgram(manifest.directory, manifest.start),
    directory: manifest.directory,
    env: buildAppEnvironment(app, environment),
    onLine,
  })
  await waitForPort(name, port, processes.signal)
}

const READY_TIMEOUT_MS = 30_000

/** @throws Error when nothing listens there in time, or the reason of `signal`. */
export async function waitForPort(name: string, port: number, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadline) {
    signal.throwIfAborted()
    if (await answers(port)) return
    await wait(30)
  }
  throw new Error(
    `${name} runs, but nothing listens on port ${port} after ${READY_TIMEOUT_MS / 1000} s. Have it listen on the port that the variable PORT names.`,
  )
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: 'localhost' })
    const settle = (isOpen: boolean) => () => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', settle(true)).once('error', settle(false))
  })
}
