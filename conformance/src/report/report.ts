// The result of a run as data: what the JSON file holds and the HTML page is built from. Pure; it
// counts verdicts and changes none.
import type { Verdict } from '../module.ts'
import type { ModuleResult } from '../runner.ts'

export const VERSION = '1.0.0'

export interface Report {
  readonly tool: string
  readonly version: string
  readonly startedAt: string
  readonly milliseconds: number
  readonly issuer: string
  readonly service: 'chartside' | 'peer'
  readonly requests: number
  readonly summary: Readonly<Record<Verdict, number>>
  readonly modules: readonly ModuleResult[]
}

export interface ReportFacts extends Pick<Report, 'issuer' | 'service' | 'requests' | 'modules'> {
  readonly startedAt: Date
  readonly milliseconds: number
}

export function buildReport(facts: ReportFacts): Report {
  return {
    tool: '@chartside/conformance',
    version: VERSION,
    ...facts,
    startedAt: facts.startedAt.toISOString(),
    milliseconds: Math.round(facts.milliseconds),
    summary: countVerdicts(facts.modules),
  }
}

function countVerdicts(modules: readonly ModuleResult[]): Record<Verdict, number> {
  const count = (wanted: Verdict) => modules.filter(({ verdict }) => verdict === wanted).length
  return {
    passed: count('passed'),
    failed: count('failed'),
    warning: count('warning'),
    skipped: count('skipped'),
  }
}

export const summarize = ({ passed, failed, warning, skipped }: Report['summary']): string =>
  `${passed} passed, ${failed} failed, ${warning} warnings, ${skipped} skipped`
