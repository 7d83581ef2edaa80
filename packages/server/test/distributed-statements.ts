// Whether an engine that divides tables over machines can run a statement, and in one partition: each
// table with a partition key is compared with a value of it, or with another such table that is. A small
// reader of SQL, for the statements of this service. Every story checks what it sends.
import { appendFileSync } from 'node:fs'
import type { Database } from '../src/db/database.ts'
import { isLocal, PARTITIONED_TABLES, SPREAD_TABLES } from '../src/db/migrations/layout.ts'
import type { Statement } from '../src/db/sql.ts'

/** Statements that ask every partition, each with the reason. A join still needs the key. */
export const ASK_EVERY_PARTITION: readonly { readonly why: string; readonly of: RegExp }[] = [
  {
    why: 'the sweep removes old rows of all accounts',
    of: /^DELETE FROM (launches|launch_failures|ehr_sessions|problem_reports) WHERE \(part, id\) IN/,
  },
  {
    why: 'the end of a sign-in ends its sessions in every account',
    of: /^UPDATE ehr_sessions AS e SET ended_at .*\be\.(sign_in_id|user_id)\b/,
  },
  {
    why: 'the end of a sign-in ends the launches of its sessions',
    of: /^UPDATE launches SET ended_at .*\be\.(sign_in_id|user_id)\b/,
  },
  {
    why: 'the removal of a person takes their reports in every account',
    of: /^DELETE FROM problem_reports WHERE user_id = \?/,
  },
  {
    why: 'the kill switch ends the launches of an app in every account',
    of: /^UPDATE launches SET ended_at .* WHERE app_id = \?/,
  },
  {
    why: 'the end of a sign-in or an app makes the notices of its sessions due in every account',
    of: /^UPDATE logout_debts SET ended_at .*(\be\.(sign_in_id|user_id)\b| WHERE app_id = \?)/,
  },
  { why: 'a node looks for due notices of all accounts', of: /^SELECT .* FROM logout_debts WHERE/ },
  {
    why: 'a person, a vendor and the platform list launches of many accounts',
    of: /^SELECT l\.\*, s\.signed_in_at.* UNION |^SELECT l\.\*, s\.signed_in_at.* ORDER BY l\.id DESC LIMIT/,
  },
  {
    why: 'summaries, causes and practices of such lists',
    of: /^SELECT (CASE WHEN l\.failure_count|f\.reason, f\.step|r\.id, r\.name|COUNT\(\*\) AS failed)/,
  },
  {
    why: 'the newest launches of an app, of every account',
    of: /^SELECT (newest\.\*|SUM\(CASE WHEN newest\.)/,
  },
  {
    why: 'one node counts the launches of all accounts, and a vendor and the platform read the counts',
    of: /^(DELETE FROM|INSERT INTO) launch_counts|^SELECT .*FROM launch_counts c/,
  },
  {
    why: 'one node deletes the old counts of refused sign-ins, and the oldest of all is looked for',
    of: /^DELETE FROM refused_sign_ins WHERE at|^SELECT MIN\(r\.at\)/,
  },
  {
    why: 'a page asks at the token endpoint by OPTIONS, which names its origin and no launch',
    of: /^SELECT l\.id, .* AS waits_at FROM launches l/,
  },
  {
    why: 'whether a scope has launches of a session',
    of: /^SELECT id FROM \(.*\) AS seen LIMIT 1/,
  },
  {
    why: 'a person and the platform list sessions of many accounts',
    of: /^SELECT s\.id, s\.sign_in_id, s\.user_id, s\.account_id.* launch_count/,
  },
  {
    why: 'the audit chain looks for new events of all accounts',
    of: /^SELECT (e\.part, e\.n, e\.at, e\.account_id, e\.content FROM audit_entries e WHERE e\.at >=|account_id FROM audit_(chain|events) LIMIT 1$)/,
  },
]

/** One table in a statement, by the name that its columns have there. */
interface Reference {
  readonly table: string
  readonly alias: string
  readonly block: number
}

/** One SELECT, or one branch of a UNION; the statements inside are marks `§n§`. */
interface Block {
  readonly text: string
  readonly parent: number | undefined
}

const KEYWORDS =
  /^(as|where|set|join|on|order|limit|group|select|values|left|and|union|returning|default)$/i
const isPartitioned = (table: string) => Object.hasOwn(PARTITIONED_TABLES, table)

/** Why an engine of this kind cannot run the statement in one partition; undefined when it can. */
export function findProblem(statement: string): string | undefined {
  const text = statement
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/--.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
  const blocks = divideIntoBlocks(text)
  const references = blocks.flatMap(({ text: own }, block) => listReferences(own, block))
  const keyed = references.filter(({ table }) => isPartitioned(table))
  if (keyed.length === 0) return undefined
  const foreign = references.find(({ table }) => Object.hasOwn(SPREAD_TABLES, table))
  if (foreign) return `${foreign.table} is not beside ${keyed[0]?.table}`
  const source = /^INSERT/.test(text) ? keyed.slice(1) : keyed
  const alone = references.find((one) => isLocal(one.table) && isMixed(one, source, blocks))
  if (alone) return `${alone.table} is on the coordinator, and read row by row of a divided table`
  const [, target] = /^(?:UPDATE|DELETE FROM|INSERT INTO) (\w+)/.exec(text) ?? []
  if (target && !isPartitioned(target))
    return `${target} is on other machines, and changes by rows of one`
  if (target && /^INSERT/.test(text) && !/^INSERT INTO \w+ ?\([^)]*\bpart\b/.test(text)) {
    return `a row of ${target} without its part`
  }
  return findUnlinked(blocks, keyed, text)
}

/** A statement of its own is done first, on the coordinator; one that names a divided row is not. */
function isMixed(local: Reference, keyed: readonly Reference[], blocks: readonly Block[]): boolean {
  const own = blocks[local.block]?.text ?? ''
  return keyed.some(
    ({ alias, block }) => block === local.block || new RegExp(`\\b${alias}\\.`).test(own),
  )
}

function findUnlinked(blocks: readonly Block[], keyed: readonly Reference[], text: string) {
  const group = keyed.map((_, at) => at)
  const root = (at: number): number => (group[at] === at ? at : root(group[at] ?? at))
  const join = (a: number, b: number) => {
    group[root(a)] = root(b)
  }
  const inBlock = (block: number) => keyed.flatMap((one, at) => (one.block === block ? [at] : []))
  /** What a name means in a block: a table of it or of one around it, or a statement in its FROM. */
  const resolve = (alias: string, block: number | undefined): number[] => {
    if (block === undefined) return []
    const own = keyed.flatMap((one, at) => (one.block === block && one.alias === alias ? [at] : []))
    if (own.length > 0) return own
    const derived = new RegExp(`§(\\d+)§ AS ${alias}\\b`).exec(blocks[block]?.text ?? '')
    if (derived) return carriers(Number(derived[1]))
    return resolve(alias, blocks[block]?.parent)
  }
  /** The tables whose part a statement inside gives back. */
  const carriers = (block: number): number[] => {
    const found = inBlock(block)
    const nested = [...(blocks[block]?.text ?? '').matchAll(/§(\d+)§/g)].flatMap(([mark, id]) =>
      new RegExp(`(FROM|UNION) ${mark}|^${mark}`).test(blocks[block]?.text ?? '')
        ? carriers(Number(id))
        : [],
    )
    return [...found, ...nested]
  }
  const anchored = new Set<number>()
  for (const [block, { text: own }] of blocks.entries()) {
    const mine = inBlock(block)
    for (const [, alias = '', other] of own.matchAll(
      /(?:\b(\w+)\.)?\bpart (?:= \?|IN \((?:\?|NULL)|= (\w+)\.part)/g,
    )) {
      const left = alias ? resolve(alias, block) : mine
      if (other === undefined) for (const at of left) anchored.add(at)
      else for (const a of left) for (const b of resolve(other, block)) join(a, b)
    }
    for (const [, alias, inner] of own.matchAll(/\((?:(\w+)\.)?part, [\w.]+\) IN ?§(\d+)§/g)) {
      const outer = alias ? resolve(alias, block) : mine
      for (const a of outer) for (const b of carriers(Number(inner))) join(a, b)
    }
  }
  if (/^INSERT/.test(text)) {
    // The part of the new row is a value, or that of the row that it is made of.
    const [target, source] = [0, keyed.findIndex((_, at) => at > 0)]
    if (source > 0 && /SELECT (?:[^,]+, )?\w+\.part\b/.test(text)) join(target, source)
    else anchored.add(target)
  }
  const roots = new Set(keyed.map((_, at) => root(at)))
  const withoutKey = [...roots].filter((one) => ![...anchored].some((at) => root(at) === one))
  if (roots.size > 1 && withoutKey.length > 0) {
    return `${keyed[withoutKey[0] ?? 0]?.table} is joined without the partition key`
  }
  if (withoutKey.length > 0 && !ASK_EVERY_PARTITION.some(({ of }) => of.test(text))) {
    return `${keyed[0]?.table} is asked in every partition`
  }
  return undefined
}

function divideIntoBlocks(text: string): Block[] {
  const blocks: { text: string; parent: number | undefined }[] = []
  const add = (from: string, parent: number | undefined): number[] => {
    const own = from.split(/ UNION (?:ALL )?/).map((part) => {
      const at = blocks.push({ text: part, parent }) - 1
      return at
    })
    for (const at of own) {
      const block = blocks[at]
      if (block) block.text = replaceInner(block.text, at)
    }
    return own
  }
  const replaceInner = (own: string, at: number): string => {
    let result = ''
    for (let i = 0; i < own.length; i++) {
      if (own.startsWith('(SELECT', i) || own.startsWith('( SELECT', i)) {
        const end = closing(own, i)
        result += add(splitSafe(own.slice(i + 1, end).trim()), at)
          .map((id) => ` §${id}§`)
          .join(' UNION')
        i = end
      } else result += own.charAt(i)
    }
    return result.replace(/ +/g, ' ')
  }
  add(splitSafe(text), undefined)
  return blocks
}

/** A UNION inside parentheses belongs to the statement there. */
function splitSafe(text: string): string {
  let depth = 0
  return text.replace(/\(|\)| UNION /g, (found) => {
    if (found === '(') depth += 1
    if (found === ')') depth -= 1
    return found === ' UNION ' && depth > 0 ? ' UNION\u00a0' : found
  })
}

function closing(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')' && --depth === 0) return at
  }
  return text.length
}

function listReferences(own: string, block: number): Reference[] {
  const found = own.matchAll(/\b(?:FROM|JOIN|UPDATE|INTO) (\w+)(?: (?:AS )?(\w+))?/g)
  return [...found].map(([, table = '', alias]) => ({
    table,
    alias: alias && !KEYWORDS.test(alias) ? alias : table,
    block,
  }))
}

const known = new Map<string, string | undefined>()

/** Statements of the service only: a story looks at tables as it likes. */
const isOfService = () => {
  const frames = (new Error().stack ?? '').split('\n')
  const caller = frames.find(
    (line) =>
      /packages\/\w+\/(src|test)\//.test(line) &&
      !/distributed-statements|\/src\/(db|metrics|cluster\/readiness)/.test(line),
  )
  return caller?.includes('/src/') === true && !caller.includes('.test.ts')
}

/** `npm run tool -- citus` executes what stands in this file: one of each text, a line of JSON each. */
const { CHARTSIDE_STATEMENTS_FILE: STATEMENTS_FILE } = process.env

function keep({ sql, args }: Statement): void {
  if (!STATEMENTS_FILE) return
  const values = args.map((one) =>
    one instanceof Uint8Array ? { hex: Buffer.from(one).toString('hex') } : one,
  )
  appendFileSync(STATEMENTS_FILE, `${JSON.stringify({ sql, args: values })}\n`)
}

function check(statements: readonly Statement[]): void {
  for (const statement of statements) {
    const { sql } = statement
    const isNew = !known.has(sql)
    if (isNew) known.set(sql, findProblem(sql))
    const problem = known.get(sql)
    if (!problem && !isNew) continue
    if (!isOfService()) continue
    if (problem) throw new Error(`No distributed engine can do this: ${problem}. ${sql}`)
    keep(statement)
  }
}

/** Refuses what the service sends and a distributed engine cannot do. */
export function refuseUndistributable(db: Database): void {
  const { read, write } = db
  Object.assign(db, {
    read(statement: Statement) {
      check([statement])
      return read.call(db, statement)
    },
    write(...statements: readonly Statement[]) {
      check(statements)
      return write.call(db, ...statements)
    },
  })
}
