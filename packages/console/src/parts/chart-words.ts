// What the console calls what happens at another chart: policies of an app, modes of an EHR, and the app with
// which the panel opens. Contract §11.
import {
  type ChartChangePolicy,
  type ChartMode,
  findChart,
  findChartPatternProblem,
} from '@chartside/protocol/charts'
import type { EhrDefinition } from '@chartside/protocol/payloads'

export const CHART_POLICY_WORDS: Readonly<Record<ChartChangePolicy, string>> = {
  relaunch: 'it opens again for that chart',
  cover: 'it is covered, and the provider decides',
  event: 'it switches by itself, and is covered meanwhile',
  keep: 'it stays as it is',
}

export const CHART_MODE_WORDS: Readonly<Record<ChartMode, string>> = {
  guard: 'apps are guarded against a changed chart',
  observe: 'chart changes are only recorded',
}

export type PanelOpens = NonNullable<EhrDefinition['panelOpens']>

/** The words for the app with which the panel of the next chart opens; the default is last. */
export const PANEL_OPENS_WORDS: Readonly<Record<PanelOpens, string>> = {
  last: 'the app that the provider opened last at this EHR',
  first: 'the first app of the collection',
  ask: 'no app, until the provider chooses one',
}

export const CHARTS_UNNOTICED = 'Chart changes are not noticed in this EHR'

/** Says what the patterns find in an address that a person tries; empty without one. */
export function describeFound(patterns: readonly string[], address: string): string {
  if (address === '') return ''
  const problem = patterns.map(findChartPatternProblem).find((found) => found !== undefined)
  if (problem !== undefined) return problem
  if (!URL.canParse(address)) return 'Enter a whole address, with https://.'
  const chart = findChart(patterns, address)
  return chart === null ? 'No chart in this address.' : `The chart is “${chart}”.`
}
