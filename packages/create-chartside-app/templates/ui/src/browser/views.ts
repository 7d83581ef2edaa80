// What the provider sees: who is there, the end, a failure. Text stays text: no HTML string is parsed.
// Owns the DOM; what it shows was decided elsewhere.
import type { Me } from '../api.ts'
import type { ProblemView } from '../problem.ts'

const main = document.getElementById('app') ?? document.body

/** Your app goes here. */
export function showMe({ name, practice, ehrType }: Me): void {
  show(
    'app',
    el('h1', {}, `Hello, ${name}`),
    facts({ Provider: name, Practice: practice, EHR: ehrType }),
    el('p', { class: 'quiet' }, 'This page is showMe in src/browser/views.ts.'),
  )
}

export function showEnded(): void {
  const words = 'The launch has ended, so this session was ended too.'
  show('middle', el('h1', {}, `${document.title} is closed`), el('p', {}, words))
}

export function showProblem({ error, cause, fix, trace_id: trace }: ProblemView): void {
  const heading = el('h1', {}, `${document.title} could not open`)
  const details = facts({ Code: error, Fix: fix, ...(trace ? { Trace: trace } : {}) })
  const box = el('section', { class: 'error', role: 'alert' }, heading, el('p', {}, cause), details)
  show('middle', box)
}

function show(layout: 'app' | 'middle', ...children: Node[]): void {
  main.className = layout
  main.replaceChildren(...children)
}

/** A list of terms; each value has the id of its term. */
function facts(values: Readonly<Record<string, string>>): HTMLElement {
  const rows = Object.entries(values).flatMap(([term, value]) => [
    el('dt', {}, term),
    el('dd', { id: term.toLowerCase() }, value),
  ])
  return el('dl', {}, ...rows)
}

function el(
  name: keyof HTMLElementTagNameMap,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElement {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    element.setAttribute(attribute, value)
  }
  element.append(...children)
  return element
}
