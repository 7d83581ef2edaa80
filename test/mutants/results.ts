// Keeps what each mutant showed: in a cache, under a fingerprint of the mutant, its file and its tests,
// so that a run goes on where another ended; and the result of a complete run in results.json.
// Reads and writes files; runs nothing.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Mutant } from './mutant.ts'
import type { Verdict } from './run-mutant.ts'

const CACHE = '.chartside/mutants.json'
const RESULTS = 'test/mutants/results.json'

export type Known = Record<string, Verdict & { readonly fingerprint: string }>

/** What docs/inside/threat-model.md shows. */
export interface Results {
  readonly commit: string
  /** RFC 3339. */
  readonly date: string
  readonly planted: number
  /** Of those that change behaviour. */
  readonly caught: number
  readonly changing: number
  readonly areas: Readonly<Record<string, { readonly planted: number; readonly caught: number }>>
  readonly survivors: readonly {
    readonly name: string
    readonly requirement: string
    readonly reason: string
  }[]
}

export function fingerprintOf(root: string, mutant: Mutant): string {
  const hash = createHash('sha256').update(JSON.stringify(Object.entries(mutant).sort()))
  for (const path of [mutant.file, ...mutant.tests]) hash.update(readFileSync(join(root, path)))
  return hash.digest('base64url').slice(0, 22)
}

export function loadKnown(root: string): Known {
  try {
    return JSON.parse(readFileSync(join(root, CACHE), 'utf8'))
  } catch {
    return {}
  }
}

export function saveKnown(root: string, known: Known): void {
  mkdirSync(dirname(join(root, CACHE)), { recursive: true })
  writeFileSync(join(root, CACHE), JSON.stringify(known))
}

export function buildResults(
  root: string,
  now: Date,
  results: readonly (readonly [Mutant, Verdict])[],
): Results {
  const changing = results.filter(([{ redundant }]) => redundant === undefined)
  const isCaught = ([, { outcome }]: readonly [Mutant, Verdict]) => outcome === 'caught'
  const areas: Record<string, { planted: number; caught: number }> = {}
  for (const result of changing) {
    const [{ area }] = result
    const { planted, caught } = areas[area] ?? { planted: 0, caught: 0 }
    areas[area] = { planted: planted + 1, caught: caught + (isCaught(result) ? 1 : 0) }
  }
  return {
    commit: commitOf(root),
    date: now.toISOString(),
    planted: results.length,
    changing: changing.length,
    caught: changing.filter(isCaught).length,
    areas,
    survivors: results
      .filter((result) => !isCaught(result))
      .map(([{ name, requirement, redundant }, { by }]) => ({
        name,
        requirement,
        reason: redundant ?? (by === '' ? 'no test catches it' : by),
      })),
  }
}

function commitOf(root: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  try {
    return git('rev-parse', '--short=12', 'HEAD')
  } catch {
    return 'unknown'
  }
}

export function writeResults(root: string, results: Results): string {
  writeFileSync(join(root, RESULTS), `${JSON.stringify(results, null, 2)}\n`)
  return RESULTS
}
