// The HTML that the service shows a person when something is wrong. Escapes everything, runs no
// script, loads nothing, and may be framed by the configured hosts only. Security A21, H01.
import { hash } from 'node:crypto'
import type { TextReply } from '../route.ts'

const STYLE = `:root{color-scheme:light dark;--ink:#16212e;--soft:#566273;--card:#fff;--back:#eef2f6;--line:#d5dde6;--mark:#b3261e;--link:#1f5fa8}
@media(prefers-color-scheme:dark){:root{--ink:#e8eef5;--soft:#9fb0c3;--card:#18222e;--back:#0f161e;--line:#2c3a4a;--mark:#ff8a80;--link:#8fc1ff}}
body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
body.alone{min-height:100vh;display:grid;place-items:center}
main{box-sizing:border-box;width:min(64rem,100% - 2rem);margin:2rem auto}
.alone main{width:min(34rem,100% - 2rem);margin:1rem;padding:1.5rem 1.75rem;background:var(--card);border:1px solid var(--line);border-top:4px solid var(--mark);border-radius:10px}
h1{margin:0 0 .75rem;font-size:1.5rem}.alone h1{font-size:1.25rem}
h2{margin:2rem 0 .5rem;font-size:1.1rem}.alone h2{margin:1rem 0 .15rem;font-size:.8rem;letter-spacing:.04em;text-transform:uppercase;color:var(--soft)}
p{margin:0;overflow-wrap:anywhere}code{font:.9em ui-monospace,monospace}a{color:var(--link)}
footer{margin-top:1.25rem;padding-top:.75rem;border-top:1px solid var(--line);color:var(--soft);font-size:.85rem}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:10px}
table{width:100%;border-collapse:collapse}th,td{padding:.45rem .9rem;text-align:left;vertical-align:top;border-top:1px solid var(--line)}
thead th{border-top:0;color:var(--soft);font-size:.85rem;font-weight:600}td:nth-child(-n+3){white-space:nowrap}td:nth-child(3){color:var(--soft)}`

const STYLE_HASH = hash('sha256', STYLE, 'base64')

/** Headers of every HTML answer. `framedBy`: exact origins that may frame it. */
export function pageHeaders(framedBy: readonly string[]): Record<string, string> {
  const ancestors = framedBy.length > 0 ? framedBy.join(' ') : "'none'"
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  }
}

/** A whole document around escaped content. `isAlone`: one card in the middle of the page. */
export function buildDocument(title: string, content: string, isAlone: boolean): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
<body${isAlone ? ' class="alone"' : ''}>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`
}

export function buildErrorPage(
  status: number,
  framedBy: readonly string[],
  problem: { title: string; cause: string; fix: string; code: string; traceId: string },
): TextReply {
  const { title, cause, fix, code, traceId } = problem
  return {
    status,
    headers: pageHeaders(framedBy),
    body: buildDocument(
      title,
      `<h2>Cause</h2>
<p>${escapeHtml(cause)}</p>
<h2>What to do</h2>
<p>${escapeHtml(fix)}</p>
<footer>Code <code>${escapeHtml(code)}</code> · trace <code>${escapeHtml(traceId)}</code></footer>`,
      true,
    ),
  }
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
