// `chartside audit verify`: checks exports and archives, alone or together, without the service. With
// --archives it checks the archives of a folder and the trails of the database as one. Changes nothing.
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ExportCheck, readExport } from '@chartside/server/operator/audit'
import type { Database } from '@chartside/server/operator/database'
import { Command } from 'commander'
import { ARCHIVE_NAME, readArchive } from './archive/archive-file.ts'
import { listArchivedParts } from './archive/archive-store.ts'
import { openLines } from './archive/line-reader.ts'
import { checkFile, joinSections, type Section } from './archive/trails-check.ts'
import {
  type CliContext,
  CommandFailed,
  loadConfig,
  openConfigured,
  withDatabase,
} from './context.ts'
import { listTrails } from './evidence/evidence-store.ts'
import { type Output, printResult, withJson } from './output.ts'
import { findPending, type Pending, reportPending } from './pending-events.ts'

interface Known {
  readonly seq: number
  readonly hash: string
}

interface Options extends Output {
  readonly known?: Known
  readonly archives?: string
}

const HELP = `
Examples:
  chartside audit verify trail.jsonl --known 1204:uK0wq5m2Y…
  chartside audit verify audit-before-2026-09.jsonl.gz trail.jsonl
  chartside audit verify --archives /srv/archives`

export const verifyCommand = (context: CliContext) =>
  withJson(new Command('verify'))
    .description('Checks exports and archives: nothing changed, added, moved, left out or cut off.')
    .argument('[files...]', 'what chartside audit export or archive, or the API made')
    .option('--known <end>', 'the end of an earlier export, as verify printed it', parseKnown)
    .option('--archives <folder>', 'all archives of the database, and its trails, as one whole')
    .addHelpText('after', HELP)
    .action(async (files: readonly string[], { known, archives, ...output }: Options) => {
      if (files.length > 0 === (archives !== undefined)) {
        throw new CommandFailed('Name the files to check, or the folder of --archives.')
      }
      if (known && (files.length > 1 || archives !== undefined)) {
        throw new CommandFailed('--known belongs to one export.')
      }
      if (archives !== undefined) {
        const config = loadConfig(context)
        await withDatabase(openConfigured(config), (db) => verifyAll(context, db, archives, output))
      } else if (files.length === 1 && !files[0]?.includes('.gz')) {
        await verifyExportFile(context, files[0] ?? '', known, output)
      } else await verifyTogether(context, files, output)
    })

async function verifyExportFile(
  context: CliContext,
  path: string,
  known: Known | undefined,
  output: Output,
): Promise<void> {
  const { note } = context
  const check = new ExportCheck(known)
  try {
    for await (const line of openLines(path).lines) check.take(line)
  } catch (cause) {
    throw new CommandFailed(`${path} cannot be read: ${(cause as Error).message}.`, { cause })
  }
  const { accountId, begin, events, head, problems } = check.finish()
  requireWhole(context, output, problems)
  const trail = { accountId, events, begin: begin ?? null, end: head ?? null }
  const record = { whole: true, problems: [], trails: events === 0 && !begin ? [] : [trail] }
  if (events === 0 && !begin) {
    printResult(context, output, record, 'The export has no event: there is nothing to verify.')
    note('Events are in an export half a minute after they were written.')
    return
  }
  const end = head ? `\nIt ends at ${head.seq}:${head.hash}` : ''
  printResult(context, output, record, `Whole: ${countEvents(events)} of ${accountId}.${end}`)
  if (begin) {
    note(`It begins after number ${begin.seq}: name the archives of the events before as well.`)
  }
  if (head && !known) note('Keep that end elsewhere, and pass it as --known next time.')
}

async function verifyTogether(
  context: CliContext,
  paths: readonly string[],
  output: Output,
): Promise<void> {
  const sections: Section[] = []
  const problems: string[] = []
  for (const path of paths) {
    if (!existsSync(path)) throw new CommandFailed(`There is no file ${path}.`)
    const checked = await readArchive(path, basename(path))
    sections.push(...checked.sections)
    problems.push(...checked.problems.map((problem) => `${basename(path)}: ${problem}`))
  }
  const joined = joinSections(sections, { isFromStart: paths.length > 1 })
  requireWhole(context, output, [...problems, ...joined.problems])
  showTrails(context, output, joined.trails, sections)
}

async function verifyAll(
  context: CliContext,
  db: Database,
  folder: string,
  output: Output,
): Promise<void> {
  const { note } = context
  const recorded = await listArchivedParts(db)
  const digests = new Map(recorded.map(({ file, digest }) => [file, digest]))
  const names = await readdir(folder).catch((cause) => {
    throw new CommandFailed(`${folder} cannot be read: ${cause.message}.`, { cause })
  })
  const sections: Section[] = []
  const problems = [...digests.keys()]
    .filter((file) => !names.includes(file))
    .map((file) => `${file} is missing in ${folder}`)
  for (const name of names.filter((one) => ARCHIVE_NAME.test(one) || one.endsWith('.gz')).sort()) {
    note(`Verifying ${name}.`)
    const checked = await readArchive(join(folder, name), name)
    problems.push(...checked.problems.map((problem) => `${name}: ${problem}`))
    const digest = digests.get(name)
    if (digest === undefined) {
      problems.push(`${name} is not an archive of this database, or is a second copy of one`)
      continue
    }
    if (checked.digest !== digest) problems.push(`${name} is not the file that was written`)
    sections.push(...checked.sections)
  }
  const accounts = new Set([...(await listTrails(db)), ...recorded.map((part) => part.accountId)])
  for (const [at, accountId] of [...accounts].entries()) {
    note(`Verifying the trail of ${accountId} (${at + 1} of ${accounts.size}).`)
    const file = 'the database'
    const checked = await checkFile(file, withoutEnds(readExport(db, accountId)))
    sections.push(...checked.sections)
    problems.push(...checked.problems.map((problem) => `${file}: ${problem}`))
  }
  const joined = joinSections(sections, { isFromStart: true })
  requireWhole(context, output, [...problems, ...joined.problems])
  const pending = await findPending(context, db)
  showTrails(context, output, joined.trails, sections, pending)
  reportPending(context, pending)
}

async function* withoutEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield line.replace(/\n$/, '')
}

/** The result lists so many trails; the number of the others follows. */
const MAX_SHOWN = 20

function showTrails(
  context: CliContext,
  output: Output,
  trails: ReturnType<typeof joinSections>['trails'],
  sections: readonly Section[],
  pending?: Pending,
): void {
  const events = trails.reduce((sum, trail) => sum + trail.events, 0)
  const files = new Set(sections.map(({ file }) => file)).size
  const { note } = context
  const lines = [`Whole: ${countEvents(events)} of ${trails.length} trails, in ${files} parts.`]
  for (const { accountId, begin, end } of trails.slice(0, MAX_SHOWN)) {
    lines.push(`${accountId} from ${begin.seq + 1} ends at ${end.seq}:${end.hash}`)
  }
  const record = { whole: true, problems: [], trails, ...(pending && { pending }) }
  printResult(context, output, record, lines.join('\n'))
  if (output.json) return
  if (trails.length > MAX_SHOWN) note(`… and ${trails.length - MAX_SHOWN} more.`)
  if (trails.some(({ begin }) => begin.seq > 0)) {
    note('A trail that does not begin at 1 continues an earlier archive: name that one as well.')
  }
}

function requireWhole(context: CliContext, { json }: Output, problems: readonly string[]): void {
  if (problems.length > 0) {
    if (json) context.print(JSON.stringify({ whole: false, problems, trails: [] }, null, 2))
    throw new CommandFailed(`The trail is NOT whole:\n  ${problems.join('\n  ')}`)
  }
}

const countEvents = (count: number) => `${count} ${count === 1 ? 'event' : 'events'}`

function parseKnown(text: string): Known {
  const [, seq, hash] = /^(\d+):([\w-]{43})$/.exec(text) ?? []
  if (!seq || !hash) throw new CommandFailed(`--known must read <number>:<hash>, not ${text}.`)
  return { seq: Number(seq), hash }
}
