// The chart of one invented patient as HTML: schedule, banner, vitals with their trend, problems,
// medications, results and the last visit. Owns markup only; nothing here knows about apps.
import type { Chart, Vital } from './chart-data.ts'
import { html, raw } from './html.ts'

export function scheduleHtml(chart: Chart): string {
  const visits = chart.schedule
    .map(
      ({ time, patient, reason, state }) =>
        html`<li class="visit ${state}"${raw(state === 'now' ? ' aria-current="true"' : '')}><time>${time}</time><span><strong>${patient}</strong><small>${reason}</small></span></li>`,
    )
    .join('')
  return html`<h2>Today</h2><ol>${raw(visits)}</ol>`
}

export function chartHtml(chart: Chart): string {
  const { patient } = chart
  const facts = patient.facts.map((fact) => html`<span>${fact}</span>`).join('')
  return html`<header class="patient">
  <div><h1>${patient.name}</h1><p class="facts">${raw(facts)}</p></div>
  <p class="allergy ${patient.allergy ? 'known' : 'none'}"><strong>Allergies</strong> ${patient.allergy ?? 'None known'}</p>
</header>
<section class="vitals" aria-label="Vitals">${raw(chart.vitals.map(vitalHtml).join(''))}</section>
<div class="columns">
  ${raw(pairs('Problems', chart.problems))}
  ${raw(pairs('Medications', chart.medications))}
  ${raw(resultsHtml(chart))}
  <section class="tile"><h2>Last visit</h2><p>${chart.lastVisit}</p></section>
</div>`
}

function vitalHtml({ name, value, unit, trend }: Vital): string {
  return html`<div class="vital"><h2>${name}</h2><p><strong>${value}</strong> ${unit}</p>${raw(sparkline(trend))}</div>`
}

/** Six readings, oldest on the left; the last one is marked. */
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

function pairs(title: string, rows: Chart['problems']): string {
  const items = rows
    .map(([name, detail]) => html`<li><span>${name}</span><small>${detail}</small></li>`)
    .join('')
  return html`<section class="tile"><h2>${title}</h2><ul>${raw(items)}</ul></section>`
}

function resultsHtml(chart: Chart): string {
  const rows = chart.results
    .map(({ name, value, range, flag }) => {
      const mark = flag ? html` <em class="flag">${flag}</em>` : ''
      return html`<tr><th scope="row">${name}</th><td>${value}${raw(mark)}</td><td>${range}</td></tr>`
    })
    .join('')
  return html`<section class="tile"><h2>Results</h2><table><thead class="unseen"><tr><th>Test</th><th>Value</th><th>Range</th></tr></thead><tbody>${raw(rows)}</tbody></table></section>`
}
