// The result file of an import: who was invited, with the link, for a merge into mails of your own; and what
// the import has begun, so that it goes on after a stop. Lines are only added, each batch is on the disk
// before the next practice begins, and only the owner of the file can read it.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { ImportedPerson, ImportedPractice } from '@chartside/server/operator/people'
import { parse } from 'csv-parse/sync'

const COLUMNS = [
  'external_id',
  'account_id',
  'account_name',
  'email',
  'name',
  'role',
  'outcome',
  'invitation_url',
  'expires_at',
  'problem',
] as const
type Line = Partial<Record<(typeof COLUMNS)[number], string>>

const HEADING = `${COLUMNS.join(',')}\n`

export interface ResultFile {
  /** Call this before any record of the practice is written. */
  begin(externalId: string): void
  /** Call this as soon as a person is invited: the link is stored nowhere else. */
  add(line: Line): void
  finish(practice: ImportedPractice): void
  /** An earlier run may have invited this person, and the invitation did not get out. */
  isLost(externalId: string, email: string): boolean
  close(): void
}

/** @throws Error when the file is something else */
export function openResultFile(path: string): ResultFile {
  const earlier = existsSync(path) ? readLines(path) : []
  const isNew = earlier.length === 0 && !existsSync(path)
  const file = openSync(path, 'a', 0o600)
  const write = (lines: readonly Line[]) => {
    writeSync(file, lines.map(formatLine).join(''))
    fsyncSync(file)
  }
  if (isNew) writeSync(file, HEADING)
  const begun = new Set(idsWith(earlier, 'begun'))
  for (const id of idsWith(earlier, 'done')) begun.delete(id)
  const kept = new Set(earlier.filter(isDelivered).map(keyOf))
  const failed = new Set(earlier.filter(({ outcome }) => outcome === 'mail_failed').map(keyOf))
  return {
    begin: (externalId) => write([{ external_id: externalId, outcome: 'begun' }]),
    add: (line) => write([line]),
    finish: ({ externalId, account, people, problem, outcome }) =>
      write([
        ...people.filter(({ outcome }) => outcome === 'refused').map(lineOf(externalId)),
        {
          external_id: externalId,
          outcome: outcome === 'refused' ? 'refused' : 'done',
          ...(account ? { account_id: account.id, account_name: account.name } : {}),
          ...(problem ? { problem } : {}),
        },
      ]),
    isLost(externalId, email) {
      const key = keyOf({ external_id: externalId, email })
      return !kept.has(key) && (begun.has(externalId) || failed.has(key))
    },
    close: () => closeSync(file),
  }
}

const idsWith = (lines: readonly Line[], outcome: string) =>
  lines.filter((line) => line.outcome === outcome).map((line) => line.external_id ?? '')

const keyOf = ({ external_id: id = '', email = '' }: Line) => `${id} ${email}`

const isDelivered = ({ outcome }: Line) => outcome === 'invited' || outcome === 'mailed'

const lineOf =
  (externalId: string) =>
  ({ email, outcome, problem = '' }: ImportedPerson): Line => ({
    external_id: externalId,
    email,
    outcome,
    problem,
  })

function readLines(path: string): Line[] {
  const content = readFileSync(path, 'utf8')
  if (!content.startsWith(HEADING)) {
    throw new Error(`${path} is not the result of an import. Name another file with --result.`)
  }
  // A stop in the middle of a write leaves half a line, which says nothing.
  const whole = content.slice(0, content.lastIndexOf('\n') + 1)
  return parse(whole, { columns: true, relax_column_count: true })
}

function formatLine(line: Line): string {
  return `${COLUMNS.map((column) => formatCell(line[column] ?? '')).join(',')}\n`
}

/** Formats a cell (RFC 4180). A spreadsheet would run a text that begins like a formula. */
function formatCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
