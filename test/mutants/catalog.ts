// Every mutant, from the files in areas/: one for each area, with the files of the project and the
// faults in each. A fault that was found once belongs there.
import { globSync, readFileSync } from 'node:fs'
import type { Mutant } from './mutant.ts'

/** `tests` of a file are those of its mutants, unless a mutant names others. */
interface Area {
  readonly area: string
  readonly files: readonly {
    readonly file: string
    readonly tests: readonly string[]
    readonly mutants: readonly MutantEntry[]
  }[]
}

type MutantEntry = Pick<Mutant, 'name' | 'requirement' | 'replace'> &
  Partial<Pick<Mutant, 'tests' | 'engine' | 'redundant'>> & { readonly find: string }

function loadArea(path: string): readonly Mutant[] {
  const { area, files }: Area = JSON.parse(readFileSync(path, 'utf8'))
  return files.flatMap(({ file, tests, mutants }) =>
    mutants.map(({ find, ...mutant }) => ({
      engine: 'sqlite' as const,
      redundant: undefined,
      tests,
      ...mutant,
      area,
      file,
      place: find,
    })),
  )
}

export const MUTANTS: readonly Mutant[] = globSync('areas/*.json', { cwd: import.meta.dirname })
  .sort()
  .flatMap((path) => loadArea(`${import.meta.dirname}/${path}`))
