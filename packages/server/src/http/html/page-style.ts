// The look of the sign-in pages: one card in the middle, light and dark, the same colours as the
// service's other pages (http/html/error-page.ts). One text, so that its hash can stand in the policy.

export const PAGE_STYLE = `:root{color-scheme:light dark;--ink:#16212e;--soft:#566273;--card:#fff;--back:#eef2f6;--line:#c3cedb;--field:#f7f9fb;--edge:#76869a;--accent:#1f5fa8;--on-accent:#fff;--mark:#b3261e;--tint:#e8f0f9}
@media(prefers-color-scheme:dark){:root{--ink:#e8eef5;--soft:#9fb0c3;--card:#18222e;--back:#0f161e;--line:#41536a;--field:#111a23;--edge:#7b90a8;--accent:#8fc1ff;--on-accent:#0b1d31;--mark:#ff8a80;--tint:#1c2c3f}}
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
