// A run of the fault studio as the command hands it in, with faults that were handled, not handled and not
// observable. Plain data: it plays nothing and hands nothing in.
import {
  gradeOf,
  type JudgedCheck,
  outcomeOf,
  type PlayedFault,
} from '../../packages/protocol/src/fault-grade.ts'
import type { Run } from '../../packages/protocol/src/fault-run.ts'

const judged = (state: JudgedCheck['state'], part: JudgedCheck['part'] = 'safety') => ({
  ...{ name: `check-of-${part}`, part, state, title: `Does what is right for ${part}` },
  evidence: `The ${part} was ${state}.`,
  ...(state === 'failed' ? { cause: 'An attacker signs a user in.', fix: 'Compare state.' } : {}),
})
const played = (name: string, ...checks: JudgedCheck[]): PlayedFault => ({
  ...{ name, step: 'callback', title: `The fault ${name}`, tookMs: 900 },
  ...{ checks, outcome: outcomeOf(checks) },
  ...{ wire: [{ atMs: 1, event: 'The page asks authorize: 302' }], saw: 'Open it again.' },
})
/** `state`: of the check of safety of one fault. */
export function buildSampleRun(startedAt: string, state: JudgedCheck['state']): Run {
  const faults = [
    played('code-missing', judged('passed', 'recovers'), judged('not_observable', 'trace')),
    played('denied', judged('not_observable', 'words')),
    played('state-changed', judged('passed', 'recovers'), judged(state)),
    played('offline', judged('failed', 'work'), judged('passed', 'words')),
  ]
  const grade = gradeOf(faults)
  return { app: 'Visit Notes', startedAt, tookMs: 90_000, commit: '9f31c02', grade, faults }
}
