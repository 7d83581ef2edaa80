// Makes mutants from the syntax of every package: a negated condition, a dropped guard, a dropped
// `await`, a moved bound, `&&` for `||`, a dropped line of a WHERE clause. Parses; plants and runs nothing.
// The catalog by hand names faults that a person thought of; these are the ones that a person overlooks.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { findReachable } from '../../scripts/test/file-imports.ts'
import { listTestFiles } from '../../scripts/test/test-files.ts'
import { MUTANTS } from './catalog.ts'
import type { Mutant } from './mutant.ts'

/** Components are not among them: what they show is tested in a browser. */
const FILES = 'packages/*/src/**/*.ts'
const NO_RULES = /\.(test|d)\.ts$|-(schema|routes|fixture)\.ts$|\/generated\//

/** More would make one survivor cost minutes. */
const MAX_TESTS = 12

interface Change {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly replace: string
}

interface Span {
  readonly start: number
  readonly end: number
}

const BOUNDS: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
const LOGIC: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' }

/** One line of a guard in SQL. It drops out with its `AND`, so that the statement still parses. */
const SQL_GUARD = /\n\s*AND [^\n`]+(?=\n)/g

/** Every change that still parses, in the order of the file. */
export function listChanges(path: string, source: string): readonly Change[] {
  const changes: Change[] = []
  const textOf = ({ start, end }: Span) => source.slice(start, end)
  const add = (kind: string, { start, end }: Span, replace: string) =>
    changes.push({ kind, start, end, replace })
  new Visitor({
    IfStatement(node) {
      add('negated-condition', node.test, `!(${textOf(node.test)})`)
      const isGuard = /^\{?\s*(return|throw)\b/.test(textOf(node.consequent))
      if (isGuard && !node.alternate) add('dropped-guard', node, ';')
    },
    AwaitExpression(node) {
      add('dropped-await', node, textOf(node.argument))
    },
    BinaryExpression(node) {
      const other = BOUNDS[node.operator]
      if (other) add('moved-bound', node, `${textOf(node.left)} ${other} ${textOf(node.right)}`)
    },
    LogicalExpression(node) {
      const other = LOGIC[node.operator]
      if (other) add('other-logic', node, `(${textOf(node.left)}) ${other} (${textOf(node.right)})`)
    },
    TemplateLiteral(node) {
      for (const match of textOf(node).matchAll(SQL_GUARD)) {
        const start = node.start + match.index
        add('dropped-sql-guard', { start, end: start + match[0].length }, '')
      }
    },
  }).visit(parseSync(path, source).program)
  return changes.sort((a, b) => a.start - b.start)
}

interface Test {
  readonly path: string
  readonly text: string
  readonly reached: ReadonlySet<string>
}

/** The test beside the file, what the catalog names for it, what reaches it, and what speaks of the same things. */
function listNearestTests(file: string, source: string, tests: readonly Test[]): readonly string[] {
  const beside = file.replace(/\.ts$/, '.test.ts')
  const nearest = [
    ...tests.filter(({ path }) => path === beside),
    ...tests.filter(({ reached }) => reached.has(file)),
  ].map(({ path }) => path)
  const named = MUTANTS.filter((mutant) => mutant.file === file).flatMap(({ tests }) => tests)
  const related = rankByWords(wordsOf(file, source), tests)
  return [...new Set([...nearest.slice(0, MAX_TESTS / 2), ...named, ...related])].slice(
    0,
    MAX_TESTS,
  )
}

/** Of the names of file and room, and of the texts in it: a path of a route, an action, a code, a table. */
function wordsOf(file: string, source: string): ReadonlySet<string> {
  const names = file.split('/').slice(-2).join('-').replace('.ts', '').split('-')
  const texts = [...source.matchAll(/['"`]([\w/:.-]{4,60})['"`]/g)].map(([, word = '']) => word)
  return new Set([...names, ...texts].filter((word) => word.length > 3 && !word.startsWith('.')))
}

/** A word that few tests have says more. */
function rankByWords(words: ReadonlySet<string>, tests: readonly Test[]): readonly string[] {
  const weights = new Map<string, number>()
  for (const word of words) {
    const having = tests.filter(({ path, text }) => path.includes(word) || text.includes(word))
    for (const { path } of having) {
      const weight = (path.includes(word) ? 3 : 1) / having.length
      weights.set(path, (weights.get(path) ?? 0) + weight)
    }
  }
  return [...weights].sort(([, a], [, b]) => b - a).map(([path]) => path)
}

/** Through the wiring every test reaches every file. */
const isWiring = (path: string) => path === 'packages/server/src/app.ts'

/** So many, drawn by `seed`: the same seed draws the same ones of the same tree. */
export function drawMutants(root: string, count: number, seed: string): readonly Mutant[] {
  const orderOf = ({ name }: Candidate) =>
    createHash('sha256').update(`${seed} ${name}`).digest('hex')
  const drawn = listCandidates(root)
    .map((candidate) => ({ candidate, order: orderOf(candidate) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .slice(0, count)
  const tests = listTestFiles(root)
    .filter(({ tier }) => tier === 1)
    .map(({ path }) => ({
      path,
      text: readFileSync(join(root, path), 'utf8'),
      reached: findReachable(root, path, isWiring),
    }))
  return drawn.map(({ candidate: { name, file, source, change } }) => ({
    ...{ name, file, area: 'drawn', requirement: change.kind, redundant: undefined },
    ...{ place: change, replace: change.replace },
    engine: file.includes('/db/postgres/') ? 'postgres' : 'sqlite',
    tests: listNearestTests(file, source, tests),
  }))
}

interface Candidate {
  readonly name: string
  readonly file: string
  readonly source: string
  readonly change: Change
}

function listCandidates(root: string): readonly Candidate[] {
  const files = globSync(FILES, { cwd: root })
    .filter((path) => !NO_RULES.test(path))
    .sort()
  return files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    const stem = file.replace(/\.ts$/, '').replace(/[^a-z0-9]+/g, '-')
    return listChanges(file, source).map((change, index) => {
      return { name: `${stem}-${change.kind}-${index}`, file, source, change }
    })
  })
}
