// Draws the reference curves of weight by age, as SVG with a text alternative. Owns the drawing
// only; draws no patient.
import type { REFERENCE } from '../growth-data.ts'

export type Reference = typeof REFERENCE

const WIDTH = 320
const HEIGHT = 220
const MAX_AGE_MONTHS = 36
const MAX_WEIGHT_KG = 18

/** A point of the drawing for an age in months and a weight in kilograms. */
const pointAt = (age: number, weight: number): string => {
  const x = 38 + (age / MAX_AGE_MONTHS) * (WIDTH - 76)
  const y = HEIGHT - 24 - (weight / MAX_WEIGHT_KG) * (HEIGHT - 36)
  return `${x.toFixed(1)},${y.toFixed(1)}`
}

export function drawReference({ ages, curves }: Reference): SVGElement {
  const atEnd = curves.map(({ percentile, weights }) => `${percentile}th ${weights.at(-1)} kg`)
  const label = `Percentiles of weight, at 36 months: ${atEnd.join(', ')}`
  const marks: SVGElement[] = []
  for (const months of [0, 12, 24, 36]) {
    marks.push(text(pointAt(months, -1.4), `${months} mo`, 'middle'))
  }
  for (const kg of [5, 10, 15]) {
    marks.push(
      svg('polyline', {
        class: 'grid',
        points: `${pointAt(0, kg)} ${pointAt(MAX_AGE_MONTHS, kg)}`,
      }),
    )
    marks.push(text(pointAt(-1, kg - 0.3), `${kg} kg`, 'end'))
  }
  for (const { percentile, weights } of curves) {
    const points = weights.map((kg, index) => pointAt(ages[index] ?? 0, kg))
    marks.push(svg('polyline', { class: 'curve', points: points.join(' ') }))
    marks.push(
      text(pointAt(MAX_AGE_MONTHS + 0.6, (weights.at(-1) ?? 0) - 0.3), `${percentile}th`, 'start'),
    )
  }
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`
  return svg('svg', { viewBox, role: 'img', 'aria-label': label }, ...marks)
}

function text(point: string, words: string, anchor: string): SVGElement {
  const [x = '', y = ''] = point.split(',')
  return svg('text', { x, y, 'text-anchor': anchor }, words)
}

function svg(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [attribute, value] of Object.entries(attributes)) {
    element.setAttribute(attribute, value)
  }
  element.append(...children)
  return element
}
