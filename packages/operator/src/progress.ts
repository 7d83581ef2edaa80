// Progress of long work: one line that is drawn again on a terminal, a line every ten seconds in a
// log. Owns the interval and the format; the work reports as often as it likes.

import type { CliContext } from './context.ts'
import type { Progress } from './copy/copy.ts'

const REDRAW_INTERVAL_MS = 100
const LOG_INTERVAL_MS = 10_000

export function progressTo({
  note,
  redraw,
  isTerminal,
  clock,
}: CliContext): (progress: Progress) => void {
  const intervalMs = isTerminal ? REDRAW_INTERVAL_MS : LOG_INTERVAL_MS
  let shownAt = isTerminal ? 0 : clock()
  let isDrawn = false
  let begun = { place: '', at: 0 }
  return ({ step, table, number, tables, rows }) => {
    const now = clock()
    const place = `${step} ${table}`
    if (begun.place !== place) begun = { place, at: now }
    if (now - shownAt < intervalMs) return
    shownAt = now
    const seconds = (now - begun.at) / 1000
    const speed = seconds > 0 ? `, ${Math.round(rows / seconds).toLocaleString('en')} rows/s` : ''
    const line = `${place} (${number} of ${tables}): ${rows.toLocaleString('en')} rows${speed}`
    if (isDrawn && isTerminal) redraw(line)
    else note(line)
    isDrawn = true
  }
}
