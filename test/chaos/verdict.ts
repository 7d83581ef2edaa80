// Judges a run: each promise of the service with what was counted against it. Pure, so that a test
// can show that every broken promise is noticed.
import type { Facts } from './facts.ts'
import type { Fault } from './faults.ts'
import type { Findings } from './verify.ts'

export interface Evidence {
  readonly facts: Facts
  readonly findings: Findings
  readonly faults: readonly Fault[]
  /** Failures of launches that were in flight at no fault. */
  readonly unexplained: readonly string[]
  /** Launches that neither completed nor failed. */
  readonly neverEnded: number
  /** What was planned and could not be carried out, and why. */
  readonly notDone: readonly string[]
}

export interface Verdict {
  readonly promise: string
  readonly counted: string
  readonly isKept: boolean
  /** What broke it, in words; the first few. */
  readonly examples: readonly string[]
}

const MAX_EXAMPLES = 5

export function judge(evidence: Evidence): Verdict[] {
  const { facts, findings, faults, unexplained, neverEnded, notDone } = evidence
  const sum = (of: (fault: Fault) => number) => faults.reduce((total, f) => total + of(f), 0)
  const failed = sum((fault) => fault.failed) + unexplained.length
  const tooMany = faults.filter((fault) => fault.failed > fault.exposed)
  const badIdTokens = [...facts.badIdTokens, ...findings.badIdTokens]
  const undone = [...notDone, ...findings.unfinished]
  const none = (promise: string, broken: readonly string[], counted: string): Verdict => ({
    promise,
    counted,
    isKept: broken.length === 0,
    examples: broken.slice(0, MAX_EXAMPLES),
  })
  return [
    none(
      'no code buys two tokens',
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
      facts.surprises,
      `surprises: ${facts.surprises.length}`,
    ),
    none(
      'every launch comes to an end',
      Array.from({ length: Math.min(neverEnded, 1) }, () => `${neverEnded} launches`),
      `without an end: ${neverEnded}`,
    ),
    none('everything planned was carried out', undone, `not done: ${undone.length}`),
  ]
}
