// The HTML documents beside the sign-in pages: errors for a person, and the table of routes. They run no
// script, load nothing, and may be framed by the configured hosts only. Security A21, H01.
import type { TextReply } from '../route.ts'
import { buildDocument, type Html, html, htmlHeaders } from './page.ts'
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

export function buildErrorPage(
  status: number,
  framedBy: readonly string[],
  problem: { title: string; cause: string; fix: string; code: string; traceId: string },
): TextReply {
  const { title, cause, fix, code, traceId } = problem
  const body = html`<body class="alone">
<main>
<h1>${title}</h1>
<h2>Cause</h2>
<p>${cause}</p>
<h2>What to do</h2>
<p>${fix}</p>
<footer>Code <code>${code}</code> · trace <code>${traceId}</code></footer>
</main>
</body>`
  return {
    status,
    headers: documentHeaders(framedBy),
    body: buildDocument(title, DOCUMENT_STYLE, body),
  }
}
