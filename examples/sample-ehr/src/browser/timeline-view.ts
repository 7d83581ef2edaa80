// Draws the timeline: one card per launch, each step with its time and whose time
// it was, each failure with code, reason, cause, fix and trace id, and one Copy for all of it. A card
// that another launch replaced is folded. Owns DOM only; timeline.ts decides the content of a card.
import { button, byId, el } from './elements.ts'
import { buildReport } from './launch-report.ts'
import { STATE_WORDS, STEP_WORDS } from './launch-words.ts'
import type { Card, CardStep, Failure, Timeline } from './timeline.ts'
import { formatDuration, formatTime, formatUtc } from './times.ts'

export interface TimelineView {
  /** Draws the card of one launch again. */
  update(id: string): void
  /** Shows the newest card of the app whose tab is selected. */
  follow(app: string): void
}

export function startTimelineView(
  timeline: Timeline,
  action: Node,
  controls: readonly Node[],
): TimelineView {
  const section = byId('timeline', HTMLElement)
  const empty = el('p', { class: 'empty' }, 'Launches appear here as they happen.')
  // Reachable by the keyboard, because it scrolls.
  const list = el('div', { class: 'cards', tabindex: '0', 'aria-label': 'Launches' }, empty)
  list.setAttribute('role', 'group')
  const title = el('h2', { id: 'timeline-title' }, 'Launch timeline')
  section.replaceChildren(
    el('header', {}, el('div', { class: 'title-row' }, title, action), ...controls),
    list,
  )
  const drawn = new Map<string, HTMLDetailsElement>()
  let followed: string | null = null
  const mark = (): void => {
    const newest = [...drawn.values()].findLast(({ dataset }) => dataset.app === followed)
    for (const card of drawn.values()) card.classList.toggle('followed', card === newest)
    newest?.scrollIntoView({ block: 'nearest' })
  }
  return {
    update: (id) => {
      const card = timeline.card(id)
      if (!card) return
      empty.remove()
      const known = drawn.get(id)
      const fresh = cardElement(card, known?.dataset.toggled)
      if (known) known.replaceWith(fresh)
      else list.prepend(fresh)
      drawn.set(id, fresh)
      if (!known && card.app === followed) mark()
      else fresh.classList.toggle('followed', known?.classList.contains('followed') ?? false)
      const last = card.steps.findLast(({ outcome }) => outcome !== 'pending')
      if (last?.failure) fresh.querySelector('.failure')?.scrollIntoView({ block: 'nearest' })
    },
    follow: (app) => {
      followed = app
      mark()
    },
  }
}

const STATES = { ...STATE_WORDS, replaced: { glyph: '■', word: 'Replaced' } }
const KINDS = { ui: 'Panel', worker: 'Worker' }

/** `toggled`: `open` or `closed` by the reader, who knows better. */
function cardElement(card: Card, toggled: string | undefined): HTMLDetailsElement {
  const { glyph, word } = STATES[card.state]
  const total =
    card.state === 'ready' && card.totalMs !== null ? ` in ${formatDuration(card.totalMs)}` : ''
  const detail = card.failedStep ? ` at ${STEP_WORDS[card.failedStep]}` : total
  const element = el(
    'details',
    { class: `launch ${card.state}`, 'data-launch': card.id, 'data-app': card.app },
    el(
      'summary',
      {},
      el('h3', {}, card.app, el('small', {}, KINDS[card.kind])),
      el(
        'p',
        { class: 'state' },
        el('span', { class: 'glyph', 'aria-hidden': 'true' }, glyph),
        `${word}${detail}`,
      ),
    ),
    el('ol', {}, ...card.steps.map((step) => stepElement(step, card.state === 'failed'))),
    ...card.notes.map(({ at, text }) =>
      el('p', { class: 'note' }, timeElement(at), el('span', {}, text)),
    ),
    el(
      'div',
      { class: 'actions' },
      button('Copy report', () => void navigator.clipboard.writeText(buildReport(card))),
    ),
  )
  element.open = toggled === undefined ? card.state !== 'replaced' : toggled === 'open'
  if (toggled) element.dataset.toggled = toggled
  element.querySelector('summary')?.addEventListener('click', () => {
    element.dataset.toggled = element.open ? 'closed' : 'open'
  })
  return element
}

function stepElement(step: CardStep, hasFailed: boolean): HTMLElement {
  const pending = hasFailed ? 'did not happen' : 'not yet'
  const mark = { ok: 'done', failed: 'failed', pending }[step.outcome]
  const glyph = { ok: '✓', failed: '✕', pending: '·' }[step.outcome]
  const row = el(
    'li',
    { class: step.outcome, 'data-step': step.step },
    el('span', { class: 'dot', role: 'img', 'aria-label': mark }, glyph),
    el('span', { class: 'name' }, STEP_WORDS[step.step] ?? step.step),
  )
  if (step.at !== null) {
    row.append(el('span', { class: 'delta' }, step.times), timeElement(step.at))
  } else if (hasFailed) row.append(el('span', { class: 'delta' }, pending))
  if (step.failure) row.append(failureElement(step.failure))
  return row
}

const timeElement = (at: number) =>
  el('time', { datetime: formatUtc(at), title: formatUtc(at) }, formatTime(at))

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
    list.append(el('dt', {}, term), value)
  }
  return list
}
