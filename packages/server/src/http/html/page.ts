// The one builder of HTML: text is escaped by construction, and every page leaves with a policy that
// allows its own style and nothing else. The sign-in pages may also send forms and run the passkey
// script; no page may frame them. Knows no step of signing in. Security A21, H01.
import { hash } from 'node:crypto'
import type { Reply, TextReply } from '../call.ts'
import { loadPageStyle } from './page-style.ts'

/** The text is HTML already; only {@link html} makes it. */
export interface Html {
  readonly html: string
}

/** Builds HTML in which every value is escaped unless it is HTML itself. */
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

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

export const EMPTY_HTML = html``

export interface Page {
  readonly title: string
  readonly content: Html
  /** The absolute address of the script that the page runs. */
  readonly script?: string
  readonly status?: number
  /** The exact origins that may frame the page; none without it. */
  readonly framedBy?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** Sets the browser's cookie. */
  readonly setCookie?: string | undefined
}

/** The content security policy of a page allows these; everything else is refused. */
interface PagePolicy {
  readonly style: string
  readonly script?: string | undefined
  readonly formAction: "'self'" | "'none'"
  readonly frameAncestors: string
}

/** Headers of every HTML answer. */
export function htmlHeaders(policy: PagePolicy): Record<string, string> {
  const { style, script, formAction, frameAncestors } = policy
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${hashOf(style)}'`,
      ...(script === undefined ? [] : [`script-src ${script.split('?')[0]}`]),
      "base-uri 'none'",
      `form-action ${formAction}`,
      `frame-ancestors ${frameAncestors}`,
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  }
}

const hashes = new Map<string, string>()

/** Each style is hashed once. */
function hashOf(style: string): string {
  const known = hashes.get(style) ?? hash('sha256', style, 'base64')
  hashes.set(style, known)
  return known
}

/** A whole document: the head with its style, then the body element. */
export const buildDocument = (title: string, style: string, body: Html): string =>
  html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${{ html: style }}</style>
${body}
</html>
`.html

const ICON =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><rect x="3" y="4" width="18" height="16" rx="3"/><path d="M14 4v16M6.5 12h1.5l1-2.5 1.5 5 1-2.5"/></svg>'

export function buildPage(page: Page): TextReply {
  const { title, content, script, status = 200, framedBy = [], headers = {}, setCookie } = page
  const style = loadPageStyle()
  const scriptElement =
    script === undefined ? EMPTY_HTML : html`<script type="module" src="${script}"></script>`
  const body = html`<body>
<main>
<p class="brand">${{ html: ICON }} Chartside</p>
<h1>${title}</h1>
${content}
</main>
${scriptElement}
</body>`
  return {
    status,
    headers: {
      ...htmlHeaders({
        style,
        script,
        formAction: "'self'",
        frameAncestors: framedBy.join(' ') || "'none'",
      }),
      ...headers,
      ...(setCookie === undefined ? {} : { 'set-cookie': setCookie }),
    },
    body: buildDocument(`${title} · Chartside`, style, body),
  }
}

export const hidden = (fields: Readonly<Record<string, string>>): Html[] =>
  Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )

/** The next page of a form that was sent. RFC 9700 4.12: 303, so that it is not sent again. */
export const goTo = (url: string, setCookie?: string): Reply => ({
  status: 303,
  headers: {
    location: url,
    'cache-control': 'no-store',
    ...(setCookie === undefined ? {} : { 'set-cookie': setCookie }),
  },
})
