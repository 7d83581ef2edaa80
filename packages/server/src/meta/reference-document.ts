// The look and the frame of the table of all routes: a document of several sections below its title. It
// runs no script and loads nothing. Security H01.
import { buildDocument, type Html, html, htmlHeaders } from '../http/html/page.ts'

const COLORS = `:root{color-scheme:light dark;--ink:#16212e;--soft:#566273;--card:#fff;--back:#eef2f6;--line:#c3cedb;--rule:#d5dde6;--field:#f7f9fb;--edge:#76869a;--accent:#1f5fa8;--on-accent:#fff;--mark:#b3261e;--tint:#e8f0f9}
@media(prefers-color-scheme:dark){:root{--ink:#e8eef5;--soft:#9fb0c3;--card:#18222e;--back:#0f161e;--line:#41536a;--rule:#2c3a4a;--field:#111a23;--edge:#7b90a8;--accent:#8fc1ff;--on-accent:#0b1d31;--mark:#ff8a80;--tint:#1c2c3f}}`

/** Documents; `alone`: a single card in the middle of the page. */
const DOCUMENT_STYLE = `${COLORS}
body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
body.alone{min-height:100vh;display:grid;place-items:center}
main{box-sizing:border-box;width:min(64rem,100% - 2rem);margin:2rem auto}
.alone main{width:min(34rem,100% - 2rem);margin:1rem;padding:1.5rem 1.75rem;background:var(--card);border:1px solid var(--rule);border-top:4px solid var(--mark);border-radius:10px}
h1{margin:0 0 .75rem;font-size:1.5rem}.alone h1{font-size:1.25rem}
h2{margin:2rem 0 .5rem;font-size:1.1rem}.alone h2{margin:1rem 0 .15rem;font-size:.8rem;letter-spacing:.04em;text-transform:uppercase;color:var(--soft)}
p{margin:0;overflow-wrap:anywhere}code{font:.9em ui-monospace,monospace}a{color:var(--accent)}
footer{margin-top:1.25rem;padding-top:.75rem;border-top:1px solid var(--rule);color:var(--soft);font-size:.85rem}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--rule);border-radius:10px}
table{width:100%;border-collapse:collapse}th,td{padding:.45rem .9rem;text-align:left;vertical-align:top;border-top:1px solid var(--rule)}
thead th{border-top:0;color:var(--soft);font-size:.85rem;font-weight:600}td:nth-child(-n+3){white-space:nowrap}td:nth-child(3){color:var(--soft)}`

export const documentHeaders = (): Record<string, string> =>
  htmlHeaders({ style: DOCUMENT_STYLE, formAction: "'none'", frameAncestors: "'none'" })

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
