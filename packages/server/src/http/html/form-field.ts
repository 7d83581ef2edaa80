// The fields of the forms of the pages: label, input, and a problem that a screen reader reads with the field.
// The field with a problem has the focus when the page opens. Pure.
import { EMPTY_HTML, type Html, html } from './page.ts'

interface Field {
  /** The name and the id. */
  readonly name: string
  readonly label: string
  readonly autocomplete: string
  readonly maxLength: number
  readonly minLength?: number
  readonly value?: string
  readonly type?: 'email' | 'text'
  readonly inputMode?: 'numeric'
  readonly className?: string
  readonly problem?: string | Html | undefined
  readonly hasFocus?: boolean
}

const attribute = (name: string, value: string | number | undefined): Html =>
  value === undefined ? EMPTY_HTML : html` ${name}="${String(value)}"`

function input(field: Field, type: string): Html {
  const { name, autocomplete, maxLength, minLength, value, inputMode, className, problem } = field
  const attributes = [
    attribute('type', type),
    attribute('id', name),
    attribute('name', name),
    attribute('autocomplete', autocomplete),
    attribute('minlength', minLength),
    attribute('maxlength', maxLength),
    attribute('value', value),
    attribute('inputmode', inputMode),
    attribute('class', className),
    ...(problem ? [html` aria-invalid="true" aria-describedby="${name}-problem"`] : []),
    ...(field.hasFocus ? [html` autofocus`] : []),
  ]
  return html`<input${attributes} required>`
}

/** The field has its own problem; announced when the page opens. */
const problemOf = ({ name, problem }: Field): Html =>
  problem ? html`<p class="problem" id="${name}-problem" role="alert">${problem}</p>` : EMPTY_HTML

export const textField = (field: Field): Html =>
  html`<div class="field"><label for="${field.name}">${field.label}</label>
${problemOf(field)}
${input(field, field.type ?? 'text')}</div>`

/** The button shows the password where the script of the page runs. */
export const passwordField = (field: Field): Html =>
  html`<div class="field"><label for="${field.name}">${field.label}</label>
${problemOf(field)}
<div class="with-button">${input(field, 'password')}<button type="button" class="button second small" data-reveal="${field.name}" aria-pressed="false" aria-label="Show what is typed" hidden>Show</button></div></div>`

/** A moment by the clock: of this device where the script of the page runs, else of UTC. */
export const clockTime = (at: number): Html =>
  html`<time data-clock datetime="${new Date(at).toISOString()}">${new Date(at).toLocaleTimeString(
    'en-US',
    { hour: 'numeric', minute: '2-digit', timeZone: 'UTC', timeZoneName: 'short' },
  )}</time>`
