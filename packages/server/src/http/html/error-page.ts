// The page of an error, in two registers: for the person what happened, whether the chart is safe and what to
// do; for support and developers, in a fold, the evidence and one block to copy. It runs no script and
// loads nothing. Security A21, H01.
import { rfc3339 } from '../../kernel/time.ts'
import type { TextReply } from '../call.ts'
import { buildPage, EMPTY_HTML, type Html, html } from './page.ts'

interface ShownValue {
  readonly name: string
  readonly value: string
}

export interface PageLink {
  readonly label: string
  readonly url: string
}

export interface Problem {
  readonly title: string
  /** The person reads here what happened, and what it does not touch. */
  readonly happened: string
  readonly todo: string
  readonly actions?: readonly PageLink[]
  readonly code: string
  /** The precise reason behind the code. */
  readonly reason?: string
  /** A developer reads this part. */
  readonly cause: string
  readonly fix: string
  readonly traceId: string
  /** The time in milliseconds. */
  readonly at: number
  /** Values for a developer; absent where the reader may be another person. */
  readonly evidence?:
    | { readonly sent: readonly ShownValue[]; readonly registered: readonly ShownValue[] }
    | undefined
}

export interface ErrorPageOptions {
  readonly status: number
  /** Its address, and whether it serves its documentation. */
  readonly service: { readonly baseUrl: string; readonly docs: string }
  readonly framedBy?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

export const CHART_IS_SAFE = 'Your chart is not affected, and nothing that you wrote there is lost.'

export function buildErrorPage(options: ErrorPageOptions, problem: Problem): TextReply {
  const { status, service, framedBy = [], headers = {} } = options
  const { baseUrl } = service
  const { title, happened, todo, actions = [], cause, fix, traceId, evidence } = problem
  const launchAddress = `${baseUrl}/console/launches?trace=${traceId}`
  const content = html`<p>${happened}</p>
<p>${todo}</p>
${actions.length > 0 ? html`<div class="actions">${actions.map(linkOf)}</div>` : EMPTY_HTML}
${detailsOf(
  evidence !== undefined,
  html`<summary>For support and developers: trace ${traceId}</summary>
<dl>
<dt>Cause</dt><dd>${cause}</dd>
<dt>Fix</dt><dd>${fix}</dd>
</dl>
<pre tabindex="0" role="region" aria-label="Report">${reportOf(problem, framedBy.length > 0 ? launchAddress : undefined)}</pre>
<p>One click selects the report, to copy it. <a href="${meaningOf(problem, service)}">What this error means</a></p>`,
)}`
  return buildPage({ title, content, status, framedBy, headers })
}

/** Every code and every reason has a row in the documentation, and in the reference of the API. */
function meaningOf(
  { code, reason }: Problem,
  { baseUrl, docs }: ErrorPageOptions['service'],
): string {
  if (docs === 'on') return `${baseUrl}/docs/errors/${reason ?? code}`
  return `${baseUrl}/doc#${reason ? `reason-${reason}` : `error-${code}`}`
}

const linkOf = ({ label, url }: PageLink, index: number): Html =>
  index === 0
    ? html`<a class="button" href="${url}">${label}</a>`
    : html`<a class="button second" href="${url}">${label}</a>`

/** Builds the details, open where the reader is a developer: the page has values only then. */
const detailsOf = (isOpen: boolean, content: Html): Html =>
  isOpen ? html`<details open>${content}</details>` : html`<details>${content}</details>`

/** Builds one block, as it is pasted into a ticket. */
function reportOf(
  { title, code, reason, cause, fix, traceId, at, evidence }: Problem,
  /** A page in the frame of an app opens no other pages. */
  launchAddress: string | undefined,
): string {
  const lines = [
    ['what', title],
    ['code', code],
    ...(reason === undefined ? [] : [['reason', reason]]),
    ['cause', cause],
    ['fix', fix],
    ...(evidence?.sent ?? []).map(({ name, value }) => ['sent', `${name}: ${value}`]),
    ...(evidence?.registered ?? []).map(({ name, value }) => ['registered', `${name}: ${value}`]),
    ['trace', traceId],
    ...(launchAddress === undefined ? [] : [['launch', launchAddress]]),
    ['time', rfc3339(at)],
  ]
  return lines.map(([name = '', value = '']) => `${name}: ${value}`).join('\n')
}
