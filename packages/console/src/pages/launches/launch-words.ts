// How launches look in lists and waterfalls: the strip of seven steps and why it failed.
// Pure; the state itself is parts/launch-state.tsx.

import type { ChartHandling } from '@chartside/protocol/launch'
import { findStopped, STEP_NAMES } from '@chartside/protocol/launch-steps'
import type { Launch, LaunchStep } from '@chartside/protocol/payloads'
import { formatDuration } from '@chartside/ui/times'

export const whyOf = (launch: Launch): string =>
  launch.outcome === 'failed'
    ? (findStopped(launch)?.cause ??
      launch.steps.findLast(({ outcome }) => outcome === 'failed')?.cause ??
      '')
    : ''

export function listCells({ spans }: Launch): ('ok' | 'failed' | 'never')[] {
  return spans.slice(0, 7).map(({ outcome }) => {
    if (outcome === 'ok') return 'ok'
    return outcome === 'failed' ? 'failed' : 'never'
  })
}

export function describeCells(launch: Launch): string {
  const done = launch.spans.filter(({ outcome }) => outcome === 'ok').length
  const failed = findStopped(launch)
  const end = failed ? `, failed at ${STEP_NAMES[failed.span]}` : ''
  return `${done} of ${launch.spans.length} steps${end}`
}

const CHART_WORDS: Readonly<Record<ChartHandling, string>> = {
  relaunch: 'Opened again for the new chart',
  cover: 'Covered, until the provider decided',
  event: 'The app switched by itself',
  keep: 'Left as it was: the practice chose so',
  returned: 'The same chart was back at once',
  observe: 'Only recorded',
}

/** Describes a change: "Opened again for the new chart, shown after 618 ms". */
export function describeChartChange({
  handled,
  shownMs,
}: Pick<LaunchStep, 'handled' | 'shownMs'>): string {
  const how = handled === undefined ? 'The chart changed' : CHART_WORDS[handled]
  const isCovered = handled !== 'keep' && handled !== 'observe'
  if (!isCovered) return how
  return shownMs === undefined
    ? `${how}, not shown since`
    : `${how}, shown after ${formatDuration(shownMs)}`
}
