// The same charts without a host of their own, at `/meadow/chart`: what an EHR looks like that knows
// nothing of Chartside. The browser extension finds it by its address. Owns markup only.
import type { Chart } from './chart-data.ts'
import { chartHtml, scheduleHtml } from './chart-html.ts'
import { html, raw } from './html.ts'

export const barePathOf = ({ ehrType }: Pick<Chart, 'ehrType'>): string => `/${ehrType}/chart`

/** The panel of the extension stands beside the page: no page has a reason to frame a chart. */
export const BARE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const bareEhrPage = (chart: Chart): string => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Chart</title>
<link rel="stylesheet" href="/ehr.css">
</head>
<body data-ehr="${chart.ehrType}" data-state="bare">
<header class="bar"><p class="sample">Sample data. All people are invented.</p></header>
<div class="workspace">
  <aside class="schedule" aria-label="Schedule" tabindex="0">${raw(scheduleHtml(chart))}</aside>
  <main id="main" tabindex="-1">
    <div class="chart" role="group" aria-label="Chart" tabindex="0">${raw(chartHtml(chart))}</div>
  </main>
</div>
</body>
</html>
`
