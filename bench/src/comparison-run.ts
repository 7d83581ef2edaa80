// Runs the comparison with peers and shows it: the table, and the data with --json. With --record it keeps the
// table and a picture in .chartside/bench.
import { writeFileSync } from 'node:fs'
import { measureComparison } from './comparison.ts'
import { buildComparisonTable, type Claim, judgePeers } from './comparison-report.ts'
import { FIGURES, summarize } from './comparison-summary.ts'
import { recordPrinted } from './docs-record.ts'
import { describeMachine } from './machine.ts'
import { type Options, ROUNDS } from './options.ts'
import { BARE_SERVER, PEERS } from './peers.ts'
import { buildPicture } from './picture.ts'
import { INSTALLATION } from './practices.ts'

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
    recordPrinted('peers.txt', table)
    recordPrinted('peers.svg', buildPicture(summaries))
  }
  return claims
}
