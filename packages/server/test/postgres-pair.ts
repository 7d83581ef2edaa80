// Two PostgreSQL servers for tests: a primary and its streaming replica, so that a commit is
// acknowledged only when both have it (synchronous_standby_names). The primary can be killed, as by
// a power cut, and the replica promoted. Always from the binaries that npm installed.
// PostgreSQL manual, "File System Level Backup", "Streaming Replication", "Synchronous Replication".
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { administerAt } from './postgres.ts'
import {
  initialise,
  inWorkplace,
  type ServerProcess,
  startServer,
  type Workplace,
} from './postgres-process.ts'

export interface PostgresPair {
  /** A new, empty database on both: one URL that names both hosts, the primary first. */
  freshDatabase(): Promise<string>
  /** Of the maintenance database of either server. */
  readonly primaryUrl: string
  readonly replicaUrl: string
  /** Ends every process of the primary with SIGKILL; it does not come back. */
  killPrimary(): Promise<void>
  /** Without its replica the primary acknowledges no commit. */
  takeReplicaDown(): Promise<void>
  bringReplicaBack(): Promise<void>
  /** Makes the replica take writes, after everything it had received. */
  promoteReplica(): Promise<void>
  stop(): Promise<void>
}

const STREAMING_MS = 20_000

export const launchPair = (): Promise<PostgresPair> => inWorkplace(launchIn)

async function launchIn(
  place: Workplace,
  running: Set<ServerProcess>,
): Promise<Omit<PostgresPair, 'stop'>> {
  const data = join(place.directory, 'primary')
  const copy = join(place.directory, 'replica')
  const password = await initialise(place, data)
  // A server that is not running is its own base backup.
  await promisify(execFile)('cp', ['-R', data, copy], place.options)
  await writeFile(join(copy, 'standby.signal'), '')

  const ports = { primary: await freePort(), replica: await freePort() }
  const urlOf = (hosts: string) => `postgres://postgres:${password}@${hosts}/postgres`
  const [primaryHost, replicaHost] = [`127.0.0.1:${ports.primary}`, `127.0.0.1:${ports.replica}`]
  const [primaryUrl, replicaUrl] = [urlOf(primaryHost), urlOf(replicaHost)]
  const primary = await startServer(place, data, ports.primary, { synchronous_standby_names: '*' })
  running.add(primary)
  const source = `host=127.0.0.1 port=${ports.primary} user=postgres password=${password}`
  let replica: ServerProcess
  async function startReplica(): Promise<void> {
    replica = await startServer(place, copy, ports.replica, { primary_conninfo: source })
    running.add(replica)
    await waitForReplica(primaryUrl)
  }
  await startReplica()

  let databases = 0
  return {
    primaryUrl,
    replicaUrl,
    async freshDatabase() {
      const name = `chartside_test_${++databases}`
      // There for who asks the replica too, not only safe on its disk.
      const applied = new URL(primaryUrl)
      applied.searchParams.set('options', '-c synchronous_commit=remote_apply')
      await administerAt(
        applied.href,
        `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`,
      )
      return urlOf(`${primaryHost},${replicaHost}`).replace(/\/postgres$/, `/${name}`)
    },
    async killPrimary() {
      const all = await listProcesses()
      const children = new Set(all.flatMap((one) => (one.parent === primary.pid ? one.pid : [])))
      const gone = primary.end('SIGKILL')
      children.forEach(killNow)
      await gone
      // A zombie has closed its connections; when it is reaped is not up to us.
      const isAlive = (one: (typeof all)[number]) => children.has(one.pid) && !one.isZombie
      while ((await listProcesses()).some(isAlive)) await sleep(10)
    },
    takeReplicaDown: () => replica.end(),
    bringReplicaBack: startReplica,
    async promoteReplica() {
      await administerAt(replicaUrl, 'SELECT pg_promote()')
    },
  }
}

/** Until a replica streams from the server synchronously. */
export async function waitForReplica(primaryUrl: string): Promise<void> {
  for (let waited = 0; waited < STREAMING_MS; waited += 50) {
    const replicas = await administerAt(primaryUrl, 'SELECT sync_state FROM pg_stat_replication')
    if (replicas.some(({ sync_state }) => sync_state === 'sync')) return
    await sleep(50)
  }
  throw new Error('the replica did not begin to stream from the primary')
}

async function listProcesses(): Promise<{ pid: number; parent: number; isZombie: boolean }[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat='])
  return stdout.split('\n').map((line) => {
    const [pid, parent, state = ''] = line.trim().split(/\s+/)
    return { pid: Number(pid), parent: Number(parent), isZombie: state.startsWith('Z') }
  })
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It noticed by itself that its parent is gone.
  }
}
