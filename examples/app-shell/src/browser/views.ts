// What every sample app shows: its name over who is here, its end, a failure with code, cause and fix.
// The name is the document's title. Owns the DOM of the page; decides nothing.
import type { ProblemView } from '../problem.ts'
import { el } from './elements.ts'

/** Who launched the app, by what the app's server has verified. */
export interface WhoIsHere {
  readonly name: string
  readonly practice: string
}

const main = document.getElementById('app') ?? document.body

export function showApp({ name, practice }: WhoIsHere, ...content: Node[]): void {
  const provider = el('strong', { id: 'provider' }, name)
  const where = el('span', { id: 'practice' }, practice)
  main.className = 'app'
  main.removeAttribute('aria-live')
  main.replaceChildren(
    el('header', {}, el('h1', {}, document.title), el('p', { class: 'who' }, provider, where)),
    ...content,
  )
}

export function showEnded(words: string): void {
  main.className = 'middle'
  main.replaceChildren(el('h1', {}, `${document.title} is closed`), el('p', {}, words))
}

export function showProblem({ error, cause, fix, trace_id }: ProblemView): void {
  const facts = [
    ['Code', error],
    ['Fix', fix],
    ['Trace', trace_id],
  ] as const
  const rows = facts.flatMap(([term, words]) =>
    words ? [el('dt', {}, term), el('dd', {}, words)] : [],
  )
  main.className = 'middle'
  main.replaceChildren(
    el(
      'section',
      { class: 'error', role: 'alert' },
      el('h1', {}, `${document.title} could not open`),
      el('p', {}, cause),
      el('dl', {}, ...rows),
    ),
  )
}
