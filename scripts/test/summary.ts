// What a test run prints: one line for each file as it ends, failures in full at the end, the
// slowest files, and the totals. Formats only.
import type { FileResult } from './file-results.ts'

const LISTED = 10

export function formatFile({
  label,
  seconds,
  passed,
  skipped,
  failures,
  processorSeconds,
}: FileResult): string {
  const count = passed + skipped.length + failures.length
  const mark = failures.length > 0 ? '✖' : '✔'
  return `${mark} ${label}  ${count} ${count === 1 ? 'test' : 'tests'}  ${seconds.toFixed(1)} s  ${processorSeconds.toFixed(1)} CPU s`
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

/** What did not run, with its reason: most often a program that this machine does not have. */
export function formatSkipped(results: readonly FileResult[]): string {
  return results
    .flatMap(({ label, skipped }) =>
      skipped.map(({ title, reason }) => `skipped: ${label}: ${title} (${reason})\n`),
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
  return formatLongest('slowest', results, ({ seconds }) => seconds)
}

export function formatHeaviest(results: readonly FileResult[]): string {
  return formatLongest(
    'heaviest (processor seconds)',
    results,
    ({ processorSeconds }) => processorSeconds,
  )
}

function formatLongest(
  name: string,
  results: readonly FileResult[],
  secondsOf: (result: FileResult) => number,
): string {
  const longest = results.toSorted((a, b) => secondsOf(b) - secondsOf(a)).slice(0, LISTED)
  const lines = longest.map((one) => `${secondsOf(one).toFixed(1).padStart(7)} s  ${one.label}`)
  return `The ${longest.length} ${name} files:\n${lines.join('\n')}\n`
}

export function countTests(results: readonly FileResult[]) {
  const sum = (count: (result: FileResult) => number) =>
    results.reduce((total, result) => total + count(result), 0)
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failures }) => failures.length),
    skipped: sum(({ skipped }) => skipped.length),
  }
}
