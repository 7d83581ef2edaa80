// The HTML documents beside the sign-in pages: errors for a person, and the table of routes. They run no
// script, load nothing, and may be framed by the configured hosts only. Security A21, H01.
import type { TextReply } from '../route.ts'
import { buildDocument, EMPTY_HTML, type Html, html, htmlHeaders } from './page.ts'
import { DOCUMENT_STYLE } from './page-style.ts'

/** Headers of a document. `framedBy`: exact origins that may frame it. */
export const documentHeaders = (framedBy: readonly string[]): Record<string, string> =>
  htmlHeaders({
    style: DOCUMENT_STYLE,
    formAction: "'none'",
    frameAncestors: framedBy.length > 0 ? framedBy.join(' ') : "'none'",
  })

/** A document of several sections below its title. */
export const buildReference = (title: string, content: Html): string =>
  buildDocument(
    title,
    DOCUMENT_STYLE,
    html`<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>`,
  )

interface ShownValue {
  readonly name: string
  readonly value: string
}

interface Problem {
  readonly title: string
  readonly cause: string
  readonly fix: string
  readonly code: string
  readonly traceId: string
  /** Values for a developer; absent where the reader may be another person. */
  readonly evidence?:
    | { readonly sent: readonly ShownValue[]; readonly registered: readonly ShownValue[] }
    | undefined
}

const valuesSection = (title: string, values: readonly ShownValue[]): Html =>
  values.length === 0
    ? EMPTY_HTML
    : html`<h2>${title}</h2>
${values.map(({ name, value }) => html`<p>${name}: <code>${value}</code></p>`)}`

export function buildErrorPage(
  status: number,
  framedBy: readonly string[],
  problem: Problem,
): TextReply {
  const { title, cause, fix, code, traceId, evidence } = problem
  const body = html`<body class="alone">
<main>
<h1>${title}</h1>
<h2>Cause</h2>
<p>${cause}</p>
<h2>What to do</h2>
<p>${fix}</p>
${valuesSection('Sent', evidence?.sent ?? [])}
${valuesSection('Registered', evidence?.registered ?? [])}
<footer>Code <code>${code}</code> · trace <code>${traceId}</code></footer>
</main>
</body>`
  return {
    status,
    headers: documentHeaders(framedBy),
    body: buildDocument(title, DOCUMENT_STYLE, body),
  }
}
