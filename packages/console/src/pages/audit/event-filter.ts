// What the pages about audit ask for, as their address says it: a kind of events, a person, a time. Also the days that
// a chip means in the chosen zone. Pure.
import { AUDIT_KINDS, type AuditKind } from '@chartside/protocol/audit-actions'
import type { EventQuery } from '../../api/audit.ts'
import { startOfDay, type TimeChoice } from '../../session/time-zone.ts'

export const KIND_LABELS: Readonly<Record<AuditKind, string>> = {
  signIn: 'Signed in',
  look: 'Looked at people’s data',
  use: 'Used apps',
  run: 'Changed what runs',
  access: 'Changed access',
  keys: 'Keys and secrets',
}

const isKind = (text: string): text is AuditKind => Object.hasOwn(AUDIT_KINDS, text)

export const actionsOf = (kind: string): string | undefined =>
  isKind(kind) ? AUDIT_KINDS[kind].join(',') : undefined

export function readEventFilter(query: URLSearchParams): EventQuery {
  const given = (name: string) => query.get(name) || undefined
  return {
    about: given('about'),
    actor: given('actor'),
    action: actionsOf(query.get('kind') ?? ''),
    outcome: given('outcome'),
    from: given('from'),
    to: given('to'),
  }
}

export type TimeSpan = Readonly<Record<'from' | 'to', string | undefined>>

export const SPANS = {
  all: 'Every time',
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'Last 7 days',
} as const

export type SpanName = keyof typeof SPANS

export function spanOf(name: SpanName, now: number, choice: TimeChoice): TimeSpan {
  const day = (daysAgo: number) => new Date(startOfDay(now, daysAgo, choice)).toISOString()
  switch (name) {
    case 'all':
      return { from: undefined, to: undefined }
    case 'today':
      return { from: day(0), to: undefined }
    case 'yesterday':
      return { from: day(1), to: day(0) }
    case 'week':
      return { from: day(6), to: undefined }
  }
}

/** The chip of a span; undefined for one that no chip means. */
export const nameOfSpan = (
  { from, to }: TimeSpan,
  now: number,
  choice: TimeChoice,
): SpanName | undefined =>
  (Object.keys(SPANS) as SpanName[]).find((name) => {
    const span = spanOf(name, now, choice)
    return span.from === from && span.to === to
  })
