// Runs the real service as a child process on a free port and a data directory of its own: start,
// wait until ready, everything it printed, end by pid. What is measured or killed here is what an
// operator runs. Owns no request but the ready probe; the verbs are in story-verbs.ts.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { copyDataOfStart } from './copied-data.ts'

export const ENTRY = fileURLToPath(new URL('../../packages/server/src/main.mjs', import.meta.url))
export const ADMIN = { email: 'admin@process.example', password: 'a-long-admin-passphrase-4242' }

/** As `npm run serve` starts it (scripts/run.mjs). */
export const SERVICE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  '--heap-growing-percent=40',
]

const READY_WITHIN_MS = 20_000
/** A request that finds no listener costs a millisecond of a processor, of which a start has few to spare. */
const POLL_EVERY_MS = 25

export interface StartOptions {
  /** Kept between starts; without it a temporary one is made and removed by `discard`. */
  readonly dataDir?: string
  /** On data that a start with the default settings has left: for a test to which the first start is not the subject. */
  readonly isStartedBefore?: true
  readonly port?: number
  readonly environment?: Readonly<Record<string, string>>
  /** What answers 200 when the start is complete. */
  readonly readyPath?: string
  /** Put before the command, such as `taskset -c 0`. */
  readonly prefix?: readonly string[]
  readonly nodeFlags?: readonly string[]
  /** In place of Node.js with the source of the service. */
  readonly command?: readonly string[]
  readonly cwd?: string
  /** File descriptor that takes what the service prints; without it `output` has it. */
  readonly stdout?: number
}

export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface ServiceProcess {
  readonly baseUrl: string
  readonly port: number
  readonly pid: number
  readonly dataDir: string
  /** Milliseconds from spawn to the first successful GET /health/ready. */
  readonly readyAfterMs: number
  /** Everything printed so far, both streams. */
  output(): string
  end(signal?: NodeJS.Signals): Promise<Ending>
  /** Ends it when it still runs and removes a temporary data directory. */
  discard(): Promise<void>
}

/** The service's process before anything is known of its health. */
export async function spawnService(options: StartOptions = {}) {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'chartside-process-'))
  if (options.isStartedBefore) await copyDataOfStart('process-data', dataDir, startOnce)
  const port = options.port ?? (await findFreePort())
  const flags = [...SERVICE_FLAGS, ...(options.nodeFlags ?? [])]
  const started = options.command ?? [process.execPath, ...flags, ENTRY]
  const command = [...(options.prefix ?? []), ...started]
  const startedAt = performance.now()
  const child = spawn(command[0] ?? '', command.slice(1), {
    ...(options.cwd ? { cwd: options.cwd } : {}),
    stdio: ['ignore', options.stdout ?? 'pipe', 'pipe'],
    env: {
      ...environmentWithoutSettings(),
      MALLOC_MMAP_THRESHOLD_: '1048576',
      MALLOC_TRIM_THRESHOLD_: '8388608',
      MALLOC_ARENA_MAX: '1',
      CHARTSIDE_DATA_DIR: dataDir,
      CHARTSIDE_PORT: String(port),
      CHARTSIDE_DRAIN_SECONDS: '0',
      CHARTSIDE_ADMIN_EMAIL: ADMIN.email,
      CHARTSIDE_ADMIN_PASSWORD: ADMIN.password,
      ...options.environment,
    },
  })
  // Whatever becomes of this process, it leaves no service behind.
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  child.once('exit', () => process.off('exit', killNow))
  const printed: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => printed.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => printed.push(chunk))
  const ended: Promise<Ending> = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  const output = () => Buffer.concat(printed).toString()
  return { child, dataDir, port, startedAt, ended, output }
}

async function startOnce(dataDir: string): Promise<void> {
  const service = await startService({ dataDir })
  await service.end()
}

/** Starts the service and waits until it is ready. @throws with what it printed when it is not. */
export async function startService(options: StartOptions = {}): Promise<ServiceProcess> {
  const { child, dataDir, port, startedAt, ended, output } = await spawnService(options)
  const baseUrl = `http://127.0.0.1:${port}`
  const discard = async () => {
    if (isRunning(child)) child.kill('SIGKILL')
    await ended
    if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true })
  }
  while (!(await isReady(baseUrl + (options.readyPath ?? '/health/ready')))) {
    if (!isRunning(child) || performance.now() - startedAt > READY_WITHIN_MS) {
      await discard()
      throw new Error(`the service did not become ready; it printed:\n${output()}`)
    }
    await sleep(POLL_EVERY_MS)
  }
  const readyAfterMs = performance.now() - startedAt
  return {
    baseUrl,
    port,
    pid: child.pid ?? 0,
    dataDir,
    readyAfterMs,
    output,
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
    discard,
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url)
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

/** What the machine has set for a service of its own must not reach the one under test. */
export function environmentWithoutSettings(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter((name) => !name.startsWith('CHARTSIDE_'))
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}

/** The first of so many free ports in a row. */
export async function findFreePorts(count: number): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const first = await findFreePort()
    const others = Array.from({ length: count - 1 }, (_, index) => first + 1 + index)
    if ((await Promise.all(others.map(isFree))).every(Boolean)) return first
  }
  throw new Error(`no ${count} free ports in a row`)
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('no free port')
  return address.port
}

/** Resident memory of a process in MB (Linux), or undefined elsewhere. */
export function residentMegabytes(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}
