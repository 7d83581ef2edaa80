// The look of every page of the service, light and dark: colors, the card of the sign-in pages, and the
// documents (error pages, table of routes). Each style is one text, so that its hash can stand in the
// content security policy.

const COLORS = `:root{color-scheme:light dark;--ink:#16212e;--soft:#566273;--card:#fff;--back:#eef2f6;--line:#c3cedb;--rule:#d5dde6;--field:#f7f9fb;--edge:#76869a;--accent:#1f5fa8;--on-accent:#fff;--mark:#b3261e;--tint:#e8f0f9}
@media(prefers-color-scheme:dark){:root{--ink:#e8eef5;--soft:#9fb0c3;--card:#18222e;--back:#0f161e;--line:#41536a;--rule:#2c3a4a;--field:#111a23;--edge:#7b90a8;--accent:#8fc1ff;--on-accent:#0b1d31;--mark:#ff8a80;--tint:#1c2c3f}}`

/** The sign-in pages: one card in the middle. */
export const CARD_STYLE = `${COLORS}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{width:min(27rem,100% - 2rem);margin:1.5rem 1rem;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:14px;box-shadow:0 12px 40px rgb(20 35 50/8%)}
.brand{display:flex;gap:.5rem;align-items:center;margin:0 0 1.25rem;color:var(--accent);font-weight:650}
.brand svg{width:1.5rem;height:1.5rem;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
h1{margin:0 0 .5rem;font-size:1.375rem;line-height:1.3}
p{margin:0 0 1rem;color:var(--soft);overflow-wrap:anywhere}strong{color:var(--ink)}
form{display:grid;gap:.875rem;margin:0}
label{display:grid;gap:.375rem;font-size:.875rem;font-weight:600}
input{width:100%;min-height:2.75rem;padding:.375rem .75rem;border:1px solid var(--edge);border-radius:8px;background:var(--field);color:inherit;font:inherit}
label.choice{display:flex;gap:.625rem;align-items:center;font-size:1rem;font-weight:400}label.choice input{flex:none;width:1.25rem;min-height:1.25rem}
ul.codes{display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));gap:.25rem 1rem;margin:0 0 1rem;padding:0;list-style:none}.qr svg{display:block;width:12rem;height:12rem;margin:0 auto 1rem;background:#fff}code{font:.9375rem ui-monospace,monospace;overflow-wrap:anywhere}
input.code{font:1.25rem ui-monospace,monospace;letter-spacing:.2em}
.button{display:grid;place-items:center;width:100%;min-height:2.75rem;padding:.375rem .75rem;border:1px solid var(--accent);border-radius:8px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.button.second{background:transparent;color:var(--accent)}
.button:hover{filter:brightness(1.08)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.problem{margin:0 0 1rem;padding:.625rem .875rem;border:1px solid var(--mark);border-radius:8px;color:var(--mark)}
.match{margin:0 0 1.25rem;padding:.875rem 1rem;border-radius:10px;background:var(--tint)}
.match p{margin:0;font-size:.875rem}.match output{display:block;margin:.25rem 0;color:var(--ink);font:600 1.75rem/1.3 ui-monospace,monospace;letter-spacing:.08em}
.others{display:grid;gap:.875rem}form+.others{margin-top:.875rem}
[hidden]{display:none}
@media(max-width:30rem){main{padding:1.25rem}}`

/** Documents; `alone`: a single card in the middle of the page. */
export const DOCUMENT_STYLE = `${COLORS}
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
