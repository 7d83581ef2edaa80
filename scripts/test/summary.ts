// What a test run prints: one line for each file as it ends, failures in full at the end, the
// slowest files, and the totals. Formats only.
import type { FileResult } from './file-results.ts'

const SLOWEST = 10

export function formatFile({ label, seconds, passed, skipped, failures }: FileResult): string {
  const count = passed + skipped + failures.length
  const mark = failures.length > 0 ? '✖' : '✔'
  return `${mark} ${label}  ${count} ${count === 1 ? 'test' : 'tests'}  ${seconds.toFixed(1)} s`
}

export function formatDetails({ diagnostics, printed }: FileResult): string {
  return [...diagnostics, printed.trim()]
    .filter(Boolean)
    .map((text) => text.replace(/^/gm, '    '))
    .join('\n')
}

/** Files that passed only at the second try: each is a fault of the test or of what it tests. */
export function formatFlaky(results: readonly FileResult[]): string {
  return results
    .flatMap(({ label, flaky = [] }) =>
      flaky.map(
        ({ title, error }) => `\n── flaky: ${label}\n~ ${title}\n${error.replace(/^/gm, '    ')}\n`,
      ),
    )
    .join('')
}

export function formatFailures(results: readonly FileResult[]): string {
  return results
    .filter(({ failures }) => failures.length > 0)
    .map((result) => {
      const each = result.failures.map(
        ({ title, error }) => `✖ ${title}\n${error.replace(/^/gm, '    ')}\n`,
      )
      const details = formatDetails(result)
      const printed = details ? `  The process printed:\n${details}\n` : ''
      return `\n── ${result.label}\n${each.join('\n')}${printed}`
    })
    .join('\n')
}

export function formatSlowest(results: readonly FileResult[]): string {
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)
  const lines = slowest.map(({ label, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${label}`)
  return `The slowest ${slowest.length} files:\n${lines.join('\n')}\n`
}

export function countTests(results: readonly FileResult[]) {
  const sum = (count: (result: FileResult) => number) =>
    results.reduce((total, result) => total + count(result), 0)
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failures }) => failures.length),
    skipped: sum(({ skipped }) => skipped),
  }
}
