// Draws the timeline: one card per launch, each step with its time and the milliseconds since the
// step before, each failure with code, reason, cause, fix and trace id. Announces the newest step
// to screen readers. Owns DOM only; timeline.ts decides the content of a card.
import { STATE_WORDS } from './app-slot.ts'
import { button, byId, el } from './elements.ts'
import type { Card, CardStep, Failure, Timeline } from './timeline.ts'

export interface TimelineView {
  /** Draws the card of one launch again. */
  update(id: string): void
}

export function startTimelineView(timeline: Timeline, controls: Node): TimelineView {
  const section = byId('timeline', HTMLElement)
  const announcer = byId('announcer', HTMLElement)
  const empty = el('p', { class: 'empty' }, 'Launches appear here as they happen.')
  const list = el('div', { class: 'cards' }, empty)
  section.replaceChildren(
    el('header', {}, el('h2', { id: 'timeline-title' }, 'Launch timeline'), controls),
    list,
  )
  const drawn = new Map<string, HTMLElement>()
  return {
    update: (id) => {
      const card = timeline.card(id)
      if (!card) return
      empty.remove()
      const fresh = cardElement(card)
      const known = drawn.get(id)
      if (known) known.replaceWith(fresh)
      else list.prepend(fresh)
      drawn.set(id, fresh)
      announcer.textContent = announce(card)
      const last = card.steps.findLast(({ outcome }) => outcome !== 'pending')
      if (last?.failure) fresh.querySelector('.failure')?.scrollIntoView({ block: 'nearest' })
    },
  }
}

const STATES = { ...STATE_WORDS, replaced: 'Replaced' }
const KINDS = { ui: 'Panel', worker: 'Worker' }

const STEPS: Readonly<Record<string, string>> = {
  created: 'Created',
  opened: 'URL opened',
  authorize: 'Authorize',
  code: 'Code issued',
  exchange: 'Exchange',
  handshake: 'Handshake',
  context: 'Context',
  ended: 'Ended',
}

function cardElement(card: Card): HTMLElement {
  const total = card.state === 'ready' && card.totalMs !== null ? `, ${card.totalMs} ms` : ''
  const detail = card.failedStep ? `: ${STEPS[card.failedStep]}` : total
  return el(
    'article',
    { class: `launch ${card.state}`, 'data-launch': card.id, 'data-app': card.app },
    el(
      'header',
      {},
      el('h3', {}, card.app, el('small', {}, KINDS[card.kind])),
      el('p', { class: 'state' }, `${STATES[card.state]}${detail}`),
    ),
    el('ol', {}, ...card.steps.map(stepElement)),
    ...card.notes.map(({ at, text }) =>
      el('p', { class: 'note' }, el('time', {}, clockTime(at)), text),
    ),
  )
}

function stepElement(step: CardStep): HTMLElement {
  const mark = { ok: 'done', failed: 'failed', pending: 'not yet' }[step.outcome]
  const row = el(
    'li',
    { class: step.outcome, 'data-step': step.step },
    el('span', { class: 'dot', role: 'img', 'aria-label': mark }),
    el('span', { class: 'name' }, STEPS[step.step] ?? step.step),
  )
  if (step.at !== null) {
    const delta = step.delta === null ? '' : `+${step.delta} ms`
    row.append(
      el('span', { class: 'delta' }, delta),
      el('time', { datetime: new Date(step.at).toISOString() }, clockTime(step.at)),
    )
  }
  if (step.failure) row.append(failureElement(step.failure))
  return row
}

function failureElement(failure: Failure): HTMLElement {
  const rows: [string, string | null][] = [
    ['Code', failure.code],
    ['Reason', failure.reason],
    ['Cause', failure.cause],
    ['Fix', failure.fix],
    ['Trace', failure.traceId],
  ]
  const list = el('dl', { class: 'failure' })
  for (const [term, text] of rows) {
    if (!text) continue
    const value = el('dd', { class: term.toLowerCase() }, text)
    if (term === 'Trace') {
      value.append(button('Copy', () => void navigator.clipboard.writeText(text)))
    }
    list.append(el('dt', {}, term), value)
  }
  return list
}

function announce(card: Card): string {
  const last = card.steps.findLast(({ outcome }) => outcome !== 'pending')
  if (!last) return ''
  const name = STEPS[last.step] ?? last.step
  if (!last.failure) return `${card.app}: ${name}.`
  return `${card.app}: ${name} failed. ${last.failure.cause} ${last.failure.fix ?? ''}`
}

function clockTime(at: number): string {
  const date = new Date(at)
  const pad = (value: number, width: number): string => String(value).padStart(width, '0')
  const [h, m, s] = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) =>
    pad(part, 2),
  )
  return `${h}:${m}:${s}.${pad(date.getMilliseconds(), 3)}`
}
