// A launch as one block of text that a developer can send on: app, state, each step with its times in UTC, and
// each failure with its trace id. Pure. Never a bearer value: the service records none.
import { listLaunchRows, STEP_NAMES } from '@chartside/protocol/launch-steps'
import { formatDuration, formatUtc } from '@chartside/ui/times'
import type { Card } from './timeline.ts'

export function buildReport({ id, app, kind, words, launch, failures, notes }: Card): string {
  const lines = [`${app} (${kind}), ${words}, launch ${id}`]
  for (const { span, outcome, startedAt, durationMs } of listLaunchRows(launch)) {
    const at = startedAt === undefined ? '' : `, ${formatUtc(Date.parse(startedAt))}`
    const took = durationMs === undefined ? '' : `, ${formatDuration(durationMs)}`
    lines.push(`${STEP_NAMES[span]}: ${outcome.replaceAll('_', ' ')}${at}${took}`)
  }
  for (const { step, code, reason, cause, fix, traceId } of failures) {
    lines.push(`Failed at ${step}`)
    const rows = { Code: code, Reason: reason, Cause: cause, Fix: fix, Trace: traceId }
    for (const [term, text] of Object.entries(rows)) if (text) lines.push(`  ${term}: ${text}`)
  }
  for (const { at, text } of notes) lines.push(`${formatUtc(at)} ${text}`)
  return `${lines.join('\n')}\n`
}
