// Draws a comparison as an SVG that is readable on light and on dark pages: a bar for each server and
// figure, as long as the fraction that the signature is of its processor time. Pure.
import { FIGURE_TITLES } from './comparison-report.ts'
import type { ContenderSummary, Figure } from './comparison-summary.ts'

const WIDTH = 820
const LABEL = 390
const BAR = 18
const GAP = 8
const GROUP_GAP = 34
const TOP = 56
/** A fraction of 1 is a server that does nothing but sign. */
const SCALE = WIDTH - LABEL - 70

const SHOWN: readonly Figure[] = ['flow', 'token', 'arrival']

export const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

export function buildPicture(summaries: readonly ContenderSummary[]): string {
  const parts: string[] = []
  let y = TOP
  for (const figure of SHOWN) {
    const shown = summaries.filter(({ figures }) => figures[figure])
    if (shown.length === 0) continue
    parts.push(`<text x="8" y="${y}" class="title">${escapeXml(FIGURE_TITLES[figure])}</text>`)
    y += 12
    for (const [index, { name, figures }] of shown.entries()) {
      const { ratio = 0, lowest = 0, highest = 0 } = figures[figure] ?? {}
      const isOwn = index === 0
      const middle = y + BAR / 2
      const end = LABEL + Math.max(ratio, highest) * SCALE + 6
      parts.push(
        `<text x="${LABEL - 8}" y="${middle + 4}" class="label${isOwn ? ' own' : ''}">${escapeXml(name)}</text>`,
        `<rect x="${LABEL}" y="${y}" width="${(ratio * SCALE).toFixed(1)}" height="${BAR}" class="${isOwn ? 'bar own' : 'bar'}"/>`,
        `<path d="M${(LABEL + lowest * SCALE).toFixed(1)} ${middle}H${(LABEL + highest * SCALE).toFixed(1)}" class="spread"/>`,
        `<text x="${end.toFixed(1)}" y="${middle + 4}" class="value">${ratio.toFixed(2)}</text>`,
      )
      y += BAR + GAP
    }
    y += GROUP_GAP - GAP
  }
  const description = summaries
    .map(({ name, figures }) => `${name}: flow ${figures.flow?.ratio.toFixed(2) ?? '-'}`)
    .join('; ')
  const limit = LABEL + SCALE
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-labelledby="t d">
<title id="t">Processor time of an RSA-2048 signature as a fraction of the operation that contains it</title>
<desc id="d">${escapeXml(description)}</desc>
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600 }
.label { text-anchor: end }
.own { font-weight: 600 }
.bar { fill: #9aa4af }
.bar.own { fill: #0b6e6e }
.spread { stroke: #1f2328; stroke-width: 2 }
.limit { stroke: #6e7781; stroke-dasharray: 3 3 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.bar { fill: #6e7781 }
.bar.own { fill: #3fb8b0 }
.spread { stroke: #e6edf3 }
.limit { stroke: #9aa4af }
}
</style>
<text x="8" y="20">Fraction of its processor time that a server signs; 1 would mean that all else is free.</text>
<path d="M${limit} 32V${y - 20}" class="limit"/>
${parts.join('\n')}
</svg>
`
}
