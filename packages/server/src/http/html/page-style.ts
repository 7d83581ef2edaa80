// The look of every page of the service: the tokens of packages/ui, so that sign-in, errors and the
// console are one family, and the card that they stand in. Light, dark and forced colours. The style is one
// text, so that its hash can stand in the content security policy. Read at the first page, not at start.
import { readFileSync } from 'node:fs'

const TOKENS = new URL('../../../../ui/src/styles/tokens.css', import.meta.url)

const CARD = `
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--ground);color:var(--ink);font:1rem/1.5 var(--font)}
main{width:min(28rem,100% - 2rem);margin:1.5rem 1rem;padding:2rem;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius-l);box-shadow:var(--shadow-layer)}
.brand{display:flex;gap:.5rem;align-items:center;margin:0 0 1.25rem;color:var(--accent);font-weight:650}
.brand svg{width:1.5rem;height:1.5rem;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
h1{margin:0 0 .5rem;font-size:1.375rem;line-height:1.3}
p{margin:0 0 1rem;color:var(--quiet);overflow-wrap:anywhere}strong{color:var(--ink)}
a{color:var(--accent)}
form{display:grid;gap:1rem;margin:0}
label{font-size:.875rem;font-weight:600}
.field{display:grid;gap:.375rem}
input{width:100%;min-height:var(--target);padding:.375rem .75rem;border:1px solid var(--edge);border-radius:8px;background:var(--surface);color:inherit;font:inherit}
input[aria-invalid]{border:2px solid var(--bad)}
label.choice{display:flex;gap:.625rem;align-items:center;min-height:var(--target);font-size:1rem;font-weight:400}label.choice input{flex:none;width:1.25rem;min-height:1.25rem}
.with-button{display:grid;grid-template-columns:1fr auto;gap:.5rem}.hint{margin:0;font-size:.875rem}[data-passkey-place]:not(:empty){margin-bottom:1rem}
ul.codes{display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));gap:.25rem 1rem;margin:0 0 1rem;padding:0;list-style:none}.qr svg{display:block;width:12rem;height:12rem;margin:0 auto 1rem;background:#fff}code{font:.9375rem var(--font-code);overflow-wrap:anywhere}
input.code{font:1.25rem var(--font-code);letter-spacing:.2em}
.button{display:grid;place-items:center;width:100%;min-height:var(--target);padding:.375rem .75rem;border:1px solid var(--accent);border-radius:8px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.button.second{border-color:var(--edge);background:transparent;color:var(--accent)}
.button.small{width:auto;font-weight:500}
.button:hover{filter:brightness(1.06)}
:focus-visible{outline:var(--focus);outline-offset:2px}
.problem{margin:0;padding:.625rem .875rem;border:1px solid var(--bad);border-radius:8px;background:var(--bad-ground);color:var(--bad)}p.problem{margin:0 0 1rem}.field .problem{margin:0 0 .25rem}
.match{margin:0 0 1.25rem;padding:.875rem 1rem;border-radius:var(--radius);background:var(--accent-ground)}
.match p{margin:0;font-size:.875rem}.match output{display:block;margin:.25rem 0;color:var(--ink);font:600 1.75rem/1.3 var(--font-code);letter-spacing:.08em}
.others{display:grid;gap:.875rem}.actions{display:grid;gap:.75rem;margin-top:1.25rem}
.or{display:flex;gap:.75rem;align-items:center;margin:1rem 0;font-size:.875rem}.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
details{margin-top:1.5rem;border-top:1px solid var(--line)}
summary{min-height:var(--target);display:flex;align-items:center;color:var(--quiet);font-size:.875rem;cursor:pointer}summary::before{content:"+";width:1.25rem;font-weight:700}details[open] summary::before{content:"–"}
dl{margin:0;font-size:.875rem}dt{margin-top:.625rem;color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}
pre{margin:.75rem 0;padding:.75rem;border:1px solid var(--edge);border-radius:8px;background:var(--raised);font:.8125rem/1.5 var(--font-code);white-space:pre-wrap;overflow-wrap:anywhere;user-select:all}
details p{font-size:.875rem}
[hidden]{display:none}
@media(max-width:30rem){main{padding:1.25rem}}
@media(forced-colors:active){.problem,.match,pre{border:1px solid CanvasText}.button{border:2px solid ButtonText}.button:not(.second){background:ButtonText;color:ButtonFace;forced-color-adjust:none}}`

const minified = (css: string) =>
  css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim()

export const loadTokens = (): string => minified(readFileSync(TOKENS, 'utf8'))

let style: string | undefined

/** Loads one text without comments: what a page has in its style element. */
export function loadPageStyle(): string {
  style ??= loadTokens() + CARD
  return style
}
