// The schedule of a chaos run: what happens, how often, and the same again for the same seed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChaosOptions } from './options.ts'
import { parseOptions } from './options.ts'
import { planSchedule } from './schedule.ts'

const FULL = {
  scenario: 'nodes',
  nodes: 4,
  rate: 500,
  seconds: 60,
  warmUpSeconds: 10,
  floorPercent: 95,
  partitions: 16,
  streams: 2000,
  httpChecks: 200,
} as const
const LONG: ChaosOptions = { ...FULL, seed: 1 }
const count = (options: ChaosOptions, kind: string) =>
  planSchedule(options).filter(({ action }) => action.kind === kind).length

test('kills each node in turn every ten seconds, and does all else once a minute', () => {
  const kills = planSchedule(LONG).flatMap(({ atMs, action }) =>
    action.kind === 'kill' ? { second: Math.floor(atMs / 1000), node: action.node } : [],
  )
  assert.deepEqual(
    kills.map(({ second }) => second),
    [10, 20, 30, 40, 50],
  )
  assert.equal(new Set(kills.slice(0, 4).map(({ node }) => node)).size, 4)
  for (const scenario of ['nodes', 'failover', 'citus'] as const) {
    for (const seconds of [10, 60, 600]) {
      for (const kind of ['key', 'database', 'secret']) {
        assert.equal(count({ ...LONG, scenario, seconds }, kind), 1)
      }
      assert.ok(count({ ...LONG, scenario, seconds }, 'kill') > 0)
      const times = planSchedule({ ...LONG, scenario, seconds }).map(({ atMs }) => atMs)
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      )
      assert.ok(times.every((atMs) => atMs < seconds * 1000))
    }
  }
})

test('streams: a node is killed, then another is stopped in order', () => {
  const plan = planSchedule({ ...LONG, scenario: 'streams' })
  assert.deepEqual(
    plan.map(({ action }) => action.kind),
    ['key', 'kill', 'stop'],
  )
  const [killed, stopped] = plan.flatMap(({ action }) => ('node' in action ? action.node : []))
  assert.notEqual(killed, stopped)
})

test('the same seed gives the same schedule, another seed another', () => {
  assert.deepEqual(planSchedule(LONG), planSchedule(LONG))
  assert.notDeepEqual(planSchedule(LONG), planSchedule({ ...LONG, seed: 2 }))
})

test('options have defaults, and what they do not allow is named', () => {
  assert.deepEqual(parseOptions([], 9), { options: { ...FULL, seed: 9 }, jsonFile: undefined })
  const args =
    '--scenario failover --nodes 3 --rate 60 --seconds 10 --warm-up 0 --floor 90 --partitions 0 --streams 300 --seed 4 --json a.json'
  assert.deepEqual(parseOptions(args.split(' '), 9), {
    options: {
      scenario: 'failover',
      nodes: 3,
      rate: 60,
      seconds: 10,
      warmUpSeconds: 0,
      floorPercent: 90,
      partitions: 0,
      streams: 300,
      httpChecks: 200,
      seed: 4,
    },
    jsonFile: 'a.json',
  })
  assert.equal(parseOptions(['--help'], 9), 'help')
  for (const [bad, words] of [
    ['--scenario=fire', /nodes, failover, citus, operations, master-key, streams/],
    ['--nodes=1', /from 2 to 16/],
    ['--seconds=9', /from 10 to 3600/],
    ['--rate=fast', /whole number/],
    ['--speed=1', /--speed/],
  ] as const) {
    assert.throws(() => parseOptions([bad], 9), words)
  }
})
