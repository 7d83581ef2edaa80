// Runs the gate: measures the service in a short form, repeats what seems lost up to twice, and says which
// figures lost too much. The recorded ratios are in bench/recorded-ratios.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ComparisonOptions, measureComparison } from './comparison.ts'
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
/** Of a record: more of them, because every later run is compared with it. */
const RECORDED_RUNS = 3

const SHORT: Omit<ComparisonOptions, 'figures'> = {
  rounds: 3,
  sliceMs: 400,
  warmUpFlows: 4000,
  warmUpMs: 5000,
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
  const machine = describeMachine()
  writeFileSync(RECORD, `${JSON.stringify({ machine, ratios }, null, 2)}\n`)
  return `recorded in bench/recorded-ratios.json: ${JSON.stringify(ratios)}\n`
}

/** Whether no figure lost too much, and the table. */
export async function runGate(
  maxLoss: number,
): Promise<{ readonly isPassed: boolean; readonly table: string }> {
  const { ratios } = JSON.parse(readFileSync(RECORD, 'utf8')) as { ratios: GateRatios }
  if (process.platform !== 'linux') {
    return { isPassed: true, table: 'The gate was left out: it reads processor time from /proc.\n' }
  }
  let measured = await measureRatios(FIGURES)
  let verdicts = judgeGate(ratios, measured, maxLoss)
  for (let repeats = 0; repeats < MAX_REPEATS; repeats++) {
    const lost = verdicts.filter(({ isLost }) => isLost).map(({ figure }) => figure)
    if (lost.length === 0) break
    process.stderr.write(`[gate] again: ${lost.join(', ')}\n`)
    measured = bestOf(measured, await measureRatios(lost))
    verdicts = judgeGate(ratios, measured, maxLoss)
  }
  return {
    isPassed: verdicts.every(({ isLost }) => !isLost),
    table: buildGateTable(verdicts, maxLoss),
  }
}

function buildGateTable(verdicts: readonly GateVerdict[], maxLoss: number): string {
  const change = (loss: number) => `${(-loss * 100).toFixed(1)} %`
  const rows = verdicts.map(({ figure, recorded, measured, losses, isLost }) => [
    figure,
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
