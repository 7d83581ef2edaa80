// Writes what a run measured into docs/inside/performance.md, each part between its two marks, so that the page
// holds what a command has printed and no figure is copied by hand.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const docs = (path: string) => fileURLToPath(new URL(`../../docs/${path}`, import.meta.url))
const PAGE = docs('performance.md')

export type DocsPart = 'goals' | 'flows' | 'postgres' | 'workers' | 'peers'

/** The page with the part replaced. Pure. @throws Error when the page has lost the marks of the part. */
export function replacePart(page: string, part: DocsPart, body: string): string {
  const begin = `<!-- ${part}: written by npm run bench -- --record -->`
  const end = `<!-- end of ${part} -->`
  const from = page.indexOf(begin)
  const to = page.indexOf(end, from)
  if (from < 0 || to < 0) {
    throw new Error(
      `docs/inside/performance.md has no place for ${part}, between ${begin} and ${end}`,
    )
  }
  return `${page.slice(0, from + begin.length)}\n\n${body.trim()}\n\n${page.slice(to)}`
}

export function recordPart(part: DocsPart, body: string): void {
  writeFileSync(PAGE, replacePart(readFileSync(PAGE, 'utf8'), part, body))
  process.stderr.write(`[record] docs/inside/performance.md: ${part}\n`)
}

export const recordPicture = (svg: string): void =>
  writeFileSync(docs('pictures/performance.svg'), svg)

/** A table as it was printed, with its day. */
export const asPrinted = (table: string): string =>
  `Measured on ${new Date().toISOString().slice(0, 10)}:\n\n\`\`\`\n${table.trim()}\n\`\`\``
