// Carries out what the schedule says: kills and revives, breaks the database down and repairs it,
// rotates the key and the secret. Marks every fault in the book at its very instant, and tells what
// happened and how long it took.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { ChaosDatabase } from './database.ts'
import type { FaultBook } from './faults.ts'
import type { World } from './flow.ts'
import { rotateKeys } from './key-rotation.ts'
import type { Load } from './load.ts'
import { rotateSecret } from './registrations.ts'
import type { Happening } from './schedule.ts'

const MAX_OUTAGE_MS = 60_000

export interface Stage {
  readonly cluster: Cluster
  readonly database: ChaosDatabase
  readonly world: World
  readonly load: Load
  readonly book: FaultBook
  readonly elapsedMs: () => number
  readonly tell: (event: string) => void
}

export function applyPlan(stage: Stage, happening: Happening): Promise<void> {
  switch (happening.kind) {
    case 'kill':
      return killNode(stage, happening.node, happening.downMs)
    case 'database':
      return breakDatabase(stage, happening.downMs)
    case 'key':
      return rotateKey(stage)
    case 'secret':
      return changeSecret(stage)
  }
}

async function killNode(stage: Stage, node: number, downMs: number): Promise<void> {
  const { cluster, book, load, tell, elapsedMs } = stage
  const name = `node ${node} killed`
  const inFlight = load.inFlight()
  const fault = book.begin(name, elapsedMs(), inFlight)
  const gone = cluster.kill(node)
  tell(`${name} with SIGKILL, ${inFlight.length} launches in flight`)
  await gone
  await fault.end()
  await sleep(downMs)
  const began = elapsedMs()
  await cluster.bringBack(node)
  tell(`node ${node} back, ready ${seconds(elapsedMs() - began)} after its start`)
}

async function breakDatabase(stage: Stage, downMs: number): Promise<void> {
  const { database, book, load, tell, elapsedMs } = stage
  const { broken, repaired } = database.story
  const began = elapsedMs()
  const inFlight = load.inFlight()
  const fault = book.begin(broken, began, inFlight)
  const gone = database.breakDown()
  tell(`${broken}, ${inFlight.length} launches in flight`)
  await gone
  await fault.end()
  await sleep(downMs)
  await database.repair()
  tell(`${repaired}, ${seconds(elapsedMs() - began)} after it went`)
  await Promise.race([load.nextCompleted(), waitInVain()])
  tell(`a launch was completed ${seconds(elapsedMs() - began)} after the database went`)
}

async function waitInVain(): Promise<never> {
  await sleep(MAX_OUTAGE_MS, undefined, { ref: false })
  throw new Error(`no launch was completed for ${seconds(MAX_OUTAGE_MS)}`)
}

async function rotateKey({ cluster, tell }: Stage): Promise<void> {
  tell(`chartside keys rotate: ${await rotateKeys(cluster.environment)}`)
}

async function changeSecret({ cluster, world, load, tell }: Stage): Promise<void> {
  const { retiredApp, refusedAfterMs } = await rotateSecret(world, cluster.nodeUrls, () =>
    load.settle(),
  )
  world.facts.apps.push({ ...retiredApp, secretState: 'retired' })
  tell(`client secret rotated; every node refused the old one within ${seconds(refusedAfterMs)}`)
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
