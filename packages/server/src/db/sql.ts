// Writes SQL with its values in place: sql`SELECT … WHERE id = ${id}`. Every value becomes a
// parameter, so no text of a caller can become SQL. A statement inside a statement is a fragment:
// its text and its parameters are inserted where it stands. Knows no table and no engine.

/** Bytes are BYTEA in a schema: both engines store them as they are. */
export type SqlValue = string | number | Uint8Array | null

/** A row as a driver gives it. */
export type Row = Readonly<Record<string, SqlValue>>

export interface Statement {
  /** Parameters are `?`, in the order of `args`; the PostgreSQL driver numbers them. */
  readonly sql: string
  readonly args: readonly SqlValue[]
  /**
   * The row that it is about, of a statement that a driver may let wait for others of its kind: a SELECT
   * of a few rows by their key, or the first statement of a write that locks this row and no other.
   */
  readonly rowKey?: string
  /** Only a SELECT has this value: a driver may give its rows again while no write may have changed them. */
  readonly remembered?: Remembered
  /**
   * For a write, this is the identifier of the one record whose remembered rows it may change; `rowKey` says
   * the same. Without both they count as changed for every record of its table.
   */
  readonly concerns?: string
}

/** The facts about rows that are kept: they say which writes change them. */
export interface Remembered {
  readonly name: string
  /** Every table that the statement reads. */
  readonly tables: readonly string[]
  /** The identifiers of the records that the rows come from, as writes name them. */
  recordsOf(rows: readonly Row[]): readonly string[]
  /** Writes of another process count at once; else after a tenth of a second. */
  readonly seesOthersAtOnce?: true
}

type Part = SqlValue | Statement

const isFragment = (part: Part): part is Statement =>
  typeof part === 'object' && part !== null && !(part instanceof Uint8Array)

/** One text of a template; a template with fragments has one for each combination of them. */
interface BuiltText {
  readonly fragments: readonly string[]
  readonly text: string
}

/**
 * The texts of each template, by the identity of its strings. The drivers look up prepared
 * statements by text, and a string that is built once is compared by its address.
 */
const builtTexts = new WeakMap<TemplateStringsArray, BuiltText[]>()

/** Further combinations are built each time. */
const MAX_BUILT_TEXTS = 8

export function sql(strings: TemplateStringsArray, ...parts: readonly Part[]): Statement {
  // Every request builds some: loops, because array methods with functions cost a multiple here.
  let fragments: string[] | undefined
  for (const part of parts) {
    if (!isFragment(part)) continue
    if (fragments) fragments.push(part.sql)
    else fragments = [part.sql]
  }
  if (!fragments) {
    return { sql: textOf(strings, NO_FRAGMENTS, parts), args: parts as readonly SqlValue[] }
  }
  const args: SqlValue[] = []
  for (const part of parts) {
    if (!isFragment(part)) args.push(part)
    else for (const value of part.args) args.push(value)
  }
  return { sql: textOf(strings, fragments, parts), args }
}

/** Marks a statement that finds its rows by key; of a write, with the identifier of the row that it locks. */
export const byKey = (statement: Statement, rowKey = ''): Statement => ({ ...statement, rowKey })

export const remember = (statement: Statement, remembered: Remembered): Statement => ({
  ...statement,
  remembered,
})

/** Marks a write that changes the rows of this record only, among the tables of remembered rows. */
export const concerning = (concerns: string, statement: Statement): Statement => ({
  ...statement,
  concerns,
})

const NO_FRAGMENTS: readonly string[] = []

function textOf(
  strings: TemplateStringsArray,
  fragments: readonly string[],
  parts: readonly Part[],
): string {
  let built = builtTexts.get(strings)
  if (!built) {
    built = []
    builtTexts.set(strings, built)
  }
  for (const known of built) if (isSame(known.fragments, fragments)) return known.text
  const text = strings.reduce((before, after, i) => {
    const part = parts[i - 1] ?? null
    return before + (isFragment(part) ? part.sql : '?') + after
  })
  if (built.length < MAX_BUILT_TEXTS) built.push({ fragments, text })
  return text
}

/** The fragments of one template are as many each time. */
function isSame(some: readonly string[], others: readonly string[]): boolean {
  for (let index = 0; index < some.length; index++) {
    if (some[index] !== others[index]) return false
  }
  return true
}

/** Values for `IN (…)`. SQL has no empty list: an empty one gives NULL, which equals nothing. */
export const list = (values: readonly SqlValue[]): Statement =>
  values.length === 0
    ? { sql: 'NULL', args: [] }
    : { sql: values.map(() => '?').join(', '), args: values }

/** A table or a column whose name is chosen in the code. @throws TypeError for any other text. */
export function identifier(name: string): Statement {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new TypeError('not the name of a table or a column')
  return { sql: name, args: [] }
}

/** The condition that holds for every row. */
export const ALWAYS = sql`1 = 1`
