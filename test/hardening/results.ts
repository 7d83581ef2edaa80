// The stored results that the table of docs/security.md is made of: of the fault run, the fuzzer, the
// planted faults and the conformance suite. A result that no run has stored yet is absent.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FaultReport } from '../faults/report.ts'
import type { Results as MutantResults } from '../mutants/results.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface FuzzResults {
  readonly date: string
  readonly seed: number
  readonly engine: string
  readonly cases: number
  readonly failures: number
  readonly internalErrors: number
}

export interface ConformanceResults {
  readonly date: string
  readonly passed: number
  readonly failed: number
  readonly warning: number
  readonly skipped: number
  readonly requests: number
}

export interface StoredResults {
  readonly faults: FaultReport | undefined
  readonly fuzz: FuzzResults | undefined
  readonly mutants: MutantResults | undefined
  readonly conformance: ConformanceResults | undefined
  /** Of docs/spec/requirements.md: all of them, and those with a test. */
  readonly requirements: { readonly all: number; readonly tested: number }
}

export const FILES = {
  faults: 'test/faults/results.json',
  fuzz: 'test/fuzz/results.json',
  mutants: 'test/mutants/results.json',
  conformance: 'test/hardening/conformance.json',
} as const

function load<T>(path: string): T | undefined {
  return existsSync(ROOT + path) ? JSON.parse(readFileSync(ROOT + path, 'utf8')) : undefined
}

export function loadResults(): StoredResults {
  const page = readFileSync(`${ROOT}docs/spec/requirements.md`, 'utf8')
  const [, all = '0', tested = '0'] = /Requirements: (\d+)\. With a test: (\d+)\./.exec(page) ?? []
  return {
    faults: load(FILES.faults),
    fuzz: load(FILES.fuzz),
    mutants: load(FILES.mutants),
    conformance: load(FILES.conformance),
    requirements: { all: Number(all), tested: Number(tested) },
  }
}
