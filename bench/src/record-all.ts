// Measures everything in one run of less than eight minutes: the node on SQLite, on PostgreSQL with one worker and
// with two, the peers, and the ratios of the gate. Writes the goals into docs/inside/performance.md.
import { comparePeers } from './comparison-run.ts'
import { recordGoals, recordPrinted } from './docs-record.ts'
import { recordGate } from './gate-run.ts'
import { judge, type Verdict } from './goals.ts'
import { describeMachine, whyNotPinned } from './machine.ts'
import { type ModeResult, measureMode } from './measure.ts'
import type { Options } from './options.ts'
import { buildHeading, buildTable } from './report.ts'

/** The most seconds of each scenario: fewer than in a run of one, so that all fit; still five rounds of each. */
const MAX_SECONDS = 4
const MAX_WARM_UP_SECONDS = 6

interface GoalRow extends Omit<Verdict, 'note'> {
  readonly where: string
}

export async function recordAll(options: Options): Promise<void> {
  const reason = whyNotPinned()
  if (reason) throw new Error(`figures of one core cannot be recorded here: ${reason}`)
  const times = {
    seconds: Math.min(options.seconds, MAX_SECONDS),
    warmUpSeconds: Math.min(options.warmUpSeconds, MAX_WARM_UP_SECONDS),
  }
  const goals: GoalRow[] = []
  const measure = async (
    part: 'flows' | 'postgres' | 'workers',
    changes: Partial<Options>,
    modes: readonly ModeResult['mode'][],
  ) => {
    const chosen = { ...options, ...times, ...changes }
    const tables = [buildHeading(chosen)]
    for (const mode of modes) {
      const result = await measureMode(mode, chosen)
      tables.push(buildTable(result, chosen.engine))
      const where =
        chosen.engine === 'postgres' ? `PostgreSQL, ${chosen.workers} worker(s)` : `SQLite, ${mode}`
      goals.push(...judge(result, chosen.engine).map((verdict) => ({ ...verdict, where })))
    }
    recordPrinted(`${part}.txt`, tables.join('\n'))
  }
  await measure('flows', {}, ['one core', 'all cores'])
  await measure('postgres', { engine: 'postgres' }, ['all cores'])
  await measure('workers', { engine: 'postgres', workers: 2 }, ['all cores'])
  const claims = await comparePeers({ ...options, ...times })
  goals.push(...claims.map((claim) => ({ ...claim, where: 'beside the peers' })))
  process.stdout.write(await recordGate())
  recordGoals(buildGoals(goals))
}

function buildGoals(goals: readonly GoalRow[]): string {
  const rows = goals.map(({ where, goal, wanted, measured, isMet }) => {
    const shown = isMet ? measured : `**${measured}**`
    return `| ${where} | ${goal} | ${wanted} | ${shown} | ${isMet ? 'met' : 'missed'} |`
  })
  const day = new Date().toISOString().slice(0, 10)
  return [
    `All of one run on ${day}, ${describeMachine()}. Figures that miss their goal are bold.`,
    '',
    '| where | figure | goal | measured | |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
