// A real PostgreSQL for tests: the server of TEST_POSTGRES_URL, or one started here from the
// binaries that npm installed, on a free loopback port, in a directory that goes away with it. Gives
// every caller a database of its own, and can take the server down and bring it back. Never
// pretends: when no server can be had, it throws and says what to do.
import { hash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { PARTITIONED_TABLES } from '../src/db/migrations/layout.ts'
import { MIGRATIONS } from '../src/db/migrations/migrations.ts'
import { migrateAndDivide } from './divided-database.ts'
import { relayTo } from './postgres-relay.ts'
import { launchServer } from './postgres-server.ts'

export interface TestPostgres {
  /** Creates an empty database and gives its URL. */
  freshDatabase(): Promise<string>
  /** The same with the schema of the service, its tables in hash partitions. */
  freshDividedDatabase(): Promise<string>
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

/** C, as docs/inside/decisions/0010 asks for: identifiers sort by their bytes on both engines. */
const createStatement = (name: string) =>
  `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** One database of a server that nothing takes down, with divided tables and no rows. */
export async function openDatabaseForTest(): Promise<{ url: string; drop(): Promise<void> }> {
  const external = process.env.TEST_POSTGRES_URL
  if (!external) {
    const postgres = await startPostgres()
    return { url: await postgres.freshDividedDatabase(), drop: () => postgres.stop() }
  }
  const name = newName()
  await copyDivided(external, name)
  return {
    url: urlOf(external, name),
    drop: async () => {
      await administerAt(external, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

/** Rows of one story lie in both: each more costs every copy and every plan. */
const PARTITIONS = 2
const SCHEMA = JSON.stringify([MIGRATIONS, PARTITIONED_TABLES, PARTITIONS])
/** One for each schema: a server that is kept has those of earlier ones too. */
const DIVIDED = `chartside_divided_${hash('sha256', SCHEMA, 'hex').slice(0, 12)}`

/** Copies the divided schema, which is made once in each server: partitions are hundreds of files. */
async function copyDivided(serverUrl: string, name: string): Promise<void> {
  // Files are copied with half the processor time of pages through the log.
  const statement = `CREATE DATABASE ${name} TEMPLATE ${DIVIDED} STRATEGY FILE_COPY`
  const copy = () => administerAt(serverUrl, statement)
  try {
    await copy()
  } catch (error) {
    if ((error as { code?: string }).code !== '3D000') throw error
    await makeDivided(serverUrl)
    await copy()
  }
}

/** Under another name first, so that no process copies half of it. */
async function makeDivided(serverUrl: string): Promise<void> {
  const draft = newName()
  await administerAt(serverUrl, createStatement(draft))
  const url = urlOf(serverUrl, draft)
  await migrateAndDivide(url, { kind: 'hash', partitions: PARTITIONS }, () => 1)
  try {
    await administerAt(serverUrl, `ALTER DATABASE ${draft} RENAME TO ${DIVIDED}`)
  } catch (error) {
    // Another process was first.
    if ((error as { code?: string }).code !== '42P04') throw error
    await administerAt(serverUrl, `DROP DATABASE ${draft} WITH (FORCE)`)
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
    async freshDividedDatabase() {
      const name = newName()
      await copyDivided(server.url, name)
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
