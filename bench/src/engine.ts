// The database under a measured service: the embedded one, or a PostgreSQL with its defaults and
// fsync, started for the run on the same machine. Owns no measurement.
import { launchServer } from '../../packages/server/test/postgres-server.ts'
import { parentOf } from './machine.ts'
import type { Engine } from './options.ts'

export interface StartedEngine {
  /** A new, empty database; '' for the embedded one in the service's data directory. */
  freshDatabase(): Promise<string>
  /** The process whose children serve the connections; undefined for the embedded database. */
  readonly pid: number | undefined
  stop(): Promise<void>
}

export async function startEngine(engine: Engine): Promise<StartedEngine> {
  if (engine === 'sqlite')
    return { freshDatabase: async () => '', pid: undefined, stop: async () => {} }
  const { default: pg } = await import('pg')
  const server = await launchServer()
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  const pid = process.platform === 'linux' ? parentOf(rows[0]?.pid) : undefined
  await client.end()
  let count = 0
  return {
    pid,
    async freshDatabase() {
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      const name = `bench_${++count}`
      await client.query(`CREATE DATABASE ${name}`)
      await client.end()
      return server.url.replace(/postgres$/, name)
    },
    stop: () => server.stop(),
  }
}
