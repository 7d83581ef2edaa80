// A real PostgreSQL for tests: the server of TEST_POSTGRES_URL, or one started here from the
// binaries that npm installed, on a free loopback port, in a directory that goes away with it. Gives
// every caller a database of its own, and can take the server down and bring it back. Never
// pretends: when no server can be had, it throws and says what to do.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { relayTo } from './postgres-relay.ts'
import { launchServer } from './postgres-server.ts'

export interface TestPostgres {
  /** Creates an empty database and gives its URL. */
  freshDatabase(): Promise<string>
  /** Stops answering every connection until `bringBack`. */
  takeDown(): Promise<void>
  /** The same, without a checkpoint: it comes back through crash recovery. */
  crash(): Promise<void>
  bringBack(): Promise<void>
  /** Runs one statement as an operator would, beside the driver. */
  administer(sql: string): Promise<Record<string, unknown>[]>
  /** Drops the databases and stops what was started. Safe to call twice. */
  stop(): Promise<void>
}

/** Runs one statement with a connection of its own. */
export async function administerAt(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const newName = () => `chartside_test_${randomBytes(6).toString('hex')}`

/** C, as docs/decisions/0010 asks for: identifiers sort by their bytes on both engines. */
const createStatement = (name: string) =>
  `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** One empty database of a server that nothing takes down. */
export async function openDatabaseForTest(): Promise<{ url: string; drop(): Promise<void> }> {
  const external = process.env.TEST_POSTGRES_URL
  if (!external) {
    const postgres = await startPostgres()
    return { url: await postgres.freshDatabase(), drop: () => postgres.stop() }
  }
  const name = newName()
  await administerAt(external, createStatement(name))
  return {
    url: urlOf(external, name),
    drop: async () => {
      await administerAt(external, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

export async function startPostgres(): Promise<TestPostgres> {
  const external = process.env.TEST_POSTGRES_URL
  const server = external ? await relayTo(external) : await launchServer()
  const databases: string[] = []

  const administer = (sql: string) => administerAt(server.url, sql)

  let stopping: Promise<void> | undefined
  async function stopAll(): Promise<void> {
    try {
      if (external) {
        for (const name of databases) await administer(`DROP DATABASE ${name} WITH (FORCE)`)
      }
    } finally {
      await server.stop()
    }
  }

  try {
    await administer('SELECT 1')
  } catch (error) {
    await server.stop()
    throw new Error(
      external
        ? 'The PostgreSQL of TEST_POSTGRES_URL cannot be reached. Start it, or unset the variable to use the one from npm.'
        : 'The PostgreSQL started for the tests cannot be reached.',
      { cause: error },
    )
  }
  return {
    administer,
    async freshDatabase() {
      const name = newName()
      await administer(createStatement(name))
      databases.push(name)
      return urlOf(server.url, name)
    },
    takeDown: () => server.takeDown(),
    crash: () => server.crash(),
    bringBack: () => server.bringBack(),
    stop() {
      stopping ??= stopAll()
      return stopping
    },
  }
}
