// The words of a graded run: parts, steps, outcomes, and the sentence above the bars; and what stands first.
// Pure; command line and JUnit have their own forms.
import {
  type JudgedCheck,
  OUTCOMES,
  type Outcome,
  type Part,
  type PlayedFault,
  type State,
  type Step,
} from '@chartside/protocol/fault-grade'
import type { Run } from '@chartside/protocol/fault-run'
import type { IconName } from './icon-paths.ts'
import type { Tone } from './states.ts'

export const PART_NAMES: Readonly<Record<Part, string>> = {
  safety: 'Safety',
  work: 'Work kept',
  recovers: 'Recovers',
  words: 'Plain words',
  trace: 'Traceable',
}

export const STEP_NAMES: Readonly<Record<Step, readonly [name: string, way: string]>> = {
  launch: ['The launch arrives', 'Host → app page'],
  callback: ['The callback', 'Chartside → app page'],
  exchange: ['The exchange', 'App server → Chartside'],
  id_token: ['The ID token', 'Chartside → app server'],
  running: ['While it runs', 'App page'],
}

export const OUTCOME_LOOKS: Readonly<
  Record<Outcome, { readonly word: string; readonly icon: IconName; readonly tone: Tone }>
> = {
  not_handled: { word: 'Not handled', icon: 'cross', tone: 'bad' },
  partly: { word: 'Partly', icon: 'alert', tone: 'warn' },
  handled: { word: 'Handled', icon: 'check', tone: 'good' },
  not_observable: { word: 'Not observable', icon: 'dash', tone: 'quiet' },
}

const GRADE_TONES = { A: 'good', B: 'good', C: 'warn', D: 'bad' } as const
export const toneOfGrade = (level: keyof typeof GRADE_TONES): Tone => GRADE_TONES[level]

/** Says what decided: the first check that failed, else what was seen. */
export function describeOutcome({ checks }: PlayedFault): string {
  const find = (wanted: string) => checks.find(({ state }) => state === wanted)
  const failed = find('failed')
  if (failed) return `${failed.title}: not so. ${failed.evidence}`
  return (find('passed') ?? checks[0])?.evidence ?? ''
}

/** One sentence, and what caps the grade. */
export function describeGrade({ app, grade, faults }: Run): readonly [title: string, why: string] {
  const { cap } = grade
  const fault = faults.find(({ name }) => name === cap?.fault)
  const open = faults.filter(({ outcome }) => /^(partly|not_handled)$/.test(outcome)).length
  if (cap && fault) {
    const kind = cap.at === 'C' ? 'of safety that fails' : 'of lost work'
    const why = `A check ${kind} caps the grade at ${cap.at}, however good the rest is.`
    return [`${app} opens on a good day, but this caps its grade: ${fault.title}`, why]
  }
  if (open === 0) return [`${app} handles every fault that was seen`, 'Nothing is left to mend.']
  return [
    `${app} opens on a good day, and leaves ${open} ${open === 1 ? 'fault' : 'faults'} open`,
    'Safety counts 40 of 100, work kept and recovery 20 each, words and traces 10 each.',
  ]
}

/** Sorts what is to mend to the front; else the order of the run stays. */
export const sortFaults = (faults: readonly PlayedFault[]): readonly PlayedFault[] =>
  faults.toSorted((a, b) => OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome))

const CHECK_ORDER: readonly State[] = ['failed', 'passed', 'not_observable']

export const sortChecks = (checks: readonly JudgedCheck[]): readonly JudgedCheck[] =>
  checks.toSorted((a, b) => CHECK_ORDER.indexOf(a.state) - CHECK_ORDER.indexOf(b.state))
