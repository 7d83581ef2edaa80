// The state of a launch, with what stands beside its word: the step that failed, or why it ended. Lists of launches
// show it, and the page of one.
/** @jsxImportSource preact */
import { findStopped, isLate, STEP_NAMES } from '@chartside/protocol/launch-steps'
import type { Launch } from '@chartside/protocol/payloads'
import { StateBadge, type StateName } from '@chartside/ui'

const STATE_OF = {
  failed: 'failed',
  opening: 'opening',
  ready: 'ready',
  ended: 'ended',
} as const satisfies Record<Launch['outcome'], StateName>

function describeOutcome(launch: Launch): string {
  if (launch.outcome === 'failed') {
    const span = findStopped(launch)
    return span ? STEP_NAMES[span.span] : ''
  }
  if (launch.outcome === 'ready') return isLate(launch) ? 'late' : ''
  return launch.outcome === 'ended' ? (launch.ended?.reason.replaceAll('_', ' ') ?? '') : ''
}

export const LaunchState = ({ launch }: { readonly launch: Launch }) => (
  <StateBadge state={STATE_OF[launch.outcome]} detail={describeOutcome(launch)} />
)
