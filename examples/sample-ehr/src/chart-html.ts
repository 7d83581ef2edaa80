// The schedule, and the chart of one invented patient: banner, vitals with their trend, problems,
// medications, results and the last visit. Owns markup only; nothing here knows about apps.
import { chartAddress, type Ehr } from './ehrs.ts'
import { html, raw } from './html.ts'
import type { Patient, Vital } from './patients.ts'

/** The page of a chart that is shown: `results` is another page of the same chart. */
export type ChartPage = 'summary' | 'results'

/** `open` is the chart that the address names. */
export function scheduleHtml(ehr: Ehr, open: string | null): string {
  const visits = ehr.visits
    .map(({ time, patient, reason, state }) => {
      const current = raw(patient.id === open ? ' aria-current="page"' : '')
      return html`<li><a class="visit ${state}" href="${chartAddress(ehr, patient)}" data-opens="${patient.id}"${current}><time>${time}</time><span><strong>${patient.name}</strong><small>${reason}</small></span></a></li>`
    })
    .join('')
  return html`<h2>Today</h2><ol>${raw(visits)}</ol>`
}

export function chartHtml(ehr: Ehr, patient: Patient): string {
  const facts = patient.facts.map((fact) => html`<span>${fact}</span>`).join('')
  return html`<header class="patient">
  <div><h1>${patient.name}</h1><p class="facts">${raw(facts)}</p></div>
  <p class="allergy ${patient.allergy ? 'known' : 'none'}"><strong>Allergies</strong> ${patient.allergy ?? 'None known'}</p>
</header>
<nav class="pages" aria-label="Pages of the chart"><a class="summary-link" href="${chartAddress(ehr, patient)}">Summary</a><a class="results-link" href="${chartAddress(ehr, patient, 'results')}">Results</a></nav>
<section class="vitals" aria-label="Vitals">${raw(patient.vitals.map(vitalHtml).join(''))}</section>
<div class="columns">
  ${raw(pairs('Problems', patient.problems))}
  ${raw(pairs('Medications', patient.medications))}
  ${raw(resultsHtml(patient))}
  <section class="tile"><h2>Last visit</h2><p>${patient.lastVisit}</p></section>
</div>`
}

function vitalHtml({ name, value, unit, trend }: Vital): string {
  return html`<div class="vital"><h2>${name}</h2><p><strong>${value}</strong> ${unit}</p>${raw(sparkline(trend))}</div>`
}

/** Draws six readings, oldest on the left; the last one is marked. */
function sparkline(trend: readonly number[]): string {
  const [least, most] = [Math.min(...trend), Math.max(...trend)]
  const points = trend.map((reading, index) => {
    const x = 3 + (index * 90) / (trend.length - 1)
    const y = 21 - (18 * (reading - least)) / (most - least || 1)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  const [x = '0', y = '0'] = points.at(-1)?.split(',') ?? []
  return `<svg class="trend" viewBox="0 0 96 24" preserveAspectRatio="xMinYMid" aria-hidden="true"><polyline points="${points.join(' ')}"/><circle cx="${x}" cy="${y}" r="2.5"/></svg>`
}

function pairs(title: string, rows: Patient['problems']): string {
  const items = rows
    .map(([name, detail]) => html`<li><span>${name}</span><small>${detail}</small></li>`)
    .join('')
  return html`<section class="tile"><h2>${title}</h2><ul>${raw(items)}</ul></section>`
}

function resultsHtml(patient: Patient): string {
  const rows = patient.results
    .map(({ name, value, range, flag }) => {
      const mark = flag ? html` <em class="flag">${flag}</em>` : ''
      return html`<tr><th scope="row">${name}</th><td>${value}${raw(mark)}</td><td>${range}</td></tr>`
    })
    .join('')
  return html`<section class="tile results"><h2>Results</h2><table><thead class="unseen"><tr><th>Test</th><th>Value</th><th>Range</th></tr></thead><tbody>${raw(rows)}</tbody></table></section>`
}
