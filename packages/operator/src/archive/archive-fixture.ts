// Databases with three months of audit events of several accounts, the command in this process, and the check
// that archives and database have every line once. Files go into a folder of the test's own.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { extendChains, insertEventStatement, readExport } from '@chartside/server/operator/audit'
import { type Database, migrate, openDatabase } from '@chartside/server/operator/database'
import { newId, systemRandomness } from '@chartside/server/operator/runtime'
import {
  launchStatements,
  openPractice,
  type Practice,
} from '../../../server/test/audit-launches.ts'
import { buildCli } from '../cli.ts'

export const root = mkdtempSync(join(tmpdir(), 'chartside-archive-'))
let folders = 0
export const newFolder = () => mkdtempSync(join(root, `${folders++}-`))

const MONTHS = ['2026-01', '2026-02', '2026-03'] as const
export const startOf = (month: string) => Date.parse(`${month}-01T00:00:00Z`)
export const NOW = Date.parse('2026-04-20T12:00:00Z')

interface Filled {
  readonly url: string
  readonly db: Database
  readonly practices: readonly Practice[]
  /** The lines of each export before anything was archived. */
  readonly lines: ReadonlyMap<string, readonly string[]>
}

/** Fills three months of two practices and the platform; a launch is under way at the end of each month. */
export async function fill(url: string, months: readonly string[] = MONTHS): Promise<Filled> {
  const db = await openDatabase(url)
  await migrate(db, () => 1)
  const practices = [await openPractice(db, NOW), await openPractice(db, NOW)]
  for (const month of months) {
    const start = startOf(month)
    const next = new Date(start)
    const end = next.setUTCMonth(next.getUTCMonth() + 1)
    const times = [...[1, 5, 20].map((day) => start + day * 86_400_000), end - 800]
    const statements = practices.flatMap((practice) =>
      times.flatMap((at) => launchStatements(practice, at)),
    )
    const call = { at: start + 3_600_000, id: newId('evt', start + 3_600_000, systemRandomness()) }
    await db.write(
      ...statements,
      insertEventStatement({
        ...{ ...call, accountId: 'platform', actor: 'operator', action: 'rotateKeys' },
        ...{
          target: 'keys',
          launchId: undefined,
          ip: 'local',
          outcome: 'ok',
          detail: { user: 'x' },
        },
      }),
    )
    // Each step by itself, so that a month ends between two links.
    for (const at of [start + 25 * 86_400_000, end]) await extendChains(db, at, { settleMs: 0 })
  }
  await extendChains(db, NOW, { settleMs: 0 })
  const lines = new Map<string, readonly string[]>()
  for (const id of ['platform', ...practices.map(({ accountId }) => accountId)]) {
    lines.set(id, await exportLines(db, id))
  }
  return { url, db, practices, lines }
}

async function exportLines(db: Database, accountId: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readExport(db, accountId)) lines.push(line.slice(0, -1))
  return lines
}

const isEvent = (line: string) => line.startsWith('{"id"')
const linesOf = (path: string) => gunzipSync(readFileSync(path)).toString().split('\n')

/** Runs a command about audit events in this process, a month after the last event. */
export const chartside = (url: string, ...args: string[]) => runCommand(url, 'audit', ...args)

/** Runs any command in this process, and gives what it prints and notes. */
export async function runCommand(url: string, ...args: string[]): Promise<string> {
  const printed: string[] = []
  const cli = buildCli({
    env: { CHARTSIDE_DATABASE_URL: url },
    clock: () => NOW,
    randomness: systemRandomness(),
    operator: { user: 'dana', host: 'console-1' },
    print: (text) => printed.push(text),
    note: (text) => printed.push(text),
    redraw: () => {},
    isTerminal: false,
    signal: new AbortController().signal,
  })
  for (const command of [cli, ...cli.commands, ...cli.commands.flatMap((one) => one.commands)]) {
    command.exitOverride().configureOutput({ writeErr: () => {} })
  }
  await cli.parseAsync(args, { from: 'user' })
  return printed.join('\n')
}

/** Asserts that everything of the trails is in archives and exports, each line once and byte for byte. */
export async function assertNothingLost({ db, lines }: Filled, folder: string): Promise<void> {
  const archived = readdirSync(folder)
    .sort()
    .flatMap((name) => linesOf(join(folder, name)))
  for (const [accountId, original] of lines) {
    const own = archived.filter((line) => isEvent(line) && JSON.parse(line).accountId === accountId)
    const live = (await exportLines(db, accountId)).filter(isEvent)
    const all = [...own, ...live].slice(0, original.length - 1)
    assert.deepEqual(all, original.filter(isEvent), accountId)
  }
}
