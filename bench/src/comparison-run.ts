// Runs the comparison with peers and shows it: the table, and the data with --json. With --record it keeps the
// table and a picture in .chartside/bench.
import { writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { measureComparison, WARM_FLOWS } from './comparison.ts'
import {
  buildCheckoutTable,
  buildComparisonTable,
  type Claim,
  judgePeers,
} from './comparison-report.ts'
import { FIGURES, summarize } from './comparison-summary.ts'
import { recordPrinted } from './docs-record.ts'
import { ratiosOf } from './gate.ts'
import { recordStart } from './gate-run.ts'
import { describeMachine } from './machine.ts'
import { type Options, ROUNDS } from './options.ts'
import { BARE_SERVER, PEERS } from './peers.ts'
import { buildPicture } from './picture.ts'
import { INSTALLATION } from './practices.ts'

const PAIRED_ROUNDS = 9

/** This checkout and another one, in turn, with the bare server as the floor of both. */
export async function compareCheckouts(options: Options): Promise<void> {
  const { seconds, inFlight, jsonFile, checkout, isRecorded } = options
  const result = await measureComparison({
    rounds: PAIRED_ROUNDS,
    sliceMs: (seconds * 1000) / PAIRED_ROUNDS,
    ...{ warmUpFlows: WARM_FLOWS, warmUpMs: 60_000 },
    inFlight,
    ...(checkout ? { beside: checkout } : {}),
    peers: [BARE_SERVER, ...PEERS.slice(0, 1)],
    figures: FIGURES,
    isPaced: false,
    size: INSTALLATION,
  })
  process.stdout.write(`${buildCheckoutTable(result)}\n`)
  const [, there, , peer] = result.contenders
  if (isRecorded && checkout && there && peer) {
    process.stdout.write(recordStart(basename(resolve(checkout)), ratiosOf(there, peer)))
  }
  if (jsonFile) writeFileSync(jsonFile, `${JSON.stringify(result, null, 2)}\n`)
}

export async function comparePeers(options: Options): Promise<Claim[]> {
  const { seconds, warmUpSeconds, inFlight, jsonFile, isRecorded } = options
  const result = await measureComparison({
    rounds: ROUNDS,
    sliceMs: (seconds * 1000) / ROUNDS,
    warmUpFlows: WARM_FLOWS,
    warmUpMs: warmUpSeconds * 2000,
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
