// Decides the verdicts of a run: for each guarantee of the service, the violations that were counted.
// Pure, so that a test can show that each violation is noticed.
import type { Facts } from './facts.ts'
import type { Fault } from './faults.ts'
import type { Delivery, StreamReport } from './streams.ts'
import type { Findings } from './verify.ts'

export interface Evidence {
  readonly facts: Facts
  readonly findings: Findings
  readonly faults: readonly Fault[]
  /** Failures of launches that were in flight at no fault. */
  readonly unexplained: readonly string[]
  readonly load: { readonly completed: number; readonly failed: number }
  /** Of a hundred launches so many complete at least. */
  readonly floorPercent: number
  /** When event streams were open. */
  readonly streams?: StreamReport | undefined
  /** Launches that neither completed nor failed. */
  readonly unended: number
  /** Planned actions that failed, and why. */
  readonly notCarriedOut: readonly string[]
}

export interface Verdict {
  readonly guarantee: string
  readonly counted: string
  readonly isMet: boolean
  /** The first violations, in words. */
  readonly examples: readonly string[]
}

const MAX_EXAMPLES = 5

export function decideVerdicts(evidence: Evidence): Verdict[] {
  const { facts, findings, faults, unexplained, unended, notCarriedOut } = evidence
  const sum = (of: (fault: Fault) => number) => faults.reduce((total, f) => total + of(f), 0)
  const failed = sum((fault) => fault.failed) + unexplained.length
  const tooMany = faults.filter((fault) => fault.failed > fault.exposed)
  const badIdTokens = [...facts.badIdTokens, ...findings.badIdTokens]
  const { load, floorPercent } = evidence
  const ended = load.completed + load.failed
  const percent = ended === 0 ? 100 : (load.completed / ended) * 100
  const served = `${percent.toFixed(2)} of a hundred launches completed`
  const undone = [...notCarriedOut, ...findings.unfinished]
  const none = (guarantee: string, broken: readonly string[], counted: string): Verdict => ({
    guarantee,
    counted,
    isMet: broken.length === 0,
    examples: broken.slice(0, MAX_EXAMPLES),
  })
  return [
    none(
      'no code gives two tokens',
      findings.doubleIssues,
      `double issues: ${findings.doubleIssues.length}`,
    ),
    none(
      'nothing acknowledged is lost',
      findings.lost,
      `acknowledged writes lost: ${findings.lost.length}`,
    ),
    none(
      'a launch fails only when it was in flight at a fault',
      [...unexplained, ...tooMany.map(({ name }) => `more than were in flight: ${name}`)],
      `failed: ${failed}, in flight at the faults: ${sum((fault) => fault.exposed)}, unexplained: ${unexplained.length}`,
    ),
    none(
      'every ID token verifies',
      badIdTokens,
      `not verified: ${badIdTokens.length} of ${facts.idTokens}`,
    ),
    none(
      'every node sees at once what any node acknowledged',
      facts.staleReads,
      `stale: ${facts.staleReads.length}`,
    ),
    none(
      'every answer is the right one, or 503 with Retry-After',
      facts.unexpectedAnswers,
      `unexpectedAnswers: ${facts.unexpectedAnswers.length}`,
    ),
    none(
      'every launch comes to an end',
      Array.from({ length: Math.min(unended, 1) }, () => `${unended} launches`),
      `without an end: ${unended}`,
    ),
    none(
      `at least ${floorPercent} of a hundred launches complete`,
      percent < floorPercent ? [served] : [],
      served,
    ),
    none('everything planned was carried out', undone, `not done: ${undone.length}`),
    ...(evidence.streams ? decideOfStreams(evidence.streams) : []),
  ]
}

/** The latest attempt is eight seconds after the one before, and a node that is busy refuses some. */
const BACK_WITHIN_MS = 30_000
const DELIVERED_WITHIN_MS = 5_000
/** Of a hundred streams of a node at most so many ask for a new one in the same tenth of a second. */
const MAX_BUSIEST_PERCENT = 33
/** Fewer may meet by chance. */
const MANY_STREAMS = 20

function decideOfStreams({ incidents, opened, news, ends }: StreamReport): Verdict[] {
  const away = incidents.filter(
    ({ notBack, slowestMs }) => notBack > 0 || slowestMs > BACK_WITHIN_MS,
  )
  const simultaneous = incidents.filter(
    ({ lost, busiestPercent }) => lost >= MANY_STREAMS && busiestPercent > MAX_BUSIEST_PERCENT,
  )
  const isLate = ({ delivered, wanted, slowestMs }: Delivery) =>
    delivered < wanted || slowestMs > DELIVERED_WITHIN_MS
  const late = [
    ...(isLate(news) ? [`${news.delivered} of ${news.wanted} heard of a launch`] : []),
    ...(isLate(ends)
      ? [`${ends.delivered} of ${ends.wanted} heard of the end of their session`]
      : []),
  ]
  const lost = incidents.reduce((sum, incident) => sum + incident.lost, 0)
  const slowest = Math.max(0, ...incidents.map(({ slowestMs }) => slowestMs))
  const busiest = Math.max(0, ...incidents.map(({ busiestPercent }) => busiestPercent))
  const verdict = (guarantee: string, examples: readonly string[], counted: string): Verdict => ({
    guarantee,
    counted,
    isMet: examples.length === 0,
    examples,
  })
  return [
    verdict(
      `a lost event stream is open again within ${BACK_WITHIN_MS / 1000} s`,
      away.map(({ name, notBack }) => `${name}: ${notBack} not back`),
      `lost: ${lost} of ${opened}, the slowest back after ${Math.round(slowest)} ms`,
    ),
    verdict(
      'the event streams of a node do not all come back at once',
      simultaneous.map(({ name }) => name),
      `in the busiest tenth of a second: ${Math.round(busiest)} of a hundred`,
    ),
    verdict(
      `every event stream hears of a launch and of its end within ${DELIVERED_WITHIN_MS / 1000} s`,
      late,
      `launch: ${news.delivered} of ${news.wanted} in ${Math.round(news.slowestMs)} ms, end: ${ends.delivered} of ${ends.wanted} in ${Math.round(ends.slowestMs)} ms`,
    ),
  ]
}
