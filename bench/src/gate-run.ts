// Runs the gate: measures the service in a short form, repeats what seems lost up to twice, and says which
// figures lost too much. The recorded ratios are in bench/recorded-ratios.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ComparisonOptions, measureComparison, WARM_FLOWS } from './comparison.ts'
import { FIGURES, type Figure } from './comparison-summary.ts'
import {
  bestOf,
  type GateRatios,
  type GateVerdict,
  judgeGate,
  medianOfRuns,
  ratiosOf,
} from './gate.ts'
import { describeMachine } from './machine.ts'
import { PEERS } from './peers.ts'
import { alignColumns } from './report.ts'

const RECORD = fileURLToPath(new URL('../recorded-ratios.json', import.meta.url))
const MAX_REPEATS = 2
/**
 * The loss of a flow since the start, as docs/inside/performance.md has it: only what is lost beyond it fails
 * the gate.
 */
const KNOWN_LOSS = 0.13
/** The runs of a record: there are more of them, because every later run is compared with it. */
const RECORDED_RUNS = 3

const SHORT: Omit<ComparisonOptions, 'figures'> = {
  rounds: 3,
  sliceMs: 400,
  warmUpFlows: WARM_FLOWS,
  warmUpMs: 20_000,
  inFlight: 16,
  // The fastest: as a yardstick it costs the least time.
  peers: PEERS.slice(0, 1),
  isPaced: false,
  size: { practices: 6, appsEach: 4, signInsEach: 2 },
}

async function measureRatios(figures: readonly Figure[]): Promise<GateRatios> {
  const { contenders } = await measureComparison({ ...SHORT, figures })
  const [service, peer] = contenders
  if (!service || !peer) throw new Error('the service and a peer were not both measured')
  return ratiosOf(service, peer)
}

/** Measures and writes the ratios that later runs are held to. */
export async function recordGate(): Promise<string> {
  const runs: GateRatios[] = []
  while (runs.length < RECORDED_RUNS) runs.push(await measureRatios(FIGURES))
  const ratios = medianOfRuns(runs)
  const { start } = readRecord()
  writeRecord({ machine: describeMachine(), ratios, start })
  return `recorded in bench/recorded-ratios.json: ${JSON.stringify(ratios)}\n`
}

/** Keeps the ratios of the checkout that every later one is held to. */
export function recordStart(checkout: string, ratios: GateRatios): string {
  writeRecord({ ...readRecord(), start: { checkout, ratios } })
  return `recorded in bench/recorded-ratios.json as the start: ${JSON.stringify(ratios)}\n`
}

interface GateRecord {
  readonly machine: string
  /** The ratios of the last record. */
  readonly ratios: GateRatios
  /** The ratios of the first commit that was measured. Many small losses show only here. */
  readonly start: { readonly checkout: string; readonly ratios: GateRatios }
}

const readRecord = () => JSON.parse(readFileSync(RECORD, 'utf8')) as GateRecord

const writeRecord = (record: GateRecord) =>
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`)

/** Whether no figure lost too much, and the table. */
export async function runGate(
  maxLoss: number,
): Promise<{ readonly isPassed: boolean; readonly table: string }> {
  const { ratios, start } = readRecord()
  const judgeBoth = (measured: GateRatios): SinceVerdict[] => [
    ...judgeGate(ratios, measured, maxLoss).map((one) => ({ ...one, since: 'last record' })),
    ...judgeGate(start.ratios, measured, maxLoss + KNOWN_LOSS).map((one) => ({
      ...one,
      since: 'start',
    })),
  ]
  if (process.platform !== 'linux') {
    return { isPassed: true, table: 'The gate was left out: it reads processor time from /proc.\n' }
  }
  let measured = await measureRatios(FIGURES)
  let verdicts = judgeBoth(measured)
  for (let repeats = 0; repeats < MAX_REPEATS; repeats++) {
    const lost = FIGURES.filter((figure) =>
      verdicts.some((one) => one.isLost && one.figure === figure),
    )
    if (lost.length === 0) break
    process.stderr.write(`[gate] again: ${lost.join(', ')}\n`)
    measured = bestOf(measured, await measureRatios(lost))
    verdicts = judgeBoth(measured)
  }
  return {
    isPassed: verdicts.every(({ isLost }) => !isLost),
    table: buildGateTable(verdicts, maxLoss),
  }
}

interface SinceVerdict extends GateVerdict {
  readonly since: string
}

function buildGateTable(verdicts: readonly SinceVerdict[], maxLoss: number): string {
  const change = (loss: number) => `${(-loss * 100).toFixed(1)} %`
  const rows = verdicts.map(({ since, figure, recorded, measured, losses, isLost }) => [
    `${figure}, since the ${since}`,
    recorded.signature.toFixed(3),
    measured.signature.toFixed(3),
    change(losses.signature),
    recorded.peer.toFixed(3),
    measured.peer.toFixed(3),
    change(losses.peer),
    isLost ? 'LOST' : 'ok',
  ])
  const heading = ['', 'recorded', 'signature', '', 'recorded', 'peer', '', '']
  return (
    `Processor time of an RSA-2048 signature, and of a flow of ${SHORT.peers[0]?.name ?? 'a peer'}, divided by that of:\n` +
    `${alignColumns([heading, ...rows])}\n` +
    `A figure is lost when it has lost more than ${Math.round(maxLoss * 100)} % of both. If a loss is meant, record it: ` +
    'npm run bench -- --gate --record\n'
  )
}
