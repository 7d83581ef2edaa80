// Writes the table of goals into docs/inside/performance.md, between its two marks, so that no figure is copied
// by hand. What a run prints, and its picture, go to .chartside/bench. Measures nothing.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PAGE = fileURLToPath(new URL('../../docs/inside/performance.md', import.meta.url))
const PRINTED = new URL('../../.chartside/bench/', import.meta.url)

/** The page with another table of goals. Pure. @throws Error when the page has lost its marks. */
export function replaceGoals(page: string, body: string): string {
  const begin = '<!-- goals: written by npm run bench -- --record -->'
  const end = '<!-- end of goals -->'
  const from = page.indexOf(begin)
  const to = page.indexOf(end, from)
  if (from < 0 || to < 0) {
    throw new Error(
      `docs/inside/performance.md has no place for goals, between ${begin} and ${end}`,
    )
  }
  return `${page.slice(0, from + begin.length)}\n\n${body.trim()}\n\n${page.slice(to)}`
}

export function recordGoals(body: string): void {
  writeFileSync(PAGE, replaceGoals(readFileSync(PAGE, 'utf8'), body))
  process.stderr.write('[record] docs/inside/performance.md: goals\n')
}

/** Keeps what a run printed, or its picture, under that name. */
export function recordPrinted(name: string, text: string): void {
  mkdirSync(PRINTED, { recursive: true })
  writeFileSync(new URL(name, PRINTED), `${text.trim()}\n`)
  process.stderr.write(`[record] .chartside/bench/${name}\n`)
}
