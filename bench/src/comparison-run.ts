// Runs the comparison with peers and shows it: the table, the data with --json, and with --record the table
// and the picture of docs/inside/performance.md.
import { writeFileSync } from 'node:fs'
import { measureComparison } from './comparison.ts'
import { buildComparisonTable, type Claim, judgePeers } from './comparison-report.ts'
import { FIGURES, summarize } from './comparison-summary.ts'
import { asPrinted, recordPart, recordPicture } from './docs-record.ts'
import { describeMachine } from './machine.ts'
import { type Options, ROUNDS } from './options.ts'
import { BARE_SERVER, PEERS } from './peers.ts'
import { buildPicture } from './picture.ts'
import { INSTALLATION } from './practices.ts'

const PICTURE =
  '![The part that a signature is of the processor time of each server](pictures/performance.svg)'

export async function comparePeers(options: Options): Promise<Claim[]> {
  const { seconds, warmUpSeconds, inFlight, jsonFile, isRecorded } = options
  const result = await measureComparison({
    rounds: ROUNDS,
    sliceMs: (seconds * 1000) / ROUNDS,
    warmUpFlows: 8000,
    warmUpMs: warmUpSeconds * 1000,
    inFlight,
    peers: [...PEERS, BARE_SERVER],
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
  const claims = judgePeers(summaries)
  if (isRecorded) {
    recordPart('peers', `${PICTURE}\n\n${asPrinted(table)}`)
    recordPicture(buildPicture(summaries))
  }
  return claims
}
