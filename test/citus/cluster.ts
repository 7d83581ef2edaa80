// A Citus on this machine: a coordinator, two workers, and a standby of the second worker that it streams to
// synchronously. The second worker can be killed, and its standby promoted in its place. From the programs of a
// PostgreSQL that has the extension; packages of no registry bring it.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { migrateAndDivide } from '../../packages/server/test/divided-database.ts'
import { freePort } from '../../packages/server/test/free-port.ts'
import { administerAt } from '../../packages/server/test/postgres.ts'
import { waitForReplica } from '../../packages/server/test/postgres-pair.ts'
import {
  initialise,
  inWorkplace,
  type ServerProcess,
  startServer,
  type Workplace,
} from '../../packages/server/test/postgres-process.ts'

export interface CitusCluster {
  /** Of the coordinator. */
  readonly url: string
  /** Whether the rows of this part lie on the second worker. */
  isOnSecond(part: number): Promise<boolean>
  /** Ends every process of the second worker at once. */
  killWorker(): Promise<void>
  /** As docs/operate/failures.md says: the standby is promoted, and Citus gets its address. */
  promoteStandby(): Promise<void>
  stop(): Promise<void>
}

const NAMES = ['coordinator', 'first', 'second'] as const
const SETTINGS = {
  shared_preload_libraries: 'citus',
  'citus.node_conninfo': 'sslmode=prefer',
  // What was committed while the worker died is seen so soon after (docs/operate/failures.md).
  'citus.recover_2pc_interval': '1s',
}

/** `bin`: where `initdb` and `postgres` are. */
export const launchCitus = (bin: string): Promise<CitusCluster> => inWorkplace(launchIn, bin)

async function launchIn(
  place: Workplace,
  running: Set<ServerProcess>,
): Promise<Omit<CitusCluster, 'stop'>> {
  const made = join(place.directory, 'made')
  const password = await initialise(place, made)
  // The servers sign in to each other with it.
  const withPassword = { ...place.options.env, PGPASSWORD: password }
  const inside: Workplace = { ...place, options: { ...place.options, env: withPassword } }
  const folderOf = (name: string) => join(place.directory, name)
  for (const name of [...NAMES, 'standby']) {
    await promisify(execFile)('cp', ['-R', made, folderOf(name)], place.options)
  }
  const ports: Record<string, number> = { standby: await freePort() }
  const start = async (name: string, settings: Readonly<Record<string, string>> = {}) => {
    ports[name] ??= await freePort()
    const all = { ...SETTINGS, ...settings }
    const server = await startServer(inside, folderOf(name), ports[name], all)
    running.add(server)
    return server
  }
  const urlOf = (name: string, database: string) =>
    `postgres://postgres:${password}@127.0.0.1:${ports[name]}/${database}`

  await start('coordinator')
  await start('first')
  const second = await start('second', { synchronous_standby_names: '*' })
  await writeFile(join(folderOf('standby'), 'standby.signal'), '')
  const source = `host=127.0.0.1 port=${ports.second} user=postgres password=${password}`
  await start('standby', { primary_conninfo: source })
  await waitForReplica(urlOf('second', 'postgres'))

  for (const name of NAMES) {
    const create = `CREATE DATABASE chartside TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`
    await administerAt(urlOf(name, 'postgres'), create)
    await administerAt(urlOf(name, 'chartside'), 'CREATE EXTENSION citus')
  }
  const url = urlOf('coordinator', 'chartside')
  await administerAt(
    url,
    `SELECT citus_set_coordinator_host('127.0.0.1', ${ports.coordinator});
     SELECT citus_add_node('127.0.0.1', ${ports.first});
     SELECT citus_add_node('127.0.0.1', ${ports.second})`,
  )
  return {
    url,
    async isOnSecond(part) {
      const [one] = await administerAt(
        url,
        `SELECT n.nodeport FROM pg_dist_placement p JOIN pg_dist_node n ON n.groupid = p.groupid
         WHERE p.shardid = get_shard_id_for_distribution_column('launches', ${part})`,
      )
      return one?.nodeport === ports.second
    },
    killWorker: () => second.end('SIGQUIT'),
    async promoteStandby() {
      await administerAt(urlOf('standby', 'postgres'), 'SELECT pg_promote()')
      await administerAt(
        url,
        `SELECT citus_update_node(nodeid, '127.0.0.1', ${ports.standby})
         FROM pg_dist_node WHERE nodeport = ${ports.second}`,
      )
    },
  }
}

export const divideTables = (url: string): Promise<string[]> =>
  migrateAndDivide(url, { kind: 'citus' })
