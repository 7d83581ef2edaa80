// Prints the numbers by which the house is kept: sizes, import cycles, imports against the declared
// graph, repeated code, long titles, words that STYLE.md does not use, requirements without a test.
// Reads files, runs none of them. `npm run numbers -- [--root DIR] [--json]`.
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defineScript } from './command-line.ts'
import { findCycles, listArrows } from './numbers/imports.ts'
import { countRepeats } from './numbers/repeats.ts'
import { listTitles } from './numbers/titles.ts'
import { countUnusedWords } from './numbers/words.ts'
import { loadDurations, WHOLE_RUN } from './test/durations.ts'

const values = defineScript('numbers', 'Prints the numbers by which the house is kept.')
  .option('--root <dir>', 'another checkout to measure, for a comparison')
  .option('--json', 'one JSON object instead of a table')
  .parse()
  .opts<{ root?: string; json?: boolean }>()

const root = resolve(values.root ?? join(import.meta.dirname, '..'))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const list = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .filter((path) => !/(^|\/)(node_modules|dist|\.chartside)\//.test(path))
    .sort()

const code = list('{packages,examples,bench,scripts,test,conformance}/**/*.{ts,tsx,mjs}')
  .filter((path) => !/^\/\/ Generated/m.test(read(path).slice(0, 400)))
  .map((path) => ({ path, text: read(path) }))
const isTest = (path: string) => /\.(test|browser)\.ts$|(^|\/)test\//.test(path)
const source = code.filter(({ path }) => !isTest(path))
const tests = code.filter(({ path }) => isTest(path))
const documents = list('{*.md,docs/**/*.md,{packages,examples,bench}/**/*.md}').map((path) => ({
  path,
  text: read(path),
}))

const lengths = source.map(({ text }) => text.split('\n').length - 1).sort((a, b) => a - b)
const quantile = (part: number) => lengths[Math.ceil(lengths.length * part) - 1] ?? 0
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

const arrows = listArrows(source)
const titles = listTitles(tests)

const numbers: Record<string, number | string> = {
  'source files': source.length,
  'source lines': sum(lengths),
  'lines of a source file, p90': quantile(0.9),
  'lines of a source file, maximum': quantile(1),
  'test files and fixtures': tests.length,
  'test lines': sum(tests.map(({ text }) => text.split('\n').length - 1)),
  'import cycles (values)': findCycles(arrows.filter(({ isType }) => !isType)).length,
  'repeated runs of six lines': countRepeats(code),
  'test titles': titles.length,
  'test titles over 80 characters': titles.filter((title) => title.length > 80).length,
  'words that STYLE.md does not use': countUnusedWords([...code, ...documents]),
  ...(await backwardImports()),
  ...requirements(),
  ...testSeconds(),
}

/** Imports between rooms of the server that the declared graph does not have. */
async function backwardImports(): Promise<Record<string, number | string>> {
  const [path] = list('test/import-graph.ts')
  if (path === undefined) return { 'imports outside the declared graph': 'no graph is declared' }
  const { listUndeclared } = await import(join(root, path))
  return { 'imports outside the declared graph': listUndeclared(source).length }
}

/** Of the last runs in this checkout. */
function testSeconds(): Record<string, number | string> {
  const durations = loadDurations(root)
  const show = (label: string) => durations[label]?.toFixed(0) ?? 'not run here'
  return {
    'seconds of the last npm test': show(WHOLE_RUN.all),
    'seconds of the last npm test -- --changed': show(WHOLE_RUN.changed),
  }
}

function requirements(): Record<string, number | string> {
  const [path] = list('docs/spec/requirements.md')
  if (path === undefined) return { 'requirements without a test': 'no page of requirements' }
  const [, without = '?', explained = '?'] =
    /With a test: \d+\. Without a test, with a reason: ((\d+))\./.exec(read(path)) ?? []
  return {
    'requirements without a test': without,
    'of these with a written reason': explained,
  }
}

if (values.json) process.stdout.write(`${JSON.stringify(numbers, null, 2)}\n`)
else {
  const width = Math.max(...Object.keys(numbers).map((name) => name.length))
  for (const [name, number] of Object.entries(numbers)) {
    process.stdout.write(`${name.padEnd(width)}  ${number}\n`)
  }
}
