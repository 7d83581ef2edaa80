// The style of the HTML report, in one string: system fonts, light and dark by the reader's setting,
// colours with a contrast of 4.5 or more on their ground.

export const STYLE = `
:root { color-scheme: light dark; --text: #1c2330; --soft: #566072; --ground: #fff; --card: #f5f7fa;
  --line: #d9dfe8; --failed: #b3261e; --warning: #8a5a00; --passed: #1b6e3c; --skipped: #566072; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6eaf1; --soft: #a3adbd; --ground: #12161d; --card: #1b212b; --line: #323b49;
    --failed: #ff8a80; --warning: #f2bd5c; --passed: #7cd69b; --skipped: #a3adbd; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 2rem 1.25rem 4rem; background: var(--ground);
  color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.6rem; }
h2 { margin: 2.25rem 0 .75rem; font-size: 1.15rem; }
h2 span, .count { color: var(--soft); font-weight: normal; }
.lead { margin: .25rem 0 1.25rem; color: var(--soft); overflow-wrap: anywhere; }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
.counts { display: flex; flex-wrap: wrap; gap: .75rem; margin: 0 0 1.25rem; padding: 0; list-style: none; }
.counts li { min-width: 8rem; padding: .6rem 1rem; border: 1px solid var(--line); border-left: 4px solid;
  border-radius: 6px; background: var(--card); }
.counts strong { display: block; font-size: 1.5rem; line-height: 1.2; }
.failed { color: var(--failed); } .warning { color: var(--warning); }
.passed, .ok { color: var(--passed); } .skipped, .note { color: var(--skipped); }
table.facts { border-collapse: collapse; width: 100%; font-size: .9375rem; }
table.facts th { width: 6.5rem; padding: .2rem 1rem .2rem 0; color: var(--soft); font-weight: normal;
  text-align: left; vertical-align: top; white-space: nowrap; }
table.facts td { padding: .2rem 0; overflow-wrap: anywhere; }
main details { margin: .4rem 0; border: 1px solid var(--line); border-radius: 6px; background: var(--card); }
main details > :not(summary) { margin-inline: 1rem; }
main table.facts { width: calc(100% - 2rem); }
summary { padding: .5rem 1rem; cursor: pointer; overflow-wrap: anywhere; }
summary:focus-visible { outline: 2px solid var(--text); outline-offset: 2px; border-radius: 6px; }
summary .title { color: var(--soft); }
.mark { display: inline-block; min-width: 4.5rem; font-size: .8125rem; font-weight: 600; }
ol { padding: 0 0 .75rem; list-style: none; }
ol > li { margin: .25rem 0; font-size: .9375rem; overflow-wrap: anywhere; }
.count { margin-block: .75rem .25rem; font-size: .875rem; }
.found { color: var(--failed); }
details.request { background: var(--ground); }
details.request summary { padding: .25rem .75rem; }
details.request > :not(summary) { margin: .25rem .75rem .5rem; }
pre { padding: .5rem .75rem; border-radius: 4px; background: var(--card); white-space: pre-wrap;
  overflow-wrap: anywhere; }
.status { color: var(--soft); }
`
