// Copies an installation from one database to another, of either engine: one snapshot of the source,
// one transaction on the target, every row compared before the commit. The target gets all rows or
// none. Owns the order of the steps; contains no SQL. docs/operate/backup.md.
import { existsSync, realpathSync } from 'node:fs'
import { setImmediate as nextImmediate } from 'node:timers/promises'
import {
  DatabaseUnavailable,
  MIGRATIONS,
  type Migration,
  MigrationFailed,
  migrate,
  openDatabase,
  requireKnownOrigin,
  SchemaTooOld,
} from '@chartside/server/operator/database'
import type { Clock } from '@chartside/server/operator/runtime'
import { type CopyEndpoint, CopyFailed, type EndpointMode, type Table } from './endpoint.ts'
import { describeUrl, pathOf } from './url.ts'
import { type Verified, verifyTable } from './verify.ts'

export interface Progress {
  readonly step: 'archiving' | 'comparing' | 'copying' | 'removing' | 'verifying'
  readonly table: string
  /** The number of this table, from 1 to `tables`. */
  readonly number: number
  readonly tables: number
  /** The rows of this table that are copied so far. */
  readonly rows: number
}

interface CopiedTable extends Verified {
  readonly table: string
}

export interface CopyOptions {
  readonly from: string
  readonly to: string
  readonly clock: Clock
  /** Writers of the source wait (`exclusive`, for a move) or continue (`snapshot`, for a backup). */
  readonly mode?: Exclude<EndpointMode, 'target'>
  /** The migrations that this program knows. */
  readonly migrations?: readonly Migration[]
  readonly onProgress?: (progress: Progress) => void
  /** Ends the copy between two batches when aborted. */
  readonly signal?: AbortSignal
}

export async function openEndpoint(url: string, mode: EndpointMode): Promise<CopyEndpoint> {
  const path = pathOf(url)
  if (path !== undefined) {
    const { openSqliteEndpoint } = await import('./sqlite-endpoint.ts')
    return openSqliteEndpoint(path, mode)
  }
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new CopyFailed('A database URL must start with file:, postgres:// or postgresql://.')
  }
  const { openPostgresEndpoint } = await import('./postgres-endpoint.ts')
  return openPostgresEndpoint(url, mode)
}

/** Whether another process has the database open now, so that it may still write. */
export async function isInUse(url: string): Promise<boolean> {
  const path = pathOf(url)
  if (path !== undefined) return (await import('./sqlite-endpoint.ts')).isOpenElsewhere(path)
  return (await import('./postgres-endpoint.ts')).isConnectedElsewhere(url)
}

/** @throws CopyFailed; then the target is as it was, but for an empty schema. */
export async function copyDatabase(options: CopyOptions): Promise<CopiedTable[]> {
  const { from, to, clock, mode = 'exclusive', migrations = MIGRATIONS } = options
  const report = reportTo(options)
  if (isSame(from, to)) throw new CopyFailed('Source and target are the same database.')
  const source = await openEndpoint(from, mode)
  try {
    checkVersions(source, migrations)
    await checkFile(from)
    await prepareTarget(to, migrationsOf(source, migrations), clock)
    const target = await openEndpoint(to, 'target')
    try {
      await checkEmpty(target)
      checkSchemas(source, target)
      await copyRows(source, target, report)
      const copied = await compareRows(source, target, report)
      await target.commit()
      return copied
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

type Report = (progress: Progress) => Promise<void>

/** Yields to the event loop after each batch, so that a signal can interrupt the copy. */
const reportTo =
  ({ onProgress = () => {}, signal }: CopyOptions): Report =>
  async (progress) => {
    onProgress(progress)
    await nextImmediate()
    if (signal?.aborted) throw new CopyFailed('Interrupted. The target is as it was.')
  }

/** Every table of the source, row by row, into the open transaction of the target. */
async function copyRows(source: CopyEndpoint, target: CopyEndpoint, report: Report): Promise<void> {
  for (const [index, table] of source.tables.entries()) {
    const place = placeOf(source, table, index)
    let rows = 0
    for await (const batch of source.rows(table)) {
      await target.insert(table, batch)
      rows += batch.length
      await report({ step: 'copying', ...place, rows })
    }
  }
}

/** @throws CopyFailed naming each table, key and column that differs */
async function compareRows(
  source: CopyEndpoint,
  target: CopyEndpoint,
  report: Report,
): Promise<CopiedTable[]> {
  const compared: CopiedTable[] = []
  for (const [index, table] of source.tables.entries()) {
    const place = placeOf(source, table, index)
    const verified = await verifyTable(table, source, target, (rows) =>
      report({ step: 'comparing', ...place, rows }),
    )
    compared.push({ table: table.name, ...verified })
  }
  return compared
}

const placeOf = ({ tables }: CopyEndpoint, { name }: Table, index: number) => ({
  table: name,
  number: index + 1,
  tables: tables.length,
})

/** @throws CopyFailed when this version does not know the schema of the source. */
export function checkVersions(
  { versions }: CopyEndpoint,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  if (versions.length === 0) {
    throw new CopyFailed(
      'The source is not a Chartside database: it has no record of migrations. Check the URL or the file.',
    )
  }
  try {
    requireKnownOrigin(versions)
  } catch (error) {
    throw error instanceof SchemaTooOld ? new CopyFailed(error.message, { cause: error }) : error
  }
  const known = new Set(migrations.map(({ version }) => version))
  const unknown = versions.filter((version) => !known.has(version))
  if (unknown.length > 0) {
    throw new CopyFailed(
      `The source has migration ${unknown.join(', ')}, which a newer version of Chartside made. Use that version.`,
    )
  }
}

/** Rows are read and compared in index order: an index that lost entries would hide rows. */
async function checkFile(from: string): Promise<void> {
  const path = pathOf(from)
  if (path === undefined) return
  const { checkIntegrity } = await import('./sqlite-endpoint.ts')
  checkIntegrity(path)
}

/** Creates the schema of the source in the target; an older one stays until the next migrate. */
async function prepareTarget(
  to: string,
  migrations: readonly Migration[],
  clock: Clock,
): Promise<void> {
  const path = pathOf(to)
  if (path === undefined || existsSync(path)) {
    // This comes before any change: a copy by mistake must not even migrate a database in use.
    const target = await openEndpoint(to, 'snapshot')
    await checkEmpty(target).finally(() => target.close())
  }
  const db = await openDatabase(to)
  try {
    await migrate(db, clock, { migrations, contract: true })
  } catch (error) {
    if (error instanceof MigrationFailed) {
      throw new CopyFailed(
        `The tables could not be made in ${describeUrl(to)}: ${error.why}. The source is as it was. Make room, or choose another place, then run the command again.`,
        { cause: error },
      )
    }
    if (!(error instanceof DatabaseUnavailable)) throw error
    throw new CopyFailed(`The target ${describeUrl(to)} cannot be written to now.`, {
      cause: error,
    })
  } finally {
    await db.close()
  }
}

const migrationsOf = ({ versions }: CopyEndpoint, migrations: readonly Migration[]) =>
  migrations.filter(({ version }) => versions.includes(version))

async function checkEmpty(target: CopyEndpoint): Promise<void> {
  for (const table of target.tables) {
    const rows = await target.count(table)
    if (rows > 0) {
      throw new CopyFailed(
        `The target is not empty: its table ${table.name} has ${rows} row(s). Nothing was changed. Copy into a new database.`,
      )
    }
  }
}

function checkSchemas(source: CopyEndpoint, target: CopyEndpoint): void {
  const [wanted, found] = [describeSchema(source), describeSchema(target)]
  const differences = [
    ...wanted.filter((part) => !found.includes(part)).map((part) => `only in the source: ${part}`),
    ...found.filter((part) => !wanted.includes(part)).map((part) => `only in the target: ${part}`),
  ]
  if (differences.length === 0) return
  throw new CopyFailed(
    `Source and target have different schemas. Run chartside migrate on the source, and copy into a new database.\n  ${differences.join('\n  ')}`,
  )
}

const describeSchema = ({ versions, tables }: CopyEndpoint) => [
  `migrations ${versions.join(', ')}`,
  ...tables.map(describeTable),
]

function describeTable({ name, columns, key }: Table): string {
  const described = columns.map(({ name: column, type }) => `${column} ${type}`).sort()
  const keyNames = key.map((at) => columns[at]?.name)
  return `table ${name} (${described.join(', ')}), key ${keyNames.join(', ')}`
}

function isSame(from: string, to: string): boolean {
  const [a, b] = [from, to].map((url) => {
    const path = pathOf(url)
    if (path === undefined) return describeUrl(url).replace('postgresql:', 'postgres:')
    return existsSync(path) ? realpathSync(path) : path
  })
  return a === b
}
