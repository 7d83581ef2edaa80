// The report as one self-contained page: tables and details elements, light and dark, no script, and
// nothing loaded from elsewhere. Everything that a service sent is escaped. Pure.
import type { Verdict } from '../module.ts'
import type { ModuleResult } from '../runner.ts'
import type { Entry, RequestEntry } from '../transcript.ts'
import { type Report, summarize } from './report.ts'
import { STYLE } from './style.ts'

const ORDER: readonly Verdict[] = ['failed', 'warning', 'passed', 'skipped']
const HEADINGS: Readonly<Record<Verdict, string>> = {
  failed: 'Failed',
  warning: 'Warnings',
  passed: 'Passed',
  skipped: 'Skipped',
}

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

export function buildHtml(report: Report): string {
  const { issuer, summary } = report
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Conformance of ${escapeHtml(issuer)}: ${escapeHtml(summarize(summary))}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Conformance report</h1>
<p class="lead"><code>${escapeHtml(issuer)}</code></p>
${buildCounts(report)}
${buildFacts(report)}
</header>
<main>
${ORDER.map((verdict) => buildSection(report, verdict)).join('')}
</main>
</body>
</html>
`
}

const buildCounts = ({ summary }: Report) =>
  `<ul class="counts">${ORDER.map(
    (verdict) =>
      `<li class="${verdict}"><strong>${summary[verdict]}</strong> ${HEADINGS[verdict].toLowerCase()}</li>`,
  ).join('')}</ul>`

function buildFacts(report: Report): string {
  const facts: [string, string][] = [
    ['Started', report.startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')],
    ['Duration', `${(report.milliseconds / 1000).toFixed(1)} s, ${report.requests} requests`],
    ['Service', report.service === 'chartside' ? 'with launches (Chartside)' : 'OpenID provider'],
    ['Tool', `${report.tool} ${report.version}`],
  ]
  const rows = facts.map(
    ([name, value]) => `<tr><th>${name}</th><td>${escapeHtml(value)}</td></tr>`,
  )
  return `<table class="facts"><tbody>${rows.join('')}</tbody></table>`
}

function buildSection({ modules }: Report, verdict: Verdict): string {
  const chosen = modules.filter((module) => module.verdict === verdict)
  if (chosen.length === 0) return ''
  return `<section>
<h2>${HEADINGS[verdict]} <span>${chosen.length}</span></h2>
${chosen.map(buildModule).join('\n')}
</section>
`
}

function buildModule(result: ModuleResult): string {
  const { id, title, verdict } = result
  const facts: [string, string | undefined][] = [
    ['Expected', result.expected],
    [verdict === 'failed' ? 'Found' : 'Because', result.cause],
    ['Look at', result.where],
    ['Reason', result.reason],
    ['Source', result.source],
  ]
  const rows = facts.flatMap(([name, value]) =>
    value ? [`<tr><th>${name}</th><td>${escapeHtml(value)}</td></tr>`] : [],
  )
  return `<details id="${escapeHtml(id)}"${verdict === 'failed' ? ' open' : ''}>
<summary><span class="mark ${verdict}">${verdict}</span> <code>${escapeHtml(id)}</code> <span class="title">${escapeHtml(title)}</span></summary>
<table class="facts"><tbody>${rows.join('')}</tbody></table>
${buildSteps(result)}
</details>`
}

function buildSteps({ steps, requests, milliseconds }: ModuleResult): string {
  if (steps.length === 0) return ''
  const items = steps.map((entry) => `<li>${buildStep(entry)}</li>`)
  return `<p class="count">${requests} requests, ${milliseconds} ms</p>\n<ol>${items.join('\n')}</ol>`
}

function buildStep(entry: Entry): string {
  if (entry.kind === 'request') return buildRequest(entry)
  const { outcome, expectation, found } = entry
  const why = found === undefined ? '' : ` <span class="found">${escapeHtml(found)}</span>`
  return `<span class="mark ${outcome}">${outcome}</span> ${escapeHtml(expectation)}${why}`
}

function buildRequest(entry: RequestEntry): string {
  const sent = [
    entry.request,
    ...entry.sentHeaders,
    ...(entry.sentBody ? ['', entry.sentBody] : []),
  ]
  const answered = [`${entry.status}`, ...entry.headers, ...(entry.body ? ['', entry.body] : [])]
  const [line = ''] = entry.request.split('?')
  return `<details class="request"><summary><code>${escapeHtml(line)}</code> <span class="status">${entry.status}</span></summary>
<pre>${escapeHtml(sent.join('\n'))}</pre>
<pre>${escapeHtml(answered.join('\n'))}</pre></details>`
}
