// The figures of a fault run as text, and where they are kept. Pure but for the
// address of the file.
import { fileURLToPath } from 'node:url'
import type { AttackCounts } from './attacker.ts'
import type { FaultResult } from './faults.ts'

export const RESULTS_FILE = fileURLToPath(new URL('results.json', import.meta.url))

/** All times in milliseconds. */
export interface AttackResult {
  readonly item: string
  readonly name: string
  readonly before: string
  readonly quietP99: number
  readonly duringP50: number
  readonly duringP99: number
  readonly afterP99: number
  readonly bound: number
  readonly attacker: AttackCounts
  readonly megabytesHighest: number
  readonly internalErrors: number
  readonly isMet: boolean
}

export interface FaultReport {
  /** Of the code that ran. */
  readonly commit: string
  readonly date: string
  readonly cores: number
  readonly attackSeconds: number
  readonly perSecond: number
  readonly attacks: readonly AttackResult[]
  readonly faults: readonly FaultResult[]
}

export function formatReport({ attacks, faults }: FaultReport): string {
  const rows = attacks.map((one) => [
    one.isMet ? 'held' : 'NOT HELD',
    `(${one.item}) ${one.name}`,
    ...[one.quietP99, one.duringP50, one.duringP99, one.afterP99, one.bound].map(String),
    countsOf(one.attacker),
  ])
  const heading = [
    '',
    'attack',
    'quiet p99',
    'p50',
    'p99',
    'p99 after',
    'bound',
    'the attacker got',
  ]
  const lines = faults.map((one) => [
    one.isMet ? 'held' : 'NOT HELD',
    one.name,
    Object.entries(one.figures)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
  ])
  return [
    'All other callers, in milliseconds:',
    table([heading, ...rows]),
    '',
    table([['', 'fault', 'figures'], ...lines]),
  ].join('\n')
}

export const countsOf = (counts: AttackCounts): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} × ${count}`)
    .join(', ')

function table(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
