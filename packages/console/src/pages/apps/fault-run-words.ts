// How a run of the fault studio is named in a list, how it stands beside the run before, and the command that
// hands one in. Pure.
import type { FaultRunSummary } from '@chartside/protocol/payloads'
import type { IconName, Tone } from '@chartside/ui'

type Graded = Pick<FaultRunSummary, 'level' | 'points' | 'faults'>

export const nameOfGrade = ({ level, points }: Pick<Graded, 'level' | 'points'>): string =>
  `${level}, ${points} of 100`

export interface RunChange {
  readonly tone: Tone
  readonly icon: IconName
  readonly words: string
}

const CHANGES = {
  better: { tone: 'good', icon: 'check' },
  worse: { tone: 'bad', icon: 'alert' },
  none: { tone: 'quiet', icon: 'dash' },
} as const

/** The level decides, for a failed check of safety caps it however many points there are. */
export function describeRunChange(run: Graded, before: Graded | undefined): RunChange {
  if (!before) return { ...CHANGES.none, words: 'No run before' }
  if (run.faults !== before.faults) return { ...CHANGES.none, words: 'Other faults' }
  const was = `was ${before.level}, ${before.points}`
  if (run.level === before.level && run.points === before.points) {
    return { ...CHANGES.none, words: 'The same' }
  }
  const isBetter =
    run.level === before.level ? run.points > before.points : run.level < before.level
  return isBetter
    ? { ...CHANGES.better, words: `Better (${was})` }
    : { ...CHANGES.worse, words: `Worse (${was})` }
}

/** Returns the command for a terminal; the session token stands in the environment. */
export const handInCommand = (baseUrl: string, appId: string): string =>
  `npx @chartside/faults --app . --hand-in ${baseUrl} --app-id ${appId}`
