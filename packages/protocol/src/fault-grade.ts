// What a run of the fault studio found, and its grade: five bars and a level, from the verdicts of its checks.
// A failed check of safety caps the grade at C, lost work at B. Command, service and pages share it. Pure.
// Contract §15.

/** The five parts of a grade, and what each counts of 100. */
export const PARTS = { safety: 40, work: 20, recovers: 20, words: 10, trace: 10 } as const
export type Part = keyof typeof PARTS

export const STEPS = ['launch', 'callback', 'exchange', 'id_token', 'running'] as const
export type Step = (typeof STEPS)[number]

export const VERDICTS = ['passed', 'failed', 'not_observable'] as const
export type State = (typeof VERDICTS)[number]

export interface Verdict {
  readonly state: State
  /** The facts that were seen. */
  readonly evidence: string
}

export type Level = 'A' | 'B' | 'C' | 'D'

export interface JudgedCheck extends Verdict {
  readonly name: string
  readonly part: Part
  /** The behavior of a good app. */
  readonly title: string
  /** A check that failed has a cause and a fix. */
  readonly cause?: string
  readonly fix?: string
}

export interface WireStep {
  /** The time since the fault began. */
  readonly atMs: number
  readonly event: string
}

export const OUTCOMES = ['not_handled', 'partly', 'handled', 'not_observable'] as const
export type Outcome = (typeof OUTCOMES)[number]

export interface PlayedFault {
  readonly name: string
  readonly step: Step
  readonly title: string
  readonly outcome: Outcome
  readonly checks: readonly JudgedCheck[]
  /** The steps between app and service, oldest first. */
  readonly wire?: readonly WireStep[]
  /** The text that the provider saw at the end. */
  readonly saw?: string
  readonly tookMs: number
}

export interface Bar {
  readonly part: Part
  readonly passed: number
  readonly of: number
  /** The share from 0 to 100; null when nothing was observable. */
  readonly percent: number | null
}

export interface Grade {
  readonly level: Level
  /** The points from 0 to 100. */
  readonly points: number
  readonly bars: readonly Bar[]
  /** The reason why the level is not what the points say. */
  readonly cap?: { readonly at: Level; readonly fault: string; readonly check: string }
}

/** Safety and work decide; a fault of words alone is handled in part. */
export function outcomeOf(checks: readonly JudgedCheck[]): Outcome {
  const observable = checks.filter(({ state }) => state !== 'not_observable')
  if (observable.length === 0) return 'not_observable'
  const failed = observable.filter(({ state }) => state === 'failed')
  if (failed.length === 0) return 'handled'
  const isGrave = failed.some(({ part }) => part === 'safety' || part === 'work')
  return isGrave || failed.length === observable.length ? 'not_handled' : 'partly'
}

export function gradeOf(faults: readonly PlayedFault[]): Grade {
  const all = faults.flatMap(({ name, checks }) => checks.map((check) => ({ fault: name, check })))
  const bars = (Object.keys(PARTS) as Part[]).map((part): Bar => {
    const seen = all.filter(({ check }) => check.part === part && check.state !== 'not_observable')
    const passed = seen.filter(({ check }) => check.state === 'passed').length
    const percent = seen.length === 0 ? null : Math.round((100 * passed) / seen.length)
    return { part, passed, of: seen.length, percent }
  })
  const counted = bars.filter(({ of }) => of > 0)
  const weight = counted.reduce((sum, { part }) => sum + PARTS[part], 0)
  const earned = counted.reduce((sum, { part, passed, of }) => sum + (PARTS[part] * passed) / of, 0)
  const points = weight === 0 ? 0 : Math.floor((100 * earned) / weight)
  const byPoints: Level = points >= 90 ? 'A' : points >= 75 ? 'B' : points >= 60 ? 'C' : 'D'
  for (const [part, at] of [
    ['safety', 'C'],
    ['work', 'B'],
  ] as const) {
    const failed = all.find(({ check }) => check.part === part && check.state === 'failed')
    if (!failed || byPoints > at) continue
    const cap = { at, fault: failed.fault, check: failed.check.name }
    return byPoints < at ? { level: at, points, bars, cap } : { level: byPoints, points, bars }
  }
  return { level: byPoints, points, bars }
}

/** Whether a grade is at least the wanted one. */
export const isAtLeast = (level: Level, wanted: Level): boolean => level <= wanted
