// The first step of a launch that did not happen. A host that waits in vain for a hello reports a failed
// handshake, but the launch may have stopped before: these rules name the step that is missing, as the
// spans of the service do, so that tab, card, panel and terminal agree with them. Pure. Contract §3.
import type { LaunchStep, LaunchStepName } from '@chartside/protocol/launch'
import { isSilence } from '@chartside/protocol/launch-steps'

/** An app whose page posts its code says hello before the exchange; its order is the same up to there. */
const EXPECTED = ['authorize', 'exchange', 'handshake', 'context'] as const

/**
 * Returns the first step of a launch that did not succeed; `context` when each did. A step that failed later
 * than it succeeded is not missing. Never throws. Contract §5.
 * @example findMissingStep([{ step: 'launch', outcome: 'ok' }])
 */
export function findMissingStep(steps: readonly Pick<LaunchStep, 'step' | 'outcome'>[]) {
  const passed = new Set<LaunchStepName>(
    steps.flatMap(({ step, outcome }) => (outcome === 'ok' ? [step] : [])),
  )
  return EXPECTED.find((step) => !passed.has(step)) ?? 'context'
}

/**
 * Puts each silence at the step that was missing when it was recorded. Never throws.
 * Contract §5.
 * @example const shown = withMissingStep(timeline.steps)
 */
export const withMissingStep = (steps: readonly LaunchStep[]): readonly LaunchStep[] =>
  steps.map((step, at) =>
    isSilent(step) ? { ...step, step: findMissingStep(steps.slice(0, at)) } : step,
  )

const isSilent = (step: LaunchStep) =>
  step.step === 'handshake' && step.outcome === 'failed' && isSilence(step)
