// The parts of every page of this app: the user, the end of the launch, an error in two registers.
// Text stays text: no HTML string is parsed. Owns the DOM of the page; decides nothing.
import type { PageProblem } from './problem.ts'

/**
 * Creates a header with the app's name, and the user by the verified launch. Never throws.
 * @example show('app', userHeader({ name, practice }), list)
 */
export const userHeader = (user: { readonly name: string; readonly practice: string }) =>
  el(
    'header',
    {},
    el('h1', {}, document.title),
    el('strong', { id: 'provider' }, user.name),
    el('span', { id: 'practice', class: 'quiet' }, user.practice),
  )

/**
 * Says that the launch has ended. Never throws.
 * @example sdk.on('ended', showEnded)
 */
export function showEnded(): void {
  const message = 'The launch has ended, so this session was ended too.'
  show('middle', el('h1', {}, `${document.title} is closed`), el('p', {}, message))
}

/**
 * Shows a failure in two registers: the provider reads what to do; support opens the fold. Never throws.
 * @example showProblem(describeProblem(error))
 */
export function showProblem(problem: PageProblem): void {
  const heading = el('h1', {}, `${document.title} could not open`)
  const advice = el('p', {}, `The chart is not affected. ${problem.advice}`)
  const box = el('section', { class: 'error', role: 'alert' }, heading, advice)
  show('middle', el('div', {}, box, buildEvidence(problem)))
}

function buildEvidence({ error, cause, fix, trace_id: trace }: PageProblem): HTMLElement {
  const evidence = { Code: error, Cause: cause, Fix: fix, ...(trace ? { Trace: trace } : {}) }
  const list = facts(evidence)
  const copy = el('button', { type: 'button' }, 'Copy')
  copy.addEventListener('click', () => void copyText(list, evidence, copy))
  return el('details', { class: 'support' }, el('summary', {}, 'For support'), list, copy)
}

async function copyText(list: HTMLElement, evidence: object, button: HTMLElement): Promise<void> {
  const lines = Object.entries({ App: document.title, ...evidence }).map((pair) => pair.join(': '))
  await navigator.clipboard.writeText(lines.join('\n')).then(
    () => {
      button.textContent = 'Copied'
    },
    // A frame needs the permission of its host. What is selected can be copied by hand.
    () => getSelection()?.selectAllChildren(list),
  )
}

/**
 * Puts elements in place of what the page shows. `middle` is one message, `app` the app itself. Never
 * throws.
 * @example show('app', userHeader(user), list)
 */
export function show(layout: 'app' | 'middle', ...children: Node[]): void {
  const main = document.getElementById('app') ?? document.body
  main.className = layout
  main.removeAttribute('aria-live')
  main.replaceChildren(...children)
}

/**
 * Creates a list of terms; the id of each value is its term in lower case. Never throws.
 * @example facts({ EHR: me.ehrType })
 */
export function facts(values: Readonly<Record<string, string>>): HTMLElement {
  const rows = Object.entries(values).flatMap(([term, value]) => [
    el('dt', {}, term),
    el('dd', { id: term.toLowerCase() }, value),
  ])
  return el('dl', {}, ...rows)
}

/**
 * Creates an element with attributes and children; a text stays text.
 * @throws DOMException for a name that an attribute cannot have
 * @example el('p', { class: 'quiet' }, 'Nothing yet.')
 */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    element.setAttribute(attribute, value)
  }
  element.append(...children)
  return element
}
