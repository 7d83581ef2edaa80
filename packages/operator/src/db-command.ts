// `chartside db`: copies an installation to another database, backs it up, restores it. Owns the
// options and the output; copy/ does the work. docs/operate/backup.md.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { recordOccurrenceStatement } from '@chartside/server/operator/database'
import { Command } from 'commander'
import { auditAction } from './audit-action.ts'
import { type CliContext, loadConfig, openForOperator, withDatabase } from './context.ts'
import { backUp, defaultScratch, restore } from './copy/backup.ts'
import { listClearFolders } from './copy/backup-file.ts'
import { copyDatabase, isInUse } from './copy/copy.ts'
import { type Packing, suffixOf } from './copy/packed-file.ts'
import { describeUrl, pathOf } from './copy/url.ts'
import { type Output, printResult, withJson } from './output.ts'
import { partitionCommand } from './partition-command.ts'
import { progressTo } from './progress.ts'
import { formatTable } from './table.ts'

const MASTER_KEY_NOTE =
  'The master key is not in it: CHARTSIDE_MASTER_KEY, or the file master.key in the data directory.\n' +
  'Without that key its signing keys are useless. Keep it elsewhere, as safely.'
const SHOWN_DIGITS = 16
const SCRATCH =
  'where rows lie unpacked meanwhile (default: beside a SQLite database, else with temporary files)'

interface CopyOptions extends Output {
  readonly from?: string
  readonly to: string
}
interface BackupOptions extends Output {
  readonly from?: string
  readonly compress?: true
  readonly recipient: readonly string[]
  readonly scratch?: string
}
interface RestoreOptions extends Output {
  readonly to?: string
  readonly replace?: true
  readonly identity?: string
  readonly scratch?: string
}

export const dbCommand = (context: CliContext) =>
  new Command('db')
    .description('Copies, backs up and restores the database (docs/operate/backup.md).')
    .addCommand(copyCommand(context))
    .addCommand(backupCommand(context))
    .addCommand(restoreCommand(context))
    .addCommand(partitionCommand(context))

const copyCommand = (context: CliContext) =>
  withJson(new Command('copy'))
    .description(
      'Copies everything into an empty database, of either engine, and compares every row.',
    )
    .option('--from <url>', 'file:… or postgres://… (default: the database of the environment)')
    .requiredOption('--to <url>', 'file:… or postgres://…; empty, or not there yet for file:')
    .action(async ({ from = loadConfig(context).databaseUrl, to, ...output }: CopyOptions) => {
      const startedAt = context.clock()
      context.note(
        `Copying ${describeUrl(from)} to ${describeUrl(to)}. Until it is done the source takes no\n` +
          'writes: a service that still runs on it answers 503 and loses nothing.',
      )
      await auditHandling(context, from, 'copyDatabase', describeUrl(to))
      const tables = await copyDatabase({ from, to, ...copyContextOf(context) })
      const list = formatTable(
        ['table', 'rows', 'SHA-256'],
        tables.map(({ table, rows, digest }) => [table, rows, digest.slice(0, SHOWN_DIGITS)]),
      )
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      printResult(
        context,
        output,
        {
          tables: tables.map(({ table, rows, digest }) => ({ table, rows, sha256: digest })),
          rows,
        },
        `${list}\n\nCopied ${rows} rows in ${secondsSince(context, startedAt)} s; every row was compared, and the target has all of them.\n` +
          'What is written to the source from now on is not in the copy. Set CHARTSIDE_DATABASE_URL to the\n' +
          'new database, keep CHARTSIDE_MASTER_KEY (or master.key in the data directory), and start.',
      )
      if (await isInUse(from)) {
        context.note(
          'Another process has the source open. If it is a service, what it writes from now on is lost in\n' +
            'the move: stop it, empty the target and copy again.',
        )
      }
    })

const backupCommand = (context: CliContext) =>
  withJson(new Command('backup'))
    .description('Writes one consistent state into a new file, while the service runs.')
    .argument('<file>', 'the file to make; in a folder it gets its name by the time, in UTC')
    .option('--from <url>', 'file:… or postgres://… (default: the database of the environment)')
    .option('--compress', 'with Zstandard; the name of the file in a folder ends with .zst')
    .option(
      '--recipient <age1…>',
      'encrypt for this public key of age; again for each further one; the name ends with .age',
      (key: string, before: readonly string[]) => [...before, key],
      [],
    )
    .option('--scratch <folder>', SCRATCH)
    .action(async (place: string, options: BackupOptions) => {
      const { from = loadConfig(context).databaseUrl, recipient: recipients } = options
      const startedAt = context.clock()
      const packing = { isCompressed: options.compress === true, recipients }
      const file = nameBackup(place, startedAt, packing)
      const scratch = options.scratch ?? defaultScratch(from)
      if (suffixOf(packing)) nameClearFolders(context, scratch)
      context.note(`Backing up ${describeUrl(from)}. The service continues to run.`)
      await auditHandling(context, from, 'backUpDatabase', file)
      const { bytes, rows, tables, sha256 } = await backUp(
        { from, file, packing, scratch },
        copyContextOf(context),
      )
      await recordBackup(context, from)
      const encrypted = recipients.length > 0 ? `Encrypted for ${recipients.join(', ')}.\n` : ''
      printResult(
        context,
        options,
        { file, rows, tables, bytes, sha256, recipients },
        `Wrote ${file}: ${rows} rows of ${tables} tables, ${bytes} bytes, in ${secondsSince(context, startedAt)} s.\n` +
          `${encrypted}SHA-256 ${sha256}, also in ${file}.sha256.\n${MASTER_KEY_NOTE}`,
      )
    })

/** Names the folders of killed runs: they are not encrypted, and no later run may remove them unasked. */
function nameClearFolders({ note }: CliContext, scratch: string): void {
  for (const folder of existsSync(scratch) ? listClearFolders(scratch) : []) {
    note(`${folder} has rows that are not encrypted. If no backup or restore runs, remove it.`)
  }
}

/** Adds a name to a folder, such as `chartside-2026-03-01T120000Z.db`: no shell is needed for the date. */
function nameBackup(place: string, time: number, packing: Packing): string {
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) return place
  const stamp = new Date(time).toISOString().replace(/\.\d+/, '').replaceAll(':', '')
  return join(place, `chartside-${stamp}.db${suffixOf(packing)}`)
}

const restoreCommand = (context: CliContext) =>
  withJson(new Command('restore'))
    .description('Puts a backup into an empty database, of either engine. Stop the service first.')
    .argument('<file>', 'a file that chartside db backup made')
    .option('--to <url>', 'file:… or postgres://… (default: the database of the environment)')
    .option('--replace', 'keep an existing SQLite database under another name')
    .option('--identity <file>', 'secret keys of age, as age-keygen writes them, to decrypt it')
    .option('--scratch <folder>', SCRATCH)
    .action(async (file: string, options: RestoreOptions) => {
      const { to = loadConfig(context).databaseUrl, replace = false } = options
      const startedAt = context.clock()
      context.note(`Restoring ${file} to ${describeUrl(to)}.`)
      const { versions, isChecksumKnown, keptAt } = await restore({
        ...{ file, to, replace, identityFile: options.identity },
        scratch: options.scratch ?? defaultScratch(to),
        ...copyContextOf(context),
      })
      await auditHandling(context, to, 'restoreDatabase', file)
      if (!isChecksumKnown) {
        context.note(`There is no ${file}.sha256, so only the structure of the file was checked.`)
      }
      const kept = keptAt ? `The previous database is kept at ${keptAt}.\n` : ''
      printResult(
        context,
        options,
        { file, migration: versions.at(-1) ?? null, isChecksumKnown, keptAt: keptAt ?? null },
        `${kept}Restored at migration ${versions.at(-1)} in ${secondsSince(context, startedAt)} s. chartside migrate updates an older schema,\n` +
          'and so does the next start. Start the service with the master key of the time of the backup\n' +
          '(CHARTSIDE_MASTER_KEY, or master.key in the data directory).',
      )
    })

/** Records the time for the metrics of the nodes; a database that takes no writes is backed up too. */
async function recordBackup({ clock, note }: CliContext, url: string): Promise<void> {
  try {
    const record = recordOccurrenceStatement('backup', clock())
    await withDatabase(openForOperator(url), (db) => db.write(record))
  } catch {
    note('The time of this backup could not be recorded: the metrics show that of the one before.')
  }
}

/** A database that has no tables yet, or takes no writes, is copied all the same. */
async function auditHandling(
  context: CliContext,
  url: string,
  action: 'backUpDatabase' | 'copyDatabase' | 'restoreDatabase',
  file: string,
): Promise<void> {
  const path = pathOf(url)
  // Opening would make an empty database at an address with a typing error.
  if (path !== undefined && !existsSync(path)) return
  try {
    await withDatabase(openForOperator(url), (db) =>
      auditAction(context, db, { action, target: 'database', detail: { with: file } }),
    )
  } catch {
    context.note('This could not be written into the audit trail of the database.')
  }
}

const copyContextOf = (context: CliContext) => ({
  clock: context.clock,
  signal: context.signal,
  onProgress: progressTo(context),
})

const secondsSince = ({ clock }: CliContext, startedAt: number) =>
  ((clock() - startedAt) / 1000).toFixed(1)
