// Prints the numbers by which the house is kept, of this checkout and of an earlier revision beside it:
// sizes, circles, repeated code, long functions, titles and words. Reads files, runs no code of them.
// Usage: npm run tool -- numbers [--base REV] [--json]
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineTool } from './command-line.ts'
import { findLongFunctions } from './numbers/functions.ts'
import { countBackwardArrows, findCycles, listArrows, type SourceFile } from './numbers/imports.ts'
import { countRepeats } from './numbers/repeats.ts'
import { listTitles } from './numbers/titles.ts'
import { countUnusedWords } from './numbers/words.ts'
import { loadDurations, WHOLE_RUN } from './test/durations.ts'

const values = defineTool('numbers', 'Prints the numbers by which the house is kept.')
  .option('--base <rev>', 'an earlier revision, beside this checkout')
  .option('--json', 'one JSON object instead of a table')
  .parse()
  .opts<{ base?: string; json?: boolean }>()

const here = join(import.meta.dirname, '..')
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: here, encoding: 'utf8', maxBuffer: 1e9 })

type Numbers = Readonly<Record<string, number | string>>

const TEST = /\.(test|browser|process|release|perf|next)\.ts$|(^|\/)test\//
const CODE = /\.(ts|tsx|mjs)$/
const PICTURE = /\.(webp|png|jpe?g|gif|svg)$/
const SERVER = 'packages/server/src/'

const countLines = (files: readonly SourceFile[]) =>
  files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
const countWords = (files: readonly SourceFile[]) =>
  files.reduce((sum, { text }) => sum + text.split(/\s+/).filter(Boolean).length, 0)

/** Measures the files, without code that a script writes. */
function measure(root: string, paths: readonly string[]): Numbers {
  const read = (path: string): SourceFile => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  })
  const code = paths
    .filter((path) => CODE.test(path))
    .map(read)
    .filter(({ text }) => !/^\/\/ Generated/im.test(text.slice(0, 400)))
  const source = code.filter(({ path }) => !TEST.test(path))
  const tests = code.filter(({ path }) => TEST.test(path))
  const server = source.filter(({ path }) => path.startsWith(SERVER))
  const documents = paths.filter((path) => path.endsWith('.md')).map(read)
  const arrows = listArrows(source)
  const circles = findCycles(arrows)
  const long = findLongFunctions(source)
  const titles = listTitles(tests)
  const { scripts } = JSON.parse(read('package.json').text)
  return {
    'tracked files': paths.length,
    'source lines': countLines(source),
    'of them in the server': countLines(server),
    'test lines': countLines(tests),
    'root scripts': Object.keys(scripts).filter((name) => name !== 'prepare').length,
    'words of docs and of the pages at the root': countWords(
      documents.filter(({ path }) => path.startsWith('docs/') || !path.includes('/')),
    ),
    'words of all documents': countWords(documents),
    'arrows between rooms of the server that run back up': countBackwardArrows(server, SERVER),
    'circles of two files': circles.filter(({ length }) => length === 2).length,
    'circles of three files or more': circles.filter(({ length }) => length > 2).length,
    'functions over 80 lines, components over 120': long.length,
    'functions over 120 lines': long.filter(({ lines }) => lines > 120).length,
    'tracked pictures below docs': paths.filter(
      (path) => path.startsWith('docs/') && PICTURE.test(path),
    ).length,
    'repeated runs of six lines': countRepeats(code),
    'test titles': titles.length,
    'test titles over 80 characters': titles.filter(({ length }) => length > 80).length,
    'words that STYLE.md does not use': countUnusedWords([...code, ...documents]),
  }
}

/** Returns the seconds of the last runs in this checkout. */
function testSeconds(): Numbers {
  const durations = loadDurations(here)
  return Object.fromEntries(
    Object.values(WHOLE_RUN).map((command) => [
      `seconds of the last ${command}`,
      durations[command]?.toFixed(0) ?? 'not run here',
    ]),
  )
}

function measureRevision(revision: string): Numbers {
  const folder = mkdtempSync(join(tmpdir(), 'chartside-numbers-'))
  try {
    const archive = join(folder, 'tree.tar')
    git('archive', '--format=tar', `--output=${archive}`, revision)
    execFileSync('tar', ['-xf', archive, '-C', folder])
    return measure(folder, git('ls-tree', '-r', '--name-only', revision).trim().split('\n'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const now = { ...measure(here, git('ls-files').trim().split('\n')), ...testSeconds() }
const before = values.base === undefined ? undefined : measureRevision(values.base)
if (values.json) process.stdout.write(`${JSON.stringify({ before, now }, null, 2)}\n`)
else {
  const width = Math.max(...Object.keys(now).map((name) => name.length))
  if (before) process.stdout.write(`${''.padEnd(width)}  ${'before'.padStart(8)}       now\n`)
  for (const [name, number] of Object.entries(now)) {
    const column = before ? `${String(before[name] ?? '').padStart(8)}  ` : ''
    process.stdout.write(`${name.padEnd(width)}  ${column}${String(number).padStart(8)}\n`)
  }
}
