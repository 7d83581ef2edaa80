// The HTML of one sandbox page: bar, sign-in card, the frame of the EHR, and the empty places for panel and
// timeline that the script fills. The script reads its settings from one data attribute, so the page needs
// no inline script. Owns markup only.
import { type Ehr, firstChart } from './ehrs.ts'
import { html, raw } from './html.ts'

export interface Practice {
  readonly name: string
  readonly providers: readonly { readonly name: string; readonly email: string }[]
}

export interface SandboxPageSettings {
  readonly serviceUrl: string
  readonly practices: readonly Practice[]
  readonly ehrs: readonly { readonly ehrType: string; readonly name: string }[]
  /** The sample password; the sign-in card fills it in. */
  readonly password: string
}

/** The values that the page's script reads from `data-config`. */
export interface PageConfig extends SandboxPageSettings {
  readonly ehrType: string
  /** The first address of the EHR in its frame. */
  readonly chart: string
}

export function sandboxPage(ehr: Ehr, settings: SandboxPageSettings): string {
  const { serviceUrl, practices, ehrs, password } = settings
  const { ehrType } = ehr
  const chart = firstChart(ehr)
  const config: PageConfig = { serviceUrl, practices, ehrs, password, ehrType, chart }
  const name = ehrs.find((one) => one.ehrType === ehrType)?.name ?? ehrType
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name} · Chartside sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/sandbox.css">
</head>
<body data-ehr="${ehrType}" data-state="fresh" data-config="${JSON.stringify(config)}">
<a class="skip" href="#main">Skip to the chart</a>
<header class="top-bar">
  <p class="ehr-name">${raw(MARKS[ehrType] ?? '')}<span>${name}</span></p>
  <p class="sample">Sample data. All people are invented.</p>
  <div class="top-bar-end">
    <a href="/faults">Fault studio</a>
    <p id="user" class="user" hidden></p>
    <button id="panel-toggle" type="button" class="button compact" aria-expanded="false" aria-controls="apps" hidden>Apps</button>
    <button id="timeline-toggle" type="button" class="button compact" aria-expanded="false" aria-controls="timeline" hidden>Timeline</button>
    <button id="sign-out" type="button" class="button compact" hidden>Sign out</button>
  </div>
</header>
<div class="workspace">
  <main id="main" tabindex="-1">
    <iframe id="ehr" title="${name}" hidden></iframe>
    <div class="front">${raw(signInCard(config))}</div>
  </main>
  <section id="apps" class="side" aria-label="Connected apps" hidden><div id="panel"></div><div id="frames"></div></section>
  <section id="timeline" class="timeline" aria-labelledby="timeline-title" hidden></section>
</div>
<div id="workers" class="workers" aria-hidden="true"></div>
<p id="announcer" class="unseen" role="status" aria-live="polite"></p>
<script src="/sandbox.js"></script>
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
  return html`<form id="sign-in" class="card sign-in" aria-labelledby="sign-in-title">
  <div>
    <h1 id="sign-in-title">Sign in to the chart</h1>
    <p>Choose who you are. The apps of the practice open beside the chart, and each launch draws its timeline.</p>
  </div>
  <fieldset><legend>EHR</legend><div class="kinds">${raw(kinds)}</div></fieldset>
  <label>Practice<select name="practice" class="input">${raw(options)}</select></label>
  <label>Provider<select name="provider" class="input"></select></label>
  <label>Password<input name="password" type="password" class="input" value="${password}" autocomplete="off" required></label>
  <p class="hint">All sample users have the same password. It is filled in.</p>
  <p id="sign-in-problem" class="problem" role="alert"></p>
  <button type="submit" class="button primary main-button">Sign in</button>
</form>`
}

const MARKS: Readonly<Record<string, string>> = {
  meadow:
    '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 21V11M12 14C7 14 4 11 4 6c5 0 8 3 8 8Zm0-3c0-4 3-7 8-7 0 5-3 8-8 8Z"/></svg>',
  summit:
    '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="m3 19 6-11 4 6 2.5-4L21 19ZM9 8l2 3"/></svg>',
  harbor:
    '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 8v12M12 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM5 13c0 4 3 7 7 7s7-3 7-7M8.500 11h7"/></svg>',
}
