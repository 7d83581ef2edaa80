// What metrics and traces cost: processor time of a launch flow on nodes that differ in that setting alone,
// measured in turns under full load. A second node without either shows what the machine itself adds to a
// figure. `node --test test/performance/observability.perf.ts`; it prints the figures.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type LoadJob, type LoadResult, startWorker, type Worker } from '../../bench/src/jobs.ts'
import { cpuMicroseconds } from '../../bench/src/machine.ts'
import { setUpPractices } from '../../bench/src/practices.ts'
import { serviceEnvironment } from '../../bench/src/service-settings.ts'
import {
  ADMIN,
  findFreePort,
  type ServiceProcess,
  startService,
} from '../process/service-process.ts'

const ROUNDS = Number(process.env.CHARTSIDE_PERF_ROUNDS ?? 12)
/** The first three are the metrics. */
const VARIANTS = Number(process.env.CHARTSIDE_PERF_VARIANTS ?? 5)
const SLICE_MS = 700
const WARM_UP_MS = 6000
const IN_FLIGHT = 16
const SCRAPES = 20
/** Of Prometheus by default. */
const SCRAPE_EVERY_SECONDS = 15
const SIZE = { practices: 4, appsEach: 2, signInsEach: 2 }

interface Contender {
  readonly name: string
  readonly node: ServiceProcess
  readonly load: Worker<LoadJob, LoadResult>
  readonly cpu: number[]
}

const contenders: Contender[] = []
let batches = 0
let metricsPort = 0
const collector = createServer((request, response) => {
  request.resume().on('end', () => {
    batches += 1
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})

before(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  metricsPort = await findFreePort()
  const metrics = { CHARTSIDE_METRICS_PORT: String(metricsPort) }
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
  const variants: readonly [string, Readonly<Record<string, string>>][] = [
    ['neither', {}],
    ['neither, again', {}],
    ['metrics', metrics],
    ['traces, all', traces],
    ['traces, a tenth', { ...traces, OTEL_TRACES_SAMPLER_ARG: '0.1' }],
  ]
  for (const [name, environment] of variants.slice(0, VARIANTS)) {
    const node = await startService({ environment: { ...serviceEnvironment(), ...environment } })
    const people = await setUpPractices(node.baseUrl, ADMIN, SIZE)
    const load = startWorker<LoadJob, LoadResult>('load-worker.ts')
    await load.ask({ kind: 'connect', target: { kind: 'service', port: node.port, people } })
    contenders.push({ name, node, load, cpu: [] })
  }
})
after(async () => {
  for (const { load, node } of contenders) {
    load.end()
    await node.discard()
  }
  collector.close()
  collector.closeAllConnections()
})

async function measureFlow({ node, load }: Contender, milliseconds: number): Promise<number> {
  const used = cpuMicroseconds(node.pid) ?? Number.NaN
  const { count } = await load.ask({ kind: 'flow', inFlight: IN_FLIGHT, milliseconds })
  return ((cpuMicroseconds(node.pid) ?? Number.NaN) - used) / count
}

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

test('metrics cost at most two of a hundred of a flow', async () => {
  for (const contender of contenders) await measureFlow(contender, WARM_UP_MS)
  for (let round = 0; round < ROUNDS; round++) {
    // Another one begins each round, so that none always follows the same one.
    for (let i = 0; i < contenders.length; i++) {
      const contender = contenders[(i + round) % contenders.length] as Contender
      contender.cpu.push(await measureFlow(contender, SLICE_MS))
    }
  }
  const [plain] = contenders
  const ratios = new Map<string, number>()
  for (const { name, cpu } of contenders) {
    const ratio = median(cpu.map((one, round) => one / (plain?.cpu[round] ?? Number.NaN)))
    ratios.set(name, ratio)
    console.log(`${name.padEnd(16)} ${median(cpu).toFixed(0)} µs a flow, ratio ${ratio.toFixed(3)}`)
  }
  assert.ok(batches > 0 || VARIANTS < 4, 'the collector got spans')
  const noise = Math.abs((ratios.get('neither, again') ?? 1) - 1)
  console.log(`two nodes alike differ by ${(noise * 100).toFixed(1)} %`)
  await showScrape(contenders[2] as Contender)
  const { requests, operations } = await countNotes()
  const cost = costOfNotes()
  const micros = requests * cost.request + operations * cost.operation
  const percent = (micros / median(plain?.cpu ?? [])) * 100
  console.log(
    `metrics, counted: ${requests.toFixed(1)} requests and ${operations.toFixed(1)} operations of the database a flow cost ${micros.toFixed(1)} µs, ${percent.toFixed(2)} %`,
  )
  assert.ok(percent <= 2, 'metrics cost more than 2 % of a flow')
})

async function showScrape({ node }: Contender): Promise<void> {
  const used = cpuMicroseconds(node.pid) ?? Number.NaN
  for (let i = 0; i < SCRAPES; i++) await scrape()
  const cpu = ((cpuMicroseconds(node.pid) ?? Number.NaN) - used) / SCRAPES
  const share = (cpu / 1e6 / SCRAPE_EVERY_SECONDS) * 100
  console.log(`a scrape: ${(cpu / 1000).toFixed(1)} ms, ${share.toFixed(3)} % of a core`)
}

const scrape = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()

/** What the node with metrics noted for a launch. */
async function countNotes(): Promise<{ requests: number; operations: number }> {
  const text = await scrape()
  const sum = (lines: RegExp) =>
    [...text.matchAll(lines)].reduce((total, [, value]) => total + Number(value), 0)
  const opened = sum(/^chartside_launches_total\{outcome="opened"[^}]*\} (\d+)$/gm)
  return {
    requests: sum(/^chartside_request_duration_seconds_count\{[^}]*\} (\d+)$/gm) / opened,
    operations: sum(/^chartside_database_duration_seconds_count\{[^}]*\} (\d+)$/gm) / opened,
  }
}

/** In a process of its own: the test runner follows each promise, which costs more than the note. */
function costOfNotes(): { request: number; operation: number } {
  const program = fileURLToPath(new URL('note-cost.ts', import.meta.url))
  const args = ['--disable-warning=ExperimentalWarning', program]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}
