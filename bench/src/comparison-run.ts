// Runs the comparison with peers and shows it: the table, the data with --json, and with --record the table
// and the picture of docs/performance.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { measureComparison } from './comparison.ts'
import { buildComparisonTable, judgePeers } from './comparison-report.ts'
import { FIGURES, summarize } from './comparison-summary.ts'
import { describeMachine } from './machine.ts'
import { type Options, ROUNDS } from './options.ts'
import { PEERS } from './peers.ts'
import { buildPicture } from './picture.ts'
import { INSTALLATION } from './practices.ts'

const docs = (path: string) => fileURLToPath(new URL(`../../docs/${path}`, import.meta.url))
const PAGE = docs('performance.md')
const PICTURE = docs('pictures/performance.svg')
const BEGIN = '<!-- written by: npm run bench -- --peers --record -->'
const END = '<!-- end -->'

export async function comparePeers(options: Options): Promise<void> {
  const { seconds, warmUpSeconds, inFlight, jsonFile, isRecorded } = options
  const result = await measureComparison({
    rounds: ROUNDS,
    sliceMs: (seconds * 1000) / ROUNDS,
    warmUpFlows: 8000,
    warmUpMs: warmUpSeconds * 1000,
    inFlight,
    peers: PEERS,
    figures: FIGURES,
    isPaced: true,
    size: INSTALLATION,
  })
  const summaries = result.contenders.map(summarize)
  const table = buildComparisonTable(summaries, result)
  process.stdout.write(`${table}\n`)
  if (jsonFile) {
    const machine = describeMachine()
    const data = { machine, summaries, goals: judgePeers(summaries), ...result }
    writeFileSync(jsonFile, `${JSON.stringify(data, null, 2)}\n`)
  }
  if (isRecorded) {
    writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8'), table))
    writeFileSync(PICTURE, buildPicture(summaries))
    process.stdout.write('recorded in docs/performance.md and docs/pictures/performance.svg\n')
  }
}

/** @throws Error when the page has lost its place for the table. */
function withTable(page: string, table: string): string {
  const begin = page.indexOf(BEGIN)
  const end = page.indexOf(END, begin)
  if (begin < 0 || end < 0)
    throw new Error(`docs/performance.md has no place between ${BEGIN} and ${END}`)
  const day = new Date().toISOString().slice(0, 10)
  const picture =
    '![The part that a signature is of the processor time of each server](pictures/performance.svg)'
  const body = `\n\n${picture}\n\nMeasured on ${day}:\n\n\`\`\`\n${table.trimEnd()}\n\`\`\`\n\n`
  return page.slice(0, begin + BEGIN.length) + body + page.slice(end)
}
