// `chartside audit archive`: moves old events of every trail into a verified file. Owns the options and the
// output; archive/ does the work. docs/operate/audit.md.
import { statSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import {
  acquireLease,
  type Database,
  recordOccurrenceStatement,
  updateLeaseExpiry,
} from '@chartside/server/operator/database'
import { Command, InvalidArgumentError } from 'commander'
import { type ArchivedFile, archiveTrails, countArchivable } from './archive/archive.ts'
import { proveRight } from './archive/archive-store.ts'
import { auditAction } from './audit-action.ts'
import {
  type CliContext,
  CommandFailed,
  loadConfig,
  openConfigured,
  withDatabase,
} from './context.ts'
import { type Output, printResult, withJson } from './output.ts'
import { findPending, reportPending } from './pending-events.ts'
import { progressTo } from './progress.ts'

const KEPT_MONTHS = 12
const DAY_MS = 86_400_000
const LEASE = 'audit-archive'
const LEASE_MS = 60_000

interface Month {
  readonly name: string
  /** Its first moment, in UTC. */
  readonly at: number
}

function parseMonth(text: string): Month {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  if (!year || !month) throw new InvalidArgumentError('Must be a month, such as 2026-09.')
  return { name: text, at: Date.UTC(Number(year), Number(month) - 1) }
}

function monthBefore(now: number, months: number): Month {
  const date = new Date(now)
  const at = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months)
  return { name: new Date(at).toISOString().slice(0, 'yyyy-mm'.length), at }
}

interface Options extends Output {
  readonly before?: Month
  readonly dryRun?: true
}

const HELP = `
The file continues the archives before it, and the trails in the database continue the file:
chartside audit verify --archives <folder> checks all of it as one. Keep the files for six years, where
nothing can change them, beside their backups. The database must be opened as the owner of its tables:
the role of the service (docs/operate/audit.md) cannot remove an event. Nodes may run meanwhile. Killed at any
point, run it again: it goes on, and nothing is lost or there twice.

Examples:
  chartside audit archive /srv/archives --dry-run
  chartside audit archive /srv/archives --before 2026-09
  chartside audit verify --archives /srv/archives`

export const archiveCommand = (context: CliContext) =>
  withJson(new Command('archive'))
    .description(
      'Writes old events of every trail into a file, verifies it, and removes them from the database.',
    )
    .argument('<folder>', 'where the archives are; the same one each time')
    .option(
      '--before <month>',
      `archive what happened before this month, in UTC (default: ${KEPT_MONTHS} months ago)`,
      parseMonth,
    )
    .option('--dry-run', 'only say how many events would be archived')
    .addHelpText('after', HELP)
    .action(async (folder: string, options: Options) => {
      const now = context.clock()
      const month = options.before ?? monthBefore(now, KEPT_MONTHS)
      if (month.at > now - DAY_MS) {
        throw new CommandFailed(
          `--before ${month.name} is too late: events of the last 24 hours stay in the database. Name an earlier month.`,
        )
      }
      await requireFolder(folder)
      await withDatabase(openConfigured(loadConfig(context)), async (db) => {
        await requireRight(db)
        if (options.dryRun) return showPlan(context, db, month, options)
        await archive(context, db, { folder, month, json: options.json })
      })
    })

async function showPlan(
  context: CliContext,
  db: Database,
  month: Month,
  output: Output,
): Promise<void> {
  const { trails, events } = await countArchivable(db, month.at)
  const pending = await findPending(context, db)
  printResult(
    context,
    output,
    { dryRun: true, before: month.name, trails, events, files: [], pending },
    `Would archive ${count(events, 'event')} of ${count(trails, 'trail')}, from before ${month.name}.`,
  )
  context.note('Nothing was changed.')
  reportPending(context, pending)
}

async function archive(
  context: CliContext,
  db: Database,
  { folder, month, json }: { folder: string; month: Month; json: true | undefined },
): Promise<void> {
  const { clock, note, signal } = context
  const lease = () => ({
    now: clock(),
    leaseExpiresAt: clock() + LEASE_MS,
    maxLeaseMs: 2 * LEASE_MS,
  })
  if (!(await acquireLease(db, LEASE, lease()))) {
    throw new CommandFailed(
      'Another chartside audit archive runs on this database, or was killed less than a minute ago. Try again in a minute.',
    )
  }
  const prolong = setInterval(() => {
    void updateLeaseExpiry(db, LEASE, clock() + LEASE_MS).catch(() => {})
  }, LEASE_MS / 4)
  try {
    const files = await archiveTrails({
      ...{ db, folder, before: month.at, month: month.name, now: clock(), signal },
      onProgress: progressTo(context),
      onRecorded: (file) => record(context, db, file),
    })
    await db.write(recordOccurrenceStatement('archive', clock()))
    const lines = files.map(
      ({ file, trails, events }) =>
        `Archived ${count(events, 'event')} of ${count(trails, 'trail')} in ${file}.`,
    )
    const nothing = `Nothing to archive: no event is from before ${month.name}.`
    const pending = await findPending(context, db)
    const result = {
      ...{ dryRun: false, before: month.name, pending },
      trails: files.reduce((sum, { trails }) => sum + trails, 0),
      events: files.reduce((sum, { events }) => sum + events, 0),
      files: files.map(({ file, digest, trails, events }) => {
        return { file, sha256: digest, trails, events }
      }),
    }
    printResult(context, json ? { json } : {}, result, lines.join('\n') || nothing)
    if (files.length > 0)
      note('Back up the file, and keep it six years. The room in the database is used again.')
    reportPending(context, pending)
  } finally {
    clearInterval(prolong)
    await updateLeaseExpiry(db, LEASE, clock()).catch(() => {})
  }
}

const record = (context: CliContext, db: Database, file: ArchivedFile): Promise<void> =>
  auditAction(context, db, {
    action: 'archiveAuditTrail',
    target: 'audit trail',
    detail: {
      file: file.file,
      sha256: file.digest,
      trails: String(file.trails),
      events: String(file.events),
    },
  })

async function requireFolder(folder: string): Promise<void> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CommandFailed(
      `${folder} is not a folder. Create it, or name the one that has the earlier archives.`,
    )
  }
  await access(folder, constants.W_OK).catch((cause) => {
    throw new CommandFailed(`${folder} cannot be written to by this user.`, { cause })
  })
}

async function requireRight(db: Database): Promise<void> {
  await proveRight(db).catch((cause: Error) => {
    if (!/permission denied/.test(cause.message)) throw cause
    throw new CommandFailed(
      `The role of CHARTSIDE_DATABASE_URL may not remove audit events (${cause.message}), as it should be for the service. ` +
        'Run this command with the URL of the owner of the tables. Nothing was changed.',
      { cause },
    )
  })
}

const count = (number: number, what: string) =>
  `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`
