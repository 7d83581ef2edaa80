// The section “Shown” of docs/security.md, made of the stored results: what was attacked, checked,
// fuzzed, injected and planted, and what came of it. A test compares the document with it.
import { readFileSync, writeFileSync } from 'node:fs'
import type { FaultReport } from '../faults/report.ts'
import { MENDED_ATTACKS } from './attacks.ts'
import { loadResults, ROOT, type StoredResults } from './results.ts'

const BEGIN = '<!-- Written by `npm run hardening -- --write`; do not edit. -->'
const END = '<!-- End of what is written. -->'
const DOCUMENT = `${ROOT}docs/security.md`

/** Of a result that no run has stored. */
const NOT_YET = 'not measured yet'

export function buildSection(results: StoredResults): string {
  return [
    BEGIN,
    '',
    '## Shown',
    '',
    '`npm run hardening` prints this section. Each line names the command that repeats it.',
    '',
    ...buildTotals(results),
    '',
    ...buildAttacks(),
    '',
    ...(results.faults ? buildFaults(results.faults) : []),
    END,
  ].join('\n')
}

const table = (heading: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [heading, heading.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)

const number = (value: number) => value.toLocaleString('en-US')

function buildTotals({ faults, fuzz, mutants, conformance, requirements }: StoredResults) {
  const injected = faults?.faults.reduce((sum, one) => sum + one.injected, 0)
  const internal = countInternalErrors({ faults, fuzz })
  return table(
    ['what', 'result', 'command'],
    [
      [
        'attacks of an earlier edition, mended, each with its test',
        String(MENDED_ATTACKS.length),
        '`npm test`',
      ],
      [
        'requirements of security and reliability, with a test',
        `${requirements.tested} of ${requirements.all}`,
        '`npm run requirements`',
      ],
      [
        'conformance modules',
        conformance
          ? `${conformance.passed} passed, ${conformance.failed} failed, ${conformance.warning} warnings, ${conformance.skipped} skipped with a reason; ${number(conformance.requests)} requests`
          : NOT_YET,
        '`npm run hardening -- --conformance`',
      ],
      [
        'cases fuzzed',
        fuzz
          ? `${number(fuzz.cases)}, ${fuzz.failures} failed (seed ${fuzz.seed}, ${fuzz.engine})`
          : NOT_YET,
        '`npm run fuzz`; 2,000 in `npm test`',
      ],
      [
        'faults injected',
        faults ? `${number(injected ?? 0)} of ${faults.faults.length} kinds` : NOT_YET,
        '`npm run faults`',
      ],
      [
        'faults planted in the code, and caught by tests',
        mutants ? `${mutants.caught} of ${mutants.changing} that change behaviour` : NOT_YET,
        '`npm run mutants`',
      ],
      [
        '5xx other than the intended 503, in all of these',
        internal === undefined ? NOT_YET : String(internal),
        '',
      ],
    ],
  )
}

function countInternalErrors({ faults, fuzz }: Pick<StoredResults, 'faults' | 'fuzz'>) {
  if (!faults || !fuzz) return undefined
  const all = [...faults.attacks, ...faults.faults]
  return all.reduce((sum, one) => sum + one.internalErrors, fuzz.internalErrors)
}

const buildAttacks = () =>
  table(
    ['item', 'attack', 'before', 'after', 'test'],
    MENDED_ATTACKS.map(({ item, attack, before, after, test }) => [
      item,
      attack,
      before,
      after,
      `“${test.replaceAll('|', '\\|')}”`,
    ]),
  )

const verdict = (isMet: boolean) => (isMet ? 'held' : 'not held')

function buildFaults({ date, cores, perSecond, attackSeconds, attacks, faults }: FaultReport) {
  return [
    `All other callers while an attack runs on one connection for ${attackSeconds} s, at ${perSecond} requests/s on ${cores} cores that client and service share (${date}); milliseconds. Bound: twice the quiet p99 plus 10.`,
    '',
    ...table(
      ['attack', 'quiet p99', 'p99 during', 'p99 after', 'bound', ''],
      attacks.map(({ item, name, quietP99, duringP99, afterP99, bound, isMet }) => [
        `(${item}) ${name}`,
        ...[quietP99, duringP99, afterP99, Math.round(bound * 10) / 10].map(String),
        verdict(isMet),
      ]),
    ),
    '',
    ...table(
      ['fault', 'what must hold', 'figures', ''],
      faults.map(({ name, bound, figures, isMet }) => [
        name,
        bound,
        Object.entries(figures)
          .map(([what, value]) => `${what} ${number(value)}`)
          .join(', '),
        verdict(isMet),
      ]),
    ),
    '',
  ]
}

/** The document with this section in the place of the one before, or before “What remains”. */
export function replaceSection(document: string, section: string): string {
  const begin = document.indexOf(BEGIN)
  if (begin >= 0) {
    const end = document.indexOf(END) + END.length
    return `${document.slice(0, begin)}${section}${document.slice(end)}`
  }
  const before = document.indexOf('## What remains')
  const at = before < 0 ? document.length : before
  return `${document.slice(0, at)}${section}\n\n${document.slice(at)}`
}

export const readDocument = (): string => readFileSync(DOCUMENT, 'utf8')

export const writeTable = (): void =>
  writeFileSync(DOCUMENT, replaceSection(readDocument(), buildSection(loadResults())))
