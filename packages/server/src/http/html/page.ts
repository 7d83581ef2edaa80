// Builds the HTML of the sign-in pages: one card, escaped by construction, with a policy that allows
// our own style, our own forms and, where a page needs it, the one passkey script. Never framed by
// anybody. Knows no step of signing in. Security A21, H01.
import { hash } from 'node:crypto'
import type { Reply } from '../route.ts'
import { escapeHtml } from './error-page.ts'
import { PAGE_STYLE } from './page-style.ts'

/** Text that is HTML already; only {@link html} makes it. */
export interface Html {
  readonly html: string
}

/** HTML in which every value is escaped unless it is HTML itself. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html {
  const written = values.map((value) =>
    typeof value === 'string'
      ? escapeHtml(value)
      : 'html' in value
        ? value.html
        : value.map((one) => one.html).join('\n'),
  )
  return { html: parts.map((part, i) => part + (written[i] ?? '')).join('') }
}

export const EMPTY_HTML = html``

export interface Page {
  readonly title: string
  readonly content: Html
  /** The absolute address of the script that the page runs. */
  readonly script?: string
  readonly status?: number
  /** Sets the browser's cookie. */
  readonly setCookie?: string | undefined
}

const STYLE_HASH = hash('sha256', PAGE_STYLE, 'base64')
const ICON =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><rect x="3" y="4" width="18" height="16" rx="3"/><path d="M14 4v16M6.5 12h1.5l1-2.5 1.5 5 1-2.5"/></svg>'

export function buildPage({ title, content, script, status = 200, setCookie }: Page): Reply {
  const runs =
    script === undefined ? EMPTY_HTML : html`<script type="module" src="${script}"></script>`
  const document = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Chartside</title>
<style>${{ html: PAGE_STYLE }}</style>
<body>
<main>
<p class="brand">${{ html: ICON }} Chartside</p>
<h1>${title}</h1>
${content}
</main>
${runs}
</body>
</html>
`
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': [
        "default-src 'none'",
        `style-src 'sha256-${STYLE_HASH}'`,
        ...(script === undefined ? [] : [`script-src ${script.split('?')[0]}`]),
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ].join('; '),
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      ...(setCookie === undefined ? {} : { 'set-cookie': setCookie }),
    },
    body: document.html,
  }
}

export const hidden = (fields: Readonly<Record<string, string>>): Html[] =>
  Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )

/** Said aloud by a screen reader as the page opens. */
export const problemNote = (problem: string | undefined): Html =>
  problem === undefined ? EMPTY_HTML : html`<p class="problem" role="alert">${problem}</p>`

/** The next page of a form that was sent. RFC 9700 4.12: 303, so that it is not sent again. */
export const goTo = (url: string, setCookie?: string): Reply => ({
  status: 303,
  headers: {
    location: url,
    'cache-control': 'no-store',
    ...(setCookie === undefined ? {} : { 'set-cookie': setCookie }),
  },
})
