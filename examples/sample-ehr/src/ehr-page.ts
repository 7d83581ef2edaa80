// The pages of an EHR that knows nothing of Chartside: schedule and charts. The sandbox frames them beside
// its panel, and the browser extension finds them by their address. Owns markup only; routing of the two EHRs
// without a page for each chart is in browser/ehr-routes.ts.
import { type ChartPage, chartHtml, scheduleHtml } from './chart-html.ts'
import type { Ehr } from './ehrs.ts'
import { html, raw } from './html.ts'

/** No other site has a reason to frame a chart. */
export const EHR_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** The page at a path of the EHR; null when it has none there. */
export function findEhrPage(ehr: Ehr, path: string): string | null {
  if (path === ehr.path) return ehrPage(ehr, null, 'summary')
  const { id = '', page } = READ_PATH.exec(path.slice(ehr.path.length))?.groups ?? {}
  const isKnown = ehr.visits.some(({ patient }) => patient.id === id)
  const isBelow = path.startsWith(`${ehr.path}/`) && ehr.routing !== 'hash'
  return isKnown && isBelow ? ehrPage(ehr, id, page ? 'results' : 'summary') : null
}

const READ_PATH = /^\/(?<id>[\w-]+)(?<page>\/results)?$/

function ehrPage(ehr: Ehr, open: string | null, page: ChartPage): string {
  const { ehrType, routing, path } = ehr
  // A page for each chart has that chart alone; the others have all of them, and show one.
  const charts = ehr.visits
    .filter(({ patient }) => routing !== 'navigation' || patient.id === open)
    .map(({ patient }) => {
      const hidden = raw(patient.id === open ? '' : ' hidden')
      return html`<div class="chart" role="group" aria-label="Chart" tabindex="0" data-chart="${patient.id}" data-page="${page}"${hidden}>${raw(chartHtml(ehr, patient))}</div>`
    })
    .join('')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Chart</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/ehr.css">
</head>
<body data-ehr="${ehrType}" data-routing="${routing}" data-path="${path}">
<div class="ehr">
  <nav class="schedule" aria-label="Schedule" tabindex="0">${raw(scheduleHtml(ehr, open))}</nav>
  <main>
    ${raw(charts)}
    <p class="no-chart" data-chart=""${raw(open === null ? '' : ' hidden')}>No chart is open. Choose a patient of today.</p>
  </main>
</div>
${raw(routing === 'navigation' ? '' : '<script src="/ehr-routes.js"></script>')}
</body>
</html>
`
}
