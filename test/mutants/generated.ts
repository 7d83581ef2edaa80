// Makes mutants from the syntax of every package: a negated condition, a dropped guard, a dropped
// `await`, a moved bound, `&&` for `||`, a dropped line of a WHERE clause. Parses; plants and runs nothing.
// The catalog by hand names faults that a person thought of; these are the ones that a person overlooks.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { findReachable } from '../../scripts/test/file-imports.ts'
import { MUTANTS } from './catalog.ts'
import type { Mutant } from './mutant.ts'

/** Components are not among them: what they show is tested in a browser. */
const FILES = 'packages/*/src/**/*.ts'

/** More would make one survivor cost minutes. */
const MAX_TESTS = 8

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

/** The test beside the file, then what the catalog names for the file, its room and what reaches it. */
function listNearestTests(
  file: string,
  reachedBy: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  const room = file.slice(0, file.lastIndexOf('/'))
  const beside = file.replace(/\.ts$/, '.test.ts')
  const named = (isNear: (mutant: Mutant) => boolean) =>
    MUTANTS.filter(isNear).flatMap(({ tests }) => tests)
  const reaching = [...reachedBy].flatMap(([path, reached]) => (reached.has(file) ? [path] : []))
  const nearest = [
    ...(reachedBy.has(beside) ? [beside] : []),
    ...named((mutant) => mutant.file === file),
    ...reaching,
    ...named((mutant) => mutant.file.startsWith(`${room}/`)),
  ]
  return [...new Set(nearest)].slice(0, MAX_TESTS)
}

/** Through the wiring every test reaches every file. */
const isWiring = (path: string) => path === 'packages/server/src/app.ts'

/** So many, drawn by `seed`: the same seed draws the same ones of the same tree. */
export function drawMutants(root: string, count: number, seed: string): readonly Mutant[] {
  const placeOf = ({ name }: Mutant) => createHash('sha256').update(`${seed} ${name}`).digest('hex')
  return generateMutants(root)
    .map((mutant) => ({ mutant, place: placeOf(mutant) }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}

function generateMutants(root: string): readonly Mutant[] {
  const tests = globSync('{packages,examples}/**/*.test.ts', { cwd: root }).filter(
    (path) => !/node_modules|\/templates\//.test(path),
  )
  const reachedBy = new Map(tests.map((path) => [path, findReachable(root, path, isWiring)]))
  const files = globSync(FILES, { cwd: root })
    .filter(
      (path) => !/\.(test|d)\.ts$|-schema\.ts$|-routes\.ts$|-fixture\.ts$|generated/.test(path),
    )
    .sort()
  return files
    .flatMap((file) => {
      const changes = listChanges(file, readFileSync(join(root, file), 'utf8'))
      if (changes.length === 0) return []
      const nearest = listNearestTests(file, reachedBy)
      return changes.map(({ kind, start, end, replace }, index): Mutant => {
        const name = `${file.replace(/\.ts$/, '').replace(/[^a-z0-9]+/g, '-')}-${kind}-${index}`
        const rest = { requirement: kind, engine: 'sqlite', redundant: undefined } as const
        return {
          name,
          area: 'drawn',
          file,
          place: { start, end },
          replace,
          ...rest,
          tests: nearest,
        }
      })
    })
    .filter(({ tests }) => tests.length > 0)
}
