// The chaos run in short: nodes killed, PostgreSQL broken down or failed over, key and client secret
// rotated, event streams moved, all under load. `npm run tool -- chaos` is the long form (docs/inside/chaos.md). Security F02, F03, C05,
// C09, J06, K02. Repeat a run with CHARTSIDE_TEST_SEED.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChaosOptions } from './options.ts'
import { formatReport } from './report.ts'
import { type Listener, runChaos } from './run.ts'

const seed = Number(process.env.CHARTSIDE_TEST_SEED ?? Math.floor(Math.random() * 1e9))
/** What two cores hold beside everything else; the verdicts do not depend on the speed. */
const SHORT: Omit<ChaosOptions, 'scenario'> = {
  nodes: 3,
  rate: 25,
  seconds: 10,
  warmUpSeconds: 0,
  floorPercent: 85,
  partitions: 2,
  streams: 210,
  httpChecks: 70,
  seed,
}
const silent: Listener = { event() {}, progress() {} }

const run = async (scenario: ChaosOptions['scenario'], seconds = SHORT.seconds) => {
  const report = await runChaos(
    { ...SHORT, scenario, seconds },
    silent,
    new AbortController().signal,
  )
  console.log(`${report.events.join('\n')}\n\n${formatReport(report)}`)
  const broken = report.verdicts.filter(({ isMet }) => !isMet)
  assert.deepEqual(broken, [], report.lastOutput)
  const { checked } = report.findings
  for (const [what, least] of Object.entries(AT_LEAST)) {
    assert.ok((checked[what] ?? 0) >= least, `too few to mean anything: ${what}, ${checked[what]}`)
  }
  assert.equal(report.load.started, report.load.completed + report.load.failed)
  return report
}

/** So that a run in which nothing happened does not pass. */
const AT_LEAST = {
  launches: 200,
  exchanges: 150,
  revocations: 5,
  'kept codes': 2,
  'signing keys seen': 2,
  'introspections and replays over HTTP': 100,
}

test('loses and repeats nothing when nodes and PostgreSQL crash [F02, C05, C09]', async () => {
  const { faults } = await run('nodes')
  assert.equal(faults.filter(({ name }) => /^node/.test(name)).length, 2)
  assert.equal(faults.filter(({ name }) => /PostgreSQL/.test(name)).length, 1)
})

test('loses nothing when the primary dies and its replica is promoted [F02, C09]', async () => {
  const { faults } = await run('failover')
  assert.equal(faults.filter(({ name }) => /primary/.test(name)).length, 1)
})

const { CHARTSIDE_CITUS_BIN } = process.env
const skip = !CHARTSIDE_CITUS_BIN && 'CHARTSIDE_CITUS_BIN names no PostgreSQL with Citus'

test('loses nothing when a worker of Citus dies and its standby is promoted', {
  skip,
}, async () => {
  const { faults } = await run('citus', 20)
  assert.equal(faults.filter(({ name }) => /worker/.test(name)).length, 1)
})

test('fails no launch while the master key changes and nodes restart [F03]', async () => {
  const { events, load } = await run('master-key', 60)
  assert.ok(
    events.some((event) => event.includes('the new master key alone')),
    events.join('\n'),
  )
  assert.equal(load.failed, 0)
})

test('event streams come back from a killed and from a stopped node [F03]', async () => {
  const { streams } = await run('streams')
  const [killed, stopped] = streams?.incidents ?? []
  for (const incident of [killed, stopped]) assert.ok((incident?.lost ?? 0) > 20, incident?.name)
})
