// Runs the actions of the schedule: kills and restarts a node, fails and repairs the database, rotates
// the key and the secret. Reports the start and end of each fault to the tracker, and logs each action
// with its duration. Never decides when.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { ChaosDatabase } from './database.ts'
import type { FaultTracker } from './faults.ts'
import type { LoadContext } from './flow.ts'
import { runKeysCommand } from './keys-command.ts'
import type { Load } from './load.ts'
import { rotateSecret } from './registrations.ts'
import type { Action } from './schedule.ts'
import type { Streams } from './streams.ts'

const MAX_OUTAGE_MS = 60_000

export interface ActionContext {
  readonly cluster: Cluster
  readonly database: ChaosDatabase
  readonly loadContext: LoadContext
  readonly load: Load
  readonly tracker: FaultTracker
  readonly streams: Streams | undefined
  readonly elapsedMs: () => number
  readonly log: (event: string) => void
}

export function applyPlan(context: ActionContext, action: Action): Promise<void> {
  switch (action.kind) {
    case 'kill':
      return killNode(context, action.node, action.downMs)
    case 'stop':
      return stopNode(context, action.node, action.clockSeconds)
    case 'migration':
      return migrateAhead(context)
    case 'database':
      return breakDatabase(context, action.downMs)
    case 'master-key':
      return changeMasterKey(context)
    case 'key':
      return rotateKey(context)
    case 'secret':
      return changeSecret(context)
  }
}

async function killNode(context: ActionContext, node: number, downMs: number): Promise<void> {
  const { cluster, tracker, load, log, elapsedMs } = context
  const name = `node ${node} killed`
  const inFlight = load.inFlight()
  const fault = tracker.begin(name, elapsedMs(), inFlight)
  context.streams?.mark(name)
  const gone = cluster.kill(node)
  log(`${name} with SIGKILL, ${inFlight.length} launches in flight`)
  await gone
  await fault.end()
  await sleep(downMs)
  const began = elapsedMs()
  await cluster.restart(node)
  log(`node ${node} back, ready ${seconds(elapsedMs() - began)} after its start`)
}

/** No fault: a node that is stopped in order loses no launch. */
async function stopNode(
  { cluster, log, elapsedMs, streams }: ActionContext,
  node: number,
  clockSeconds: number,
): Promise<void> {
  const began = elapsedMs()
  streams?.mark(`node ${node} stopped with SIGTERM`)
  await cluster.stopInOrder(node)
  log(`node ${node} stopped with SIGTERM, gone after ${seconds(elapsedMs() - began)}`)
  const how = await cluster.restart(node, { clockSeconds })
  log(`node ${node} back${how ? `, ${how}` : ''}`)
}

async function migrateAhead({ database, log }: ActionContext): Promise<void> {
  await database.rows('ALTER TABLE launches ADD COLUMN of_a_newer_version TEXT', [])
  const insert = `INSERT INTO schema_migrations (version, name, applied_at, phase)
    VALUES (9999, 'of a newer version', 0, 'expand')`
  await database.rows(insert, [])
  log('a newer version has migrated the database; nodes of this one go on')
}

async function breakDatabase(context: ActionContext, downMs: number): Promise<void> {
  const { database, tracker, load, log, elapsedMs } = context
  const { broken, repaired } = database.story
  const began = elapsedMs()
  const inFlight = load.inFlight()
  const fault = tracker.begin(broken, began, inFlight)
  const gone = database.fail()
  log(`${broken}, ${inFlight.length} launches in flight`)
  await gone
  if (!database.failsUntilRepair) await fault.end()
  await sleep(downMs)
  await database.repair()
  if (database.failsUntilRepair) await fault.end()
  log(`${repaired}, ${seconds(elapsedMs() - began)} after it went`)
  await Promise.race([load.nextCompleted(), waitInVain()])
  log(`a launch was completed ${seconds(elapsedMs() - began)} after the database went`)
}

async function waitInVain(): Promise<never> {
  await sleep(MAX_OUTAGE_MS, undefined, { ref: false })
  throw new Error(`no launch was completed for ${seconds(MAX_OUTAGE_MS)}`)
}

/** docs/operate/keys.md, "Change the master key". */
async function changeMasterKey(context: ActionContext): Promise<void> {
  const { cluster, log } = context
  const previous = cluster.environment.CHARTSIDE_MASTER_KEY ?? ''
  const restartAll = async () => {
    for (const node of cluster.nodeUrls.keys()) await stopNode(context, node, 0)
  }
  cluster.configure({
    CHARTSIDE_MASTER_KEY: randomBytes(32).toString('base64'),
    CHARTSIDE_PREVIOUS_MASTER_KEY: previous,
  })
  await restartAll()
  log(`chartside keys reseal: ${await runKeysCommand(cluster.environment, 'reseal')}`)
  cluster.configure({ CHARTSIDE_PREVIOUS_MASTER_KEY: '' })
  await restartAll()
  log('every node runs with the new master key alone')
}

async function rotateKey({ cluster, log }: ActionContext): Promise<void> {
  const answer = await runKeysCommand(cluster.environment, 'rotate', '--after-seconds', '0')
  log(`chartside keys rotate: ${answer}`)
}

async function changeSecret({ cluster, loadContext, load, log }: ActionContext): Promise<void> {
  const { retiredApp, refusedAfterMs } = await rotateSecret(loadContext, cluster.nodeUrls, () =>
    load.settle(),
  )
  loadContext.facts.apps.push({ ...retiredApp, secretState: 'retired' })
  log(`client secret rotated; every node refused the old one within ${seconds(refusedAfterMs)}`)
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
