// What a developer sees of the open app's launch: each step with its time and the time since the one
// before, failures with cause and fix, and what only the host saw between them. Pure. Providers do not
// get it.
import { formatDuration, formatTime, formatUtc } from '@chartside/ui/times'
import type { ButtonView } from './actions.ts'
import type { NamedSlot } from './app-covers.ts'
import {
  buildPages,
  type DiagnosticsRow,
  type PagesChecked,
  type PagesView,
} from './pages-checked.ts'
import { WORDS } from './words.ts'

export interface DiagnosticsView {
  readonly title: string
  readonly rows: readonly DiagnosticsRow[]
  /** The findings of the service at the registered pages, once asked. */
  readonly pages: PagesView
  readonly check: ButtonView
  /** The report has everything as one text, with times in UTC. */
  readonly report: string
}

interface Entry extends Pick<DiagnosticsRow, 'name' | 'outcome' | 'detail'> {
  readonly at: number
}

export function buildDiagnostics(
  { app, slot }: NamedSlot,
  checked: PagesChecked | null,
  timeZone?: string,
): DiagnosticsView {
  const entries = listEntries(slot)
  const rows = entries.map((entry, index) => {
    const before = entries[index - 1]
    return {
      id: `${index}`,
      name: entry.name,
      outcome: entry.outcome,
      time: formatTime(entry.at, { timeZone }),
      after: before ? `+${formatDuration(entry.at - before.at)}` : '',
      detail: entry.detail,
    }
  })
  const lines = entries.map(
    ({ at, name, outcome, detail }) => `${formatUtc(at)} ${name} ${outcome} ${detail.join(' ')}`,
  )
  const pages = buildPages(app.id, checked)
  const found = pages.rows.map(
    ({ name, outcome, detail }) => `${name} ${outcome} ${detail.join(' ')}`,
  )
  const report = [`${app.name}, ${slot.state.kind}`, ...lines, ...found]
    .map((line) => line.trim())
    .join('\n')
  const command = { type: 'preflight', appId: app.id } as const
  const check = { label: WORDS.pagesCheck, action: { type: 'send', command } } as const
  return { title: WORDS.diagnosticsOf(app.name), rows, pages, check, report }
}

/** The steps of the service, and the host's notes of what the service does not know. */
function listEntries({ steps, notes }: NamedSlot['slot']): Entry[] {
  const known = steps.map(
    ({ step, at, outcome, code, reason, cause, fix, traceId }): Entry => ({
      at: Date.parse(at),
      name: step,
      outcome,
      detail: [
        code,
        reason === code ? undefined : reason,
        cause,
        fix,
        traceId && `Trace ${traceId}.`,
      ].filter((text): text is string => text !== undefined && text !== ''),
    }),
  )
  const hostOnly = notes
    .filter(({ name }) => !known.some((entry) => entry.name === name))
    .map(
      ({ at, name, detail, isFailure }): Entry => ({
        at,
        name,
        outcome: isFailure ? 'failed' : 'note',
        detail: detail === '' ? [] : [detail],
      }),
    )
  return [...known, ...hostOnly].sort((a, b) => a.at - b.at)
}
