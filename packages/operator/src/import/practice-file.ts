// Reads the file of an import: CSV with a line for each person, or JSON Lines with a line for each
// practice. Reports every problem with its line before anything is imported. Pure.
import { findSchemaErrors, PRACTICE, type Practice } from '@chartside/server/operator/people'
import { CsvError, parse } from 'csv-parse/sync'

export type FileFormat = 'csv' | 'jsonl'

interface FileProblem {
  readonly line: number
  readonly message: string
}

interface PracticeFile {
  readonly practices: readonly Practice[]
  readonly problems: readonly FileProblem[]
}

export const COLUMNS = [
  'external_id',
  'name',
  'collection_id',
  'collection_version',
  'email',
  'person_name',
  'role',
] as const
type Column = (typeof COLUMNS)[number]
const REQUIRED: readonly Column[] = ['external_id', 'name']

/** One practice as a line of the file says it. */
interface Draft {
  readonly line: number
  readonly value: unknown
}

export function readPracticeFile(text: string, format: FileFormat): PracticeFile {
  const withoutMark = text.replace(/^\uFEFF/, '')
  return format === 'csv' ? readCsv(withoutMark) : readJsonLines(withoutMark)
}

function readJsonLines(text: string): PracticeFile {
  const problems: FileProblem[] = []
  const drafts = text.split('\n').flatMap((content, i): Draft[] => {
    if (content.trim() === '') return []
    const line = i + 1
    try {
      return [{ line, value: JSON.parse(content) }]
    } catch {
      problems.push({ line, message: 'is not JSON; each line is one practice' })
      return []
    }
  })
  return checked(drafts, problems)
}

type CsvRow = Readonly<Partial<Record<Column, string>>>

function readCsv(text: string): PracticeFile {
  const problems: FileProblem[] = []
  const fail = (line: number, message: string) => ({
    practices: [],
    problems: [...problems, { line, message }],
  })
  let rows: readonly { readonly record: CsvRow; readonly info: { readonly lines: number } }[]
  try {
    rows = parse(text, { columns: true, skip_empty_lines: true, trim: true, info: true })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return fail(typeof error.lines === 'number' ? error.lines : 1, error.message)
  }
  const [first] = rows
  const names = Object.keys(first?.record ?? {})
  const unknown = names.filter((name) => !(COLUMNS as readonly string[]).includes(name))
  const missing = REQUIRED.filter((name) => first && !names.includes(name))
  if (unknown.length > 0) return fail(1, `unknown column ${unknown.join(', ')}; ${HEADING}`)
  if (missing.length > 0) return fail(1, `the column ${missing.join(', ')} is missing; ${HEADING}`)

  const byId = new Map<string, { line: number; head: object; people: object[] }>()
  for (const { record, info } of rows) {
    const { line, head, person } = draftOf(record, info.lines)
    const id = record.external_id ?? ''
    const known = byId.get(id)
    if (known && JSON.stringify(known.head) !== JSON.stringify(head)) {
      const message = `${id} has another name or collection than in line ${known.line}`
      problems.push({ line, message })
    }
    const practice = known ?? { line, head, people: [] }
    if (person) practice.people.push(person)
    byId.set(id, practice)
  }
  const drafts = [...byId.values()].map(({ line, head, people }) => ({
    line,
    value: { ...head, ...(people.length > 0 ? { people } : {}) },
  }))
  return checked(drafts, problems)
}

const HEADING = `the columns are ${COLUMNS.join(', ')}`

function draftOf(row: CsvRow, line: number) {
  const version = row.collection_version || 'latest'
  const collection = row.collection_id && {
    id: row.collection_id,
    version: version === 'latest' ? version : Number(version),
  }
  const head = {
    externalId: row.external_id ?? '',
    name: row.name ?? '',
    ...(collection ? { collection } : {}),
  }
  // A practice without people has one line without a person.
  const isPerson = Boolean(row.email || row.person_name || row.role)
  const person = isPerson && {
    email: row.email ?? '',
    name: row.person_name || row.email || '',
    role: row.role || 'provider',
  }
  return { line, head, person }
}

/** Checks each practice by the schema of the API, so that a file and a request are judged alike. */
function checked(drafts: readonly Draft[], earlier: readonly FileProblem[]): PracticeFile {
  const problems = [...earlier]
  const practices: Practice[] = []
  const lines = new Map<string, number>()
  for (const { line, value } of drafts) {
    const errors = findSchemaErrors(PRACTICE, value)
    for (const { instancePath, message = 'is not as it should be', params } of errors ?? []) {
      const more = 'additionalProperty' in params ? ` (${params.additionalProperty})` : ''
      problems.push({ line, message: `${instancePath || 'the practice'} ${message}${more}` })
    }
    if (errors) continue
    const practice = value as Practice
    const before = lines.get(practice.externalId)
    if (before === undefined) {
      lines.set(practice.externalId, line)
      practices.push(practice)
    } else {
      problems.push({ line, message: `${practice.externalId} is in line ${before} already` })
    }
  }
  return { practices, problems: problems.sort((a, b) => a.line - b.line) }
}
