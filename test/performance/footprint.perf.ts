// What the process costs, with the machine for itself: time to ready and resident memory. Measures;
// changes nothing. The goals are in docs/performance.md.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMegabytes, type ServiceProcess, startService } from '../process/service-process.ts'

/** On a machine that starts an empty Node.js process in EMPTY_MS or less; slower ones in proportion. */
const READY_WITHIN_MS = 400
const EMPTY_MS = 30
/** The goal is 90 (docs/performance.md); this holds what there is. */
const IDLE_MEGABYTES = 110

let first: ServiceProcess
before(async () => {
  first = await startService()
  await first.end()
})
after(() => first.discard())

const startAgain = () => startService({ dataDir: first.dataDir })
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** How long this machine takes to start and end a Node.js process that does nothing. */
async function startEmpty(): Promise<number> {
  const begun = performance.now()
  await once(spawn(process.execPath, ['--eval', '0'], { stdio: 'ignore' }), 'exit')
  return performance.now() - begun
}

test('is ready within 400 ms of process start when its database exists', async () => {
  const measured: number[] = []
  const empty: number[] = []
  for (let start = 0; start < 6; start++) {
    const service = await startAgain()
    await service.end()
    empty.push(await startEmpty())
    // The first start fills the compile cache and the page cache.
    if (start > 0) measured.push(service.readyAfterMs)
  }
  const shown = measured.map((ms) => ms.toFixed(0)).join(', ')
  const limit = READY_WITHIN_MS * Math.max(1, median(empty) / EMPTY_MS)
  const found = `ready after ${median(measured).toFixed(0)} ms (median of ${shown}); an empty process takes ${median(empty).toFixed(0)} ms`
  console.log(found)
  assert.ok(median(measured) <= limit, found)
})

test('holds at most 110 MB when idle', { skip: process.platform !== 'linux' }, async () => {
  const service = await startAgain()
  await sleep(500)
  const megabytes = residentMegabytes(service.pid) ?? 0
  await service.end()
  console.log(`resident when idle: ${megabytes.toFixed(1)} MB`)
  assert.ok(megabytes > 0 && megabytes <= IDLE_MEGABYTES, `${megabytes.toFixed(1)} MB`)
})
