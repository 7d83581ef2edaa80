// Tests the benchmark's command line and its verdicts: what is understood, what is refused and how,
// and that a figure of an exhausted load generator is marked. Runs no benchmark.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from './goals.ts'
import type { ModeResult, Round } from './measure.ts'
import { type Options, parseOptions } from './options.ts'

test('reads its options and has defaults for all of them', () => {
  const defaults = {
    scenario: 'flows',
    engine: 'sqlite',
    rows: 1_000_000,
    runs: 24,
    hours: 6,
    peak: 100,
    seed: 1,
    launches: 5_000_000,
    maxLoss: 0.15,
    isRecorded: false,
  }
  assert.deepEqual(parseOptions([]), {
    ...defaults,
    workers: 1,
    seconds: 6,
    warmUpSeconds: 12,
    inFlight: 16,
    checkout: undefined,
    jsonFile: undefined,
  })
  assert.deepEqual(
    parseOptions(
      '--scenario sweep --database postgres --workers 2 --rows 5000 --seconds 2.5 --warm-up 0 --in-flight 32 --json out.json'.split(
        ' ',
      ),
    ),
    {
      ...{ ...defaults, scenario: 'sweep', engine: 'postgres', rows: 5000, workers: 2 },
      ...{
        seconds: 2.5,
        warmUpSeconds: 0,
        inFlight: 32,
        checkout: undefined,
        jsonFile: 'out.json',
      },
    },
  )
  const day = '--scenario day --hours 0.05 --peak 24 --seed 7'.split(' ')
  const { scenario, hours, peak, seed } = parseOptions(day) as Options
  assert.deepEqual(
    { scenario, hours, peak, seed },
    { scenario: 'day', hours: 0.05, peak: 24, seed: 7 },
  )
  assert.equal(parseOptions(['--seconds', '2', '--help']), 'help')
  const recorded = parseOptions(['--gate', '--record', '--json', 'gate.json'])
  assert.deepEqual(recorded, {
    ...(parseOptions([]) as object),
    scenario: 'gate',
    isRecorded: true,
    jsonFile: 'gate.json',
  })
})

test('refuses what it does not understand and names it', () => {
  assert.throws(() => parseOptions(['--fast']), /--fast is not understood/)
  assert.throws(() => parseOptions(['--seconds', 'long']), /--seconds must be a number/)
  assert.throws(() => parseOptions(['--peak', '0']), /--peak must be a number from 0.1/)
  assert.throws(() => parseOptions(['--in-flight']), /--in-flight must be a number/)
  assert.throws(() => parseOptions(['--json']), /--json is not understood/)
  assert.throws(() => parseOptions(['--workers', '2']), /goes with --database postgres/)
  assert.throws(() => parseOptions(['--scenario', 'sweep', '--record']), /--record goes with/)
})

test('judges the median of the rounds and takes each fraction within its own round', () => {
  const rounds = [
    [300, 700, 300],
    [200, 600, 400],
    [400, 1100, 500],
  ].map(([rsaCpu = 0, cpuPerFlow, databaseCpuPerFlow]) => ({
    ...buildRound(4000, 2000),
    ...{ rsaCpu, cpuPerFlow, databaseCpuPerFlow },
  }))
  const [verdict] = judge(buildResult(rounds), 'postgres')
  assert.deepEqual(verdict, {
    goal: 'signature, of a flow with its database',
    wanted: 'at least 0.22',
    measured: '0.25',
    isMet: true,
    note: '',
  })
})

test('says when the load generator was the limit', () => {
  const verdicts = judge(buildResult([buildRound(4000, 2000, 0.97)]), 'sqlite')
  const jwks = verdicts.find(({ goal }) => goal === 'jwks')
  assert.equal(jwks?.isMet, false)
  assert.match(jwks?.note ?? '', /load generator at its limit/)
})

test('leaves out what the machine cannot tell', () => {
  const goals = judge(buildResult([buildRound(4000, 2000)]), 'sqlite').map(({ goal }) => goal)
  assert.ok(!goals.some((goal) => goal.startsWith('resident memory')))
})

function buildRound(rsa: number, perSecond: number, generatorShare = 0.1): Round {
  const load = { count: 100, perSecond, p50Ms: 5, p99Ms: 9, generatorShare }
  return {
    rsa,
    rsaAsync: undefined,
    rsaCpu: 250,
    flow: load,
    arrival: load,
    token: load,
    tokenAtHalfLoad: load,
    introspect: load,
    jwks: load,
    cpuPerFlow: undefined,
    cpuPerToken: undefined,
    databaseCpuPerFlow: undefined,
  }
}

const buildResult = (rounds: Round[]): ModeResult => ({
  mode: 'one core',
  rounds,
  readyAfterMs: 200,
  idleMegabytes: undefined,
  loadedMegabytes: undefined,
})
