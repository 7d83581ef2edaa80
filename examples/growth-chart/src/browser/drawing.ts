// Draws a child's weight by age over the reference curves, as SVG that says the same in words. Owns
// the drawing; where the numbers come from was decided elsewhere.
import { svg } from '@chartside/example-app-shell/browser'
import type { SAMPLE_CHILD } from '../growth-data.ts'

export type Child = typeof SAMPLE_CHILD

const WIDTH = 320
const HEIGHT = 220
const LAST_AGE = 36
const MOST = 18

/** A point of the drawing for an age in months and a weight in kilograms. */
const place = (age: number, weight: number): string => {
  const x = 38 + (age / LAST_AGE) * (WIDTH - 76)
  const y = HEIGHT - 24 - (weight / MOST) * (HEIGHT - 36)
  return `${x.toFixed(1)},${y.toFixed(1)}`
}

export function drawGrowth({ ages, curves, measured, name }: Child): SVGElement {
  const label = `${name}: ${measured.map(([age, kg]) => `${kg} kg at ${age} months`).join(', ')}`
  const marks: SVGElement[] = []
  for (const months of [0, 12, 24, 36]) {
    marks.push(text(place(months, -1.4), `${months} mo`, 'middle'))
  }
  for (const kg of [5, 10, 15]) {
    marks.push(svg('polyline', { class: 'grid', points: `${place(0, kg)} ${place(LAST_AGE, kg)}` }))
    marks.push(text(place(-1, kg - 0.3), `${kg} kg`, 'end'))
  }
  for (const { percentile, weights } of curves) {
    const points = weights.map((kg, index) => place(ages[index] ?? 0, kg))
    marks.push(svg('polyline', { class: 'curve', points: points.join(' ') }))
    marks.push(text(place(LAST_AGE + 0.6, (weights.at(-1) ?? 0) - 0.3), `${percentile}th`, 'start'))
  }
  const points = measured.map(([age, kg]) => place(age, kg))
  marks.push(svg('polyline', { class: 'child', points: points.join(' ') }))
  for (const point of points) {
    const [cx = '', cy = ''] = point.split(',')
    marks.push(svg('circle', { class: 'child', cx, cy, r: '3' }))
  }
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`
  return svg('svg', { viewBox, role: 'img', 'aria-label': label }, ...marks)
}

function text(point: string, words: string, anchor: string): SVGElement {
  const [x = '', y = ''] = point.split(',')
  return svg('text', { x, y, 'text-anchor': anchor }, words)
}
