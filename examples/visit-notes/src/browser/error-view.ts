// Shows one failure so that a person can act on it: code, cause, fix, trace id. Text only, so
// nothing that arrives in a URL can become markup. Owns the app's error page, decides nothing.
import { el } from './elements.ts'

export interface ErrorView {
  readonly error: string
  readonly cause: string
  readonly fix: string
  readonly trace_id?: string
}

export class ViewError extends Error {
  readonly view: ErrorView

  constructor(view: ErrorView) {
    super(view.cause)
    this.view = view
  }
}

export function showError(view: ErrorView): void {
  const rows: [string, string][] = [
    ['Code', view.error],
    ['Fix', view.fix],
  ]
  if (view.trace_id) rows.push(['Trace', view.trace_id])
  const details = rows.flatMap(([term, text]) => [
    el('dt', {}, term),
    el('dd', term === 'Fix' ? {} : { class: 'code' }, text),
  ])
  const main = document.getElementById('app') ?? document.body
  main.className = 'middle'
  main.replaceChildren(
    el(
      'section',
      { class: 'error', role: 'alert' },
      el('h1', {}, 'Visit Notes could not open'),
      el('p', {}, view.cause),
      el('dl', {}, ...details),
    ),
  )
}
