// The goals of a node by itself, as docs/inside/performance.md has them, and which of them a run has met. Pure.
// What is measured beside other servers has its goals in comparison-report.ts.

import { type ModeResult, medianOf } from './measure.ts'
import type { Engine } from './options.ts'

export interface Verdict {
  readonly goal: string
  readonly wanted: string
  readonly measured: string
  readonly isMet: boolean
  /** The reason why a figure may be worse than the service is. */
  readonly note: string
}

interface Goal {
  readonly mode: ModeResult['mode'] | 'any'
  readonly goal: string
  readonly limit: number
  readonly direction: 'at least' | 'at most'
  readonly unit: string
  readonly digits: number
  readonly take: (result: ModeResult) => number | undefined
  readonly generatorShare?: (result: ModeResult) => number
}

const GENERATOR_LIMIT = 0.9

const GOALS: readonly Goal[] = [
  {
    mode: 'any',
    goal: 'token p99 at half of the maximal load',
    limit: 10,
    direction: 'at most',
    unit: ' ms',
    digits: 1,
    take: (result) => medianOf(result, ({ tokenAtHalfLoad }) => tokenAtHalfLoad.p99Ms),
  },
  {
    mode: 'one core',
    goal: 'jwks',
    limit: 20_000,
    direction: 'at least',
    unit: '/s',
    digits: 0,
    take: (result) => medianOf(result, ({ jwks }) => jwks.perSecond),
    generatorShare: (result) => medianOf(result, ({ jwks }) => jwks.generatorShare),
  },
  {
    mode: 'any',
    goal: 'resident memory, idle',
    limit: 100,
    direction: 'at most',
    unit: ' MB',
    digits: 0,
    take: ({ idleMegabytes }) => idleMegabytes,
  },
  {
    mode: 'any',
    goal: 'resident memory, under load',
    limit: 150,
    direction: 'at most',
    unit: ' MB',
    digits: 0,
    take: ({ loadedMegabytes }) => loadedMegabytes,
  },
  {
    mode: 'any',
    goal: 'ready after process start',
    limit: 400,
    direction: 'at most',
    unit: ' ms',
    digits: 0,
    take: ({ readyAfterMs }) => readyAfterMs,
  },
]

/** Processor time of a signature, of that of a flow in the node and in the database together. */
const FLOW_ON_POSTGRES: Goal = {
  mode: 'any',
  goal: 'signature, of a flow with its database',
  limit: 0.22,
  direction: 'at least',
  unit: '',
  digits: 2,
  take: (result) =>
    medianOf(
      result,
      ({ rsaCpu, cpuPerFlow, databaseCpuPerFlow }) =>
        rsaCpu / ((cpuPerFlow ?? Number.NaN) + (databaseCpuPerFlow ?? Number.NaN)),
    ),
}

const WITH_POSTGRES: readonly Goal[] = [
  FLOW_ON_POSTGRES,
  ...GOALS.filter(({ unit }) => unit === ' ms' || unit === ' MB'),
]

/** The goals of this mode with what was measured; what could not be measured is left out. */
export function judge(result: ModeResult, engine: Engine): Verdict[] {
  const goals = engine === 'postgres' ? WITH_POSTGRES : GOALS
  return goals
    .filter(({ mode }) => mode === 'any' || mode === result.mode)
    .flatMap((goal) => {
      const value = goal.take(result)
      if (value === undefined || Number.isNaN(value)) return []
      const show = (figure: number) => figure.toFixed(goal.digits) + goal.unit
      const share = goal.generatorShare?.(result) ?? 0
      return [
        {
          goal: goal.goal,
          wanted: `${goal.direction} ${show(goal.limit)}`,
          measured: show(value),
          isMet: goal.direction === 'at least' ? value >= goal.limit : value <= goal.limit,
          note: share > GENERATOR_LIMIT ? 'load generator at its limit: a lower bound' : '',
        },
      ]
    })
}
