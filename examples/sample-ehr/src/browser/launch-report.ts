// A launch as one block of text that a developer can send on: app, state, each step with its time in
// UTC, and each failure with its trace id. Pure. Never a bearer value: the service records none.
import { STATE_WORDS, STEP_WORDS } from './launch-words.ts'
import type { Card } from './timeline.ts'
import { formatUtc } from './times.ts'

export function buildReport({ id, app, kind, state, steps, notes }: Card): string {
  const word = state === 'replaced' ? 'Replaced' : STATE_WORDS[state].word
  const lines = [`${app} (${kind}), ${word}, launch ${id}`]
  for (const { step, outcome, at, times, failure } of steps) {
    const since = times && ` (${times})`
    const when = at === null ? 'did not happen' : `${formatUtc(at)}${since}`
    const name = STEP_WORDS[step] ?? step
    lines.push(`${name}: ${outcome === 'failed' ? 'failed, ' : ''}${when}`)
    if (!failure) continue
    const { code, reason, cause, fix, traceId } = failure
    const rows = { Code: code, Reason: reason, Cause: cause, Fix: fix, Trace: traceId }
    for (const [term, text] of Object.entries(rows)) if (text) lines.push(`  ${term}: ${text}`)
  }
  for (const { at, text } of notes) lines.push(`${formatUtc(at)} ${text}`)
  return `${lines.join('\n')}\n`
}
