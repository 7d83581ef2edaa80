// What `chartside logs` shows of the launches that it reads: one entry for each launch once its outcome is known, in
// the order in which it is known, and from when the next request asks. A launch that became ready after a
// failure gets a second one. Pure: launches in, entries out.
import type { Launch } from '@chartside/protocol/launch'
import { findStopped, STEP_NAMES } from '@chartside/protocol/launch-steps'

/** A launch that is not ready by then is shown as it is, and is no longer waited for. */
const SETTLED_MS = 2 * 60_000

export interface LogEntry {
  readonly at: string
  readonly outcome: Launch['outcome']
  readonly app: Launch['app']
  readonly practice: Launch['account']
  readonly launchId: string
  /** The time since the launch was created, of one that became ready, and may have ended since. */
  readonly readyMs?: number | undefined
  /** The step that failed, or at which the launch stands. */
  readonly step?: string | undefined
  readonly reason?: string | undefined
  readonly cause?: string | undefined
  readonly fix?: string | undefined
  readonly traceId?: string | undefined
}

export class LaunchLog {
  /** The outcome that was shown, and when the launch was created, by its id. */
  readonly #shown = new Map<string, Pick<Launch, 'outcome' | 'createdAt'>>()
  #from: string | undefined

  /** The next request asks for launches that were created at this time or later. */
  get from(): string | undefined {
    return this.#from
  }

  /** Takes all launches since `from`, newest first. */
  receive(launches: readonly Launch[], now: number): LogEntry[] {
    const isYoung = ({ createdAt }: Launch) => now - Date.parse(createdAt) < SETTLED_MS
    // A failed launch may still become ready.
    const oldestOpen = launches.findLast(
      (launch) => isYoung(launch) && ['opening', 'failed'].includes(launch.outcome),
    )
    this.#from = oldestOpen?.createdAt ?? launches[0]?.createdAt ?? this.#from
    const entries: LogEntry[] = []
    for (const launch of launches.toReversed()) {
      const { id, outcome, createdAt } = launch
      const before = this.#shown.get(id)?.outcome
      if (outcome === 'opening' && isYoung(launch)) continue
      if (before !== undefined && (outcome !== 'ready' || before === 'ready')) continue
      this.#shown.set(id, { outcome, createdAt })
      entries.push(entryOf(launch))
    }
    for (const [id, { createdAt }] of this.#shown) {
      if (this.#from !== undefined && createdAt < this.#from) this.#shown.delete(id)
    }
    return entries
  }
}

function entryOf(launch: Launch): LogEntry {
  const { id, app, account, outcome, createdAt } = launch
  const entry = { at: createdAt, outcome, app, practice: account, launchId: id }
  if (outcome === 'ready' || outcome === 'ended') {
    return { ...entry, readyMs: timeToReady(launch), reason: launch.ended?.reason }
  }
  const { spans, steps } = launch
  const stopped = findStopped(launch)
  const why = stopped ?? steps.findLast((step) => step.outcome === 'failed')
  const stands = stopped ?? spans.find((span) => span.outcome !== 'ok')
  return {
    ...entry,
    step: stands && STEP_NAMES[stands.span],
    reason: why?.reason ?? why?.code,
    cause: why?.cause,
    fix: why?.fix,
    traceId: why?.traceId,
  }
}

function timeToReady({ createdAt, spans }: Launch): number | undefined {
  const { startedAt, durationMs } = spans.at(-1) ?? {}
  if (startedAt === undefined || durationMs === undefined) return undefined
  return Date.parse(startedAt) + durationMs - Date.parse(createdAt)
}

/** An entry in one line: time, outcome, app, practice, what happened, trace id, id of the launch. */
export function describeEntry({ at, outcome, app, practice, launchId, ...why }: LogEntry): string {
  const { readyMs, step, reason, cause, traceId } = why
  const where = `${app.name} at ${practice.name}${step === undefined ? '' : `, ${step}`}`
  const facts = [
    readyMs === undefined ? undefined : `ready after ${readyMs} ms`,
    cause,
    reason && `(${reason})`,
    traceId && `trace ${traceId}`,
    launchId,
  ]
  const text = facts.filter((fact) => fact !== undefined).join(' ')
  return `${at.slice(0, 19)}Z ${outcome.padEnd(7)} ${where}: ${text}`
}
