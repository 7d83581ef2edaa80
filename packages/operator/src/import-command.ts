// `chartside import`: brings in practices with their people from a CSV file or JSON Lines, and hands out
// the invitations by mail or as a file. Running it again changes nothing; after a stop it goes on where
// it was. Each practice and each invitation is an event of the account's audit trail.
import { existsSync, readFileSync } from 'node:fs'
import type { Database } from '@chartside/server/operator/database'
import {
  buildInvitationMail,
  type ImportedPerson,
  type ImportedPractice,
  importPractice,
  loadMailer,
  type Mailer,
  MailFailed,
  type NewInvitation,
  OPERATOR,
  type Practice,
} from '@chartside/server/operator/people'
import { rfc3339 } from '@chartside/server/operator/runtime'
import { Argument, Command } from 'commander'
import { auditAction } from './audit-action.ts'
import {
  type CliContext,
  CommandFailed,
  loadConfig,
  openConfigured,
  withDatabase,
} from './context.ts'
import { COLUMNS, type FileFormat, readPracticeFile } from './import/practice-file.ts'
import { openResultFile, type ResultFile } from './import/result-file.ts'

interface Options {
  readonly dryRun?: true
  readonly mail?: true
  readonly result?: string
  readonly json?: true
}

const HELP = `
CSV, one line for each person (a practice without people has one line):
  ${COLUMNS.join(',')}
  NPI-1,Lakeside Family Practice,col_01jnye6xw8q2v5n0m4r7ta,latest,mei@lakeside.example,Dr. Mei Tanaka,provider

JSON Lines, one line for each practice:
  {"externalId":"NPI-1","name":"Lakeside","people":[{"email":"mei@lakeside.example","name":"Mei","role":"provider"}]}

external_id is what your own systems call the practice; the import finds it by that. collection_id
and collection_version are optional, role is provider, developer or admin (default: provider).
Without --mail the result file holds links that set a password, with it those of mails that failed: keep
it as safe as passwords, and delete it.

Examples:
  chartside import practices.csv --dry-run     what it would do
  chartside import practices.csv               writes the links into practices.csv.result.csv
  chartside import practices.jsonl --mail      sends them (CHARTSIDE_SMTP_URL)
`

export function importCommand(context: CliContext): Command {
  return new Command('import')
    .description('Imports practices and invites their people; running it again changes nothing.')
    .addArgument(new Argument('<file>', 'practices as .csv or .jsonl'))
    .option('--dry-run', 'says what it would do, and changes nothing')
    .option('--mail', 'sends the invitations by mail')
    .option('--result <file>', 'who was invited, with the links; default: <file>.result.csv')
    .option('--json', 'the summary as JSON')
    .addHelpText('after', HELP)
    .action((file: string, options: Options) => runImport(context, file, options))
}

async function runImport(context: CliContext, file: string, options: Options): Promise<void> {
  const config = loadConfig(context)
  const practices = loadPractices(file)
  const mailer = options.mail && !options.dryRun ? await loadMailer(config) : undefined
  if (options.mail && !options.dryRun && !mailer) {
    throw new CommandFailed(
      'No mail server is configured: set CHARTSIDE_SMTP_URL and CHARTSIDE_MAIL_FROM.',
    )
  }
  const path = options.result ?? `${file}.result.csv`
  const result = options.dryRun ? undefined : openResult(path)
  try {
    await withDatabase(openConfigured(config), async (db) => {
      const run = { context, config, db, mailer, result }
      const done = await importAll(run, practices)
      report(context, options, { done, total: practices.length, path })
    })
  } finally {
    mailer?.close()
    result?.close()
  }
}

const FORMATS: Readonly<Record<string, FileFormat>> = {
  csv: 'csv',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
}
const MAX_SHOWN = 20

/** @throws CommandFailed with every problem of the file. */
function loadPractices(file: string): readonly Practice[] {
  const format = FORMATS[file.slice(file.lastIndexOf('.') + 1).toLowerCase()]
  if (!format) throw new CommandFailed(`${file} is neither .csv nor .jsonl.`)
  if (!existsSync(file)) throw new CommandFailed(`There is no file ${file}.`)
  const { practices, problems } = readPracticeFile(readFileSync(file, 'utf8'), format)
  if (problems.length > 0) {
    const shown = problems
      .slice(0, MAX_SHOWN)
      .map(({ line, message }) => `  line ${line}: ${message}`)
    const more = problems.length > MAX_SHOWN ? [`  … and ${problems.length - MAX_SHOWN} more`] : []
    const heading = `${file} has ${problems.length} problem(s). Nothing was imported.`
    throw new CommandFailed([heading, ...shown, ...more].join('\n'))
  }
  if (practices.length === 0) throw new CommandFailed(`${file} has no practice.`)
  return practices
}

function openResult(path: string): ResultFile {
  try {
    return openResultFile(path)
  } catch (error) {
    throw new CommandFailed((error as Error).message, { cause: error })
  }
}

interface Run {
  readonly context: CliContext
  readonly config: ReturnType<typeof loadConfig>
  readonly db: Database
  readonly mailer: Mailer | undefined
  /** The file of the result; absent in a dry run. */
  readonly result: ResultFile | undefined
}

/** A mail server that refuses so many in a row refuses the rest too. */
const MAX_MAIL_FAILURES = 5
const PROGRESS_EVERY_MS = 1000

async function importAll(run: Run, practices: readonly Practice[]): Promise<ImportedPractice[]> {
  const { context, result } = run
  const { clock, note, redraw, isTerminal, signal } = context
  const done: ImportedPractice[] = []
  const deliver = deliveryOf(run)
  let shownAt = clock()
  for (const practice of practices) {
    if (signal.aborted) break
    result?.begin(practice.externalId)
    const imported = await importPractice({ ...run, ...context }, practice, {
      createdBy: OPERATOR,
      isDryRun: result === undefined,
      isResent: (email) => result?.isLost(practice.externalId, email) === true,
      record: (event) => auditAction(context, run.db, event),
      deliver: (invitation) => deliver(practice.externalId, invitation),
    })
    result?.finish(imported)
    done.push(imported)
    if (clock() - shownAt < PROGRESS_EVERY_MS && done.length < practices.length) continue
    const line = `${done.length} of ${practices.length} practices`
    if (isTerminal && done.length > 1) redraw(line)
    else note(line)
    shownAt = clock()
  }
  return done
}

/** Writes each invitation into the result file, or sends it and writes that. */
function deliveryOf({ mailer, result }: Run) {
  let failures = 0
  return async (
    externalId: string,
    invitation: NewInvitation,
  ): Promise<Partial<ImportedPerson>> => {
    const { account, email, name, role, url, expiresAt } = invitation
    const line = {
      external_id: externalId,
      account_id: account.id,
      account_name: account.name,
      email,
      name,
      role,
      expires_at: rfc3339(expiresAt),
    }
    const addLink = (outcome: string) => result?.add({ ...line, outcome, invitation_url: url })
    if (!mailer) {
      addLink('invited')
      return {}
    }
    try {
      await mailer.send(buildInvitationMail({ ...invitation, accountName: account.name }))
      result?.add({ ...line, outcome: 'mailed' })
      failures = 0
      return { mail: 'sent' }
    } catch (error) {
      if (!(error instanceof MailFailed)) throw error
      addLink('mail_failed')
      failures += 1
      if (failures < MAX_MAIL_FAILURES) return { mail: 'failed', problem: error.message }
      const advice = 'Correct the mail server, then run the same command again.'
      throw new CommandFailed(`${error.message}\n${failures} mails failed in a row. ${advice}`)
    }
  }
}

interface Summary {
  readonly done: readonly ImportedPractice[]
  readonly total: number
  readonly path: string
}

function report(context: CliContext, options: Options, { done, total, path }: Summary): void {
  const people = done.flatMap((practice) => practice.people)
  const practices = countBy(done.map(({ outcome }) => outcome))
  const invitations = countBy(
    people.map(({ outcome, mail }) => (mail === 'failed' ? 'mail failed' : outcome)),
  )
  const isDryRun = options.dryRun === true
  if (options.json) {
    context.print(
      JSON.stringify({ dryRun: isDryRun, practices, people: invitations, items: done }, null, 2),
    )
  } else {
    const would = isDryRun ? 'It would: ' : ''
    context.print(`${would}practices: ${inWords(practices)}`)
    context.print(`${would}people: ${inWords(invitations)}`)
  }
  const problems = [
    ...done.filter(({ problem }) => problem).map((one) => [one.externalId, one.problem]),
    ...done.flatMap(({ externalId, people: listed }) =>
      listed
        .filter(({ problem }) => problem)
        .map((one) => [`${externalId} ${one.email}`, one.problem]),
    ),
  ]
  for (const [about, problem] of problems.slice(0, MAX_SHOWN)) context.note(`${about}: ${problem}`)
  if (problems.length > MAX_SHOWN) context.note(`… and ${problems.length - MAX_SHOWN} more`)
  if (!isDryRun) context.note(describeResult(path, people))
  if (done.length < total) {
    const left = total - done.length
    throw new CommandFailed(
      `Stopped; ${left} practices are left. Run the same command again to go on.`,
    )
  }
  if (done.some(({ outcome }) => outcome === 'refused')) {
    throw new CommandFailed('Some practices were refused; the others were imported.')
  }
}

/** A mail that was sent leaves no link behind; one that was not, and a run without mail, do. */
function describeResult(path: string, people: readonly ImportedPerson[]): string {
  const invited = people.filter(({ outcome }) => outcome === 'invited')
  if (invited.length === 0) return 'This run has invited no one.'
  const secret = 'It holds links that set passwords.'
  const isEachMailed = invited.every(({ mail }) => mail === 'sent')
  return `Who was invited is in ${path}. ${isEachMailed ? 'This run has put no link into it.' : secret}`
}

function countBy(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

const inWords = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
    .join(', ') || 'none'
