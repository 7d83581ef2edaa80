// Builds the text of a report: load, faults, checks, verdicts. Pure: plain data in, text out. Decides
// nothing.
import type { ChaosReport } from './run.ts'
import type { StreamReport } from './streams.ts'
import type { Verdict } from './verdict.ts'

export function formatReport(report: ChaosReport): string {
  return [
    formatLoad(report),
    formatFaults(report),
    ...(report.streams ? [formatStreams(report.streams)] : []),
    formatChecks(report),
    formatVerdicts(report.verdicts),
  ].join('\n\n')
}

function formatLoad({ options, load, calls, keyFetches, generatorShare }: ChaosReport): string {
  const { offered, started, notStarted, completed, failed, latestStartMs, latenciesMs } = load
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const at = (part: number) =>
    `${(sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(0)} ms`
  const lines = [
    `${options.nodes} nodes, ${options.rate} launches/s for ${options.seconds} s, scenario ${options.scenario}, seed ${options.seed}`,
    `launches: offered ${offered}, started ${started}, completed ${completed}, failed ${failed}; p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`,
    `requests: ${calls.requests}; answered 503 and tried again: ${calls.unavailable}; cut off: ${calls.cut}; key set fetched: ${keyFetches}; load generator: ${Math.round(generatorShare * 100)} % of a core`,
  ]
  if (notStarted > 0 || latestStartMs > LATE_MS) {
    lines.push(
      `THE PACE WAS NOT HELD: ${notStarted} launches not started, the latest start ${latestStartMs.toFixed(0)} ms late. The machine, or the generator on it, is too slow for this rate.`,
    )
  }
  for (const [why, count] of Object.entries(load.failures)) lines.push(`failed: ${count} × ${why}`)
  return lines.join('\n')
}

/** A generator that starts a launch so late does not offer the load that it claims. */
const LATE_MS = 500

function formatFaults({ faults }: ChaosReport): string {
  const rows = faults.map(({ name, atMs, inFlight, exposed, failed }) => [
    `${(atMs / 1000).toFixed(1)} s`,
    name,
    String(inFlight),
    String(exposed),
    String(failed),
  ])
  return table(['at', 'fault', 'in flight', 'until it was over', 'failed'], rows)
}

function formatStreams({ incidents, opened, people }: StreamReport): string {
  const rows = incidents.map(({ name, lost, notBack, medianMs, slowestMs, busiestPercent }) => [
    name,
    ...[lost, notBack].map(String),
    ...[medianMs, slowestMs].map((ms) => `${Math.round(ms)} ms`),
    `${Math.round(busiestPercent)} %`,
  ])
  const heading = ['lost', 'not back', 'back after, median', 'slowest', 'busiest 0.1 s']
  return table([`event streams: ${opened} of ${people} people`, ...heading], rows)
}

function formatChecks({ findings }: ChaosReport): string {
  const rows = Object.entries(findings.checked).map(([what, count]) => [what, String(count)])
  return table(['checked afterwards', 'count'], rows)
}

export function formatVerdicts(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ guarantee, counted, isMet }) => [
    isMet ? 'held' : 'VIOLATED',
    guarantee,
    counted,
  ])
  const examples = verdicts.flatMap((verdict) =>
    verdict.examples.map((example) => `  ${verdict.guarantee}: ${example}`),
  )
  return [table(['', 'guarantee', 'counted'], rows), ...examples].join('\n')
}

function table(heading: string[], rows: string[][]): string {
  const all = [heading, ...rows]
  const widths = heading.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)))
  return all
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
