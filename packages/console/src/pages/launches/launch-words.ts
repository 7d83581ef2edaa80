// How launches look in lists and waterfalls: the strip of seven steps and the words of
// an outcome. Pure.
import { findStopped, isLate, STEP_NAMES } from '@chartside/protocol/launch-steps'
import type { Launch } from '@chartside/protocol/payloads'
import type { StateName } from '@chartside/ui'

export const STATE_OF = {
  failed: 'failed',
  opening: 'opening',
  ready: 'ready',
  ended: 'ended',
} as const satisfies Record<Launch['outcome'], StateName>

/** The detail beside the word of the state. */
export function describeOutcome(launch: Launch): string {
  if (launch.outcome === 'failed') {
    const span = findStopped(launch)
    return span ? STEP_NAMES[span.span] : ''
  }
  if (launch.outcome === 'ready') return isLate(launch) ? 'late' : ''
  return launch.outcome === 'ended' ? (launch.ended?.reason.replaceAll('_', ' ') ?? '') : ''
}

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
