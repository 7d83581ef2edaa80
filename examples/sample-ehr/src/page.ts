// The HTML of one EHR page: bar, sign-in card, chart, and the empty places for panel and timeline
// that the script fills. The script reads its settings from one data attribute, so the page needs
// no inline script. Owns markup only.
import type { Chart } from './chart-data.ts'
import { chartHtml, scheduleHtml } from './chart-html.ts'
import { html, raw } from './html.ts'

export interface Practice {
  readonly name: string
  readonly providers: readonly { readonly name: string; readonly email: string }[]
}

export interface EhrPageSettings {
  readonly serviceUrl: string
  readonly practices: readonly Practice[]
  readonly ehrs: readonly { readonly ehrType: string; readonly name: string }[]
  /** The sample password; the sign-in card fills it in. */
  readonly password: string
}

/** What the page's script reads from `data-config`. */
export interface PageConfig extends EhrPageSettings {
  readonly ehrType: string
}

export function ehrPage(chart: Chart, settings: EhrPageSettings): string {
  const { serviceUrl, practices, ehrs, password } = settings
  const { ehrType } = chart
  const config: PageConfig = { serviceUrl, practices, ehrs, password, ehrType }
  const name = ehrs.find((ehr) => ehr.ehrType === ehrType)?.name ?? ehrType
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name} · Chartside sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/ehr.css">
</head>
<body data-ehr="${ehrType}" data-state="fresh" data-config="${JSON.stringify(config)}">
<a class="skip" href="#main">Skip to the chart</a>
<header class="bar">
  <p class="brand">${raw(MARKS[ehrType] ?? '')}<span>${name}</span></p>
  <p class="sample">Sample data. All people are invented.</p>
  <div class="bar-end">
    <p id="user" class="user" hidden></p>
    <button id="panel-toggle" type="button" class="quiet-button" aria-expanded="false" aria-controls="panel" hidden>Apps</button>
    <button id="timeline-toggle" type="button" class="quiet-button" aria-expanded="false" aria-controls="timeline" hidden>Timeline</button>
    <button id="sign-out" type="button" class="quiet-button" hidden>Sign out</button>
  </div>
</header>
<div class="workspace">
  <aside class="schedule" aria-label="Schedule" tabindex="0">${raw(scheduleHtml(chart))}</aside>
  <main id="main" tabindex="-1">
    <div class="chart" role="group" aria-label="Chart" tabindex="0">${raw(chartHtml(chart))}</div>
    <div class="front">${raw(signInCard(config))}</div>
  </main>
  <section id="panel" class="panel" aria-label="Connected apps" hidden></section>
  <section id="timeline" class="timeline" aria-labelledby="timeline-title" hidden></section>
</div>
<div id="workers" class="workers" aria-hidden="true"></div>
<p id="announcer" class="unseen" role="status" aria-live="polite"></p>
<script src="/ehr.js"></script>
</body>
</html>`
}

function signInCard({ practices, ehrs, ehrType, password }: PageConfig): string {
  const kinds = ehrs
    .map(
      (ehr) =>
        html`<label class="kind"><input type="radio" name="ehr" value="${ehr.ehrType}"${raw(
          ehr.ehrType === ehrType ? ' checked' : '',
        )}><span>${raw(MARKS[ehr.ehrType] ?? '')}${ehr.name}</span></label>`,
    )
    .join('')
  const options = practices.map(({ name }) => html`<option>${name}</option>`).join('')
  return html`<form id="sign-in" class="card" aria-labelledby="sign-in-title">
  <div>
    <h1 id="sign-in-title">Sign in to the chart</h1>
    <p>Choose who you are. The apps of the practice open beside the chart, and each launch draws its timeline.</p>
  </div>
  <fieldset><legend>EHR</legend><div class="kinds">${raw(kinds)}</div></fieldset>
  <label>Practice<select name="practice">${raw(options)}</select></label>
  <label>Provider<select name="provider"></select></label>
  <label>Password<input name="password" type="password" value="${password}" autocomplete="off" required></label>
  <p class="hint">All sample users have the same password. It is filled in.</p>
  <p id="sign-in-problem" class="problem" role="alert"></p>
  <button type="submit" class="main-button">Sign in</button>
</form>`
}

const MARKS: Readonly<Record<string, string>> = {
  meadow:
    '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 21V11M12 14C7 14 4 11 4 6c5 0 8 3 8 8Zm0-3c0-4 3-7 8-7 0 5-3 8-8 8Z"/></svg>',
  summit:
    '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="m3 19 6-11 4 6 2.5-4L21 19ZM9 8l2 3"/></svg>',
}
