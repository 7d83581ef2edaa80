// The look of the reference: the tokens of packages/ui, one column on a phone, a list of sections beside the
// text on a wide screen. Read at the first page, not at start.
import { loadTokens } from '../http/html/page-style.ts'

const STYLE = `
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 var(--font)}
header,main,nav{padding:1rem}
header{background:var(--surface);border-bottom:1px solid var(--line)}
h1{margin:0 0 .25rem;font-size:1.5rem}h2{margin:2.5rem 0 .25rem;font-size:1.25rem}h3{margin:0;font-size:1rem;font-weight:600}h4{margin:1rem 0 .25rem;font-size:.9375rem}
p{margin:0 0 .5rem;color:var(--quiet)}a{color:var(--accent)}
code,pre{font-family:var(--font-code);font-size:.8125rem;overflow-wrap:anywhere}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:0;padding:0;list-style:none}nav a{display:inline-block;padding:.625rem 0}
.search{display:grid;gap:.25rem;max-width:32rem;margin-top:1rem;font-size:.875rem;font-weight:600}
.search input{min-height:var(--target);padding:.375rem .75rem;border:1px solid var(--edge);border-radius:8px;background:var(--surface);color:inherit;font:inherit}
article,.error{margin:.75rem 0;padding:1rem;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius)}
.method{display:inline-block;min-width:4.25rem;margin-right:.5rem;padding:.0625rem .375rem;border:1px solid var(--edge);border-radius:6px;text-align:center;font:600 .75rem/1.5 var(--font-code)}
.summary{margin:.375rem 0;color:var(--ink)}.who{font-size:.875rem}
summary{display:flex;align-items:center;min-height:var(--target);color:var(--accent);cursor:pointer;font-size:.9375rem}summary::before{content:"+";width:1.25rem;font-weight:700}details[open]>summary::before{content:"–"}
pre{margin:.25rem 0;padding:.75rem;border:1px solid var(--line);border-radius:8px;background:var(--raised);white-space:pre-wrap}
dl{margin:.25rem 0;font-size:.9375rem}dt{margin-top:.375rem}dd{margin:0 0 0 1rem;color:var(--quiet)}
:focus-visible{outline:var(--focus);outline-offset:2px}:target{outline:2px solid var(--accent);outline-offset:2px}
[hidden]{display:none!important}.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@media(min-width:64rem){.page{display:grid;grid-template-columns:15rem minmax(0,56rem);gap:0 2rem}nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto}nav ul{display:block}nav a{padding:.3125rem 0}}
@media(forced-colors:active){article,.error,pre,.method{border:1px solid CanvasText}}`

let style: string | undefined

export function loadReferenceStyle(): string {
  style ??= loadTokens() + STYLE
  return style
}
