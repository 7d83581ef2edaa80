// The lines that `npm run tool -- mutants` prints: progress with the time that is left, the summary by area,
// and every fault that was not caught. Pure.
import type { Mutant } from './mutant.ts'
import type { Verdict } from './run-mutant.ts'

export interface Progress {
  readonly done: number
  readonly total: number
  readonly elapsedSeconds: number
}

export function formatProgress(mutant: Mutant, verdict: Verdict, progress: Progress): string {
  const { done, total, elapsedSeconds } = progress
  const count = `${String(done).padStart(String(total).length)}/${total}`
  const left = (elapsedSeconds / done) * (total - done)
  const took = `${verdict.seconds.toFixed(1)} s`
  const by = verdict.by === '' ? '' : `: ${verdict.by}`
  return `${count} ${verdict.outcome.padEnd(8)} ${mutant.name} (${mutant.requirement}) ${took}${by} [${formatLeft(left)}]`
}

function formatLeft(seconds: number): string {
  if (seconds < 1) return 'done'
  if (seconds < 90) return `${Math.ceil(seconds)} s left`
  return `${Math.round(seconds / 60)} min left`
}

export function formatSummary(results: readonly (readonly [Mutant, Verdict])[]): string {
  const lines: string[] = []
  const areas = [...new Set(results.map(([{ area }]) => area))]
  const width = Math.max(...areas.map((area) => area.length), 0)
  for (const area of areas) {
    const own = results.filter(([mutant]) => mutant.area === area)
    const changing = own.filter(([{ redundant }]) => redundant === undefined)
    const caught = changing.filter(([, { outcome }]) => outcome === 'caught').length
    const without = own.length - changing.length
    lines.push(
      `${area.padEnd(width)}  ${String(caught).padStart(3)} of ${String(changing.length).padStart(3)} caught` +
        (without > 0 ? `, ${without} without effect` : ''),
    )
  }
  const missed = results.filter(([, { outcome }]) => outcome !== 'caught')
  for (const [mutant, { outcome, by }] of missed) {
    const reason = mutant.redundant
      ? `without effect: ${mutant.redundant}`
      : by || 'no test catches it'
    lines.push(`${outcome}: ${mutant.name} (${mutant.requirement}) in ${mutant.file}: ${reason}`)
  }
  const changing = results.filter(([{ redundant }]) => redundant === undefined)
  const caught = changing.filter(([, { outcome }]) => outcome === 'caught').length
  lines.push(
    `${results.length} planted; ${caught} of ${changing.length} that change behaviour were caught`,
  )
  return lines.join('\n')
}
