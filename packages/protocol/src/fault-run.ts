// A run of the fault studio as it is kept, compared with the one before, and what to mend first. Command,
// service and pages share it. Pure. Contract §15.
import {
  type Grade,
  gradeOf,
  type Outcome,
  outcomeOf,
  PARTS,
  type PlayedFault,
} from './fault-grade.ts'

export interface Run {
  /** The name of the app. */
  readonly app: string
  /** The time in RFC 3339. */
  readonly startedAt: string
  readonly tookMs: number
  /** The commit of the app's folder; absent without a repository. */
  readonly commit?: string
  readonly grade: Grade
  readonly faults: readonly PlayedFault[]
}

export interface Comparison {
  readonly startedAt: string
  readonly commit?: string
  readonly grade: Pick<Grade, 'level' | 'points'>
  /** The names of the faults. */
  readonly better: readonly string[]
  readonly worse: readonly string[]
}

const RANKS: Readonly<Record<Outcome, number | undefined>> = {
  ...{ not_handled: 0, partly: 1, handled: 2, not_observable: undefined },
}

/** Compares the faults that both runs played and saw. The grade is of those alone. */
export function compareRuns(before: Run, now: Run): Comparison {
  const names = new Set(now.faults.map(({ name }) => name))
  const shared = before.faults.filter(({ name }) => names.has(name))
  const earlier = new Map(shared.map(({ name, outcome }) => [name, RANKS[outcome]]))
  const changed = now.faults.flatMap(({ name, outcome }) => {
    const [from, to] = [earlier.get(name), RANKS[outcome]]
    return from === undefined || to === undefined || from === to
      ? []
      : [{ name, isBetter: to > from }]
  })
  const { level, points } = gradeOf(shared)
  return {
    startedAt: before.startedAt,
    ...(before.commit === undefined ? {} : { commit: before.commit }),
    grade: { level, points },
    better: changed.filter(({ isBetter }) => isBetter).map(({ name }) => name),
    worse: changed.filter(({ isBetter }) => !isBetter).map(({ name }) => name),
  }
}

export interface Mend {
  readonly fault: PlayedFault
  /** Points of 100 that the run would have more. */
  readonly gain: number
}

/** Lists what failed, by what it costs: safety first, then lost work, then points. */
export function listMends(run: Run): readonly Mend[] {
  const failed = run.faults.filter(({ checks }) => checks.some(({ state }) => state === 'failed'))
  const weightOf = ({ checks }: PlayedFault): number => {
    const weights = checks.map(({ part, state }) => (state === 'failed' ? PARTS[part] : 0))
    return Math.max(...weights)
  }
  return failed
    .map((fault) => ({ fault, gain: pointsWithout(run, fault) - run.grade.points }))
    .toSorted((a, b) => weightOf(b.fault) - weightOf(a.fault) || b.gain - a.gain)
}

function pointsWithout({ faults }: Run, mended: PlayedFault): number {
  const checks = mended.checks.map((check) =>
    check.state === 'failed' ? { ...check, state: 'passed' as const } : check,
  )
  const better = { ...mended, checks, outcome: outcomeOf(checks) }
  return gradeOf(faults.map((fault) => (fault === mended ? better : fault))).points
}
