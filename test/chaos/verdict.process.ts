// That the chaos run notices what it is there to notice: invented facts, rows and faults, each with
// one broken promise in it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyFacts, type FlowFact } from './facts.ts'
import { trackFaults } from './faults.ts'
import { chosenMoment, type Loss, summarize } from './stream-times.ts'
import type { StreamReport } from './streams.ts'
import { decideVerdicts, type Evidence } from './verdict.ts'
import { emptyFindings, findLoss, hashOf } from './verify.ts'

const evidence = (changes: Partial<Evidence> = {}): Evidence => ({
  facts: emptyFacts(),
  findings: emptyFindings(),
  faults: [],
  unexplained: [],
  load: { completed: 99, failed: 1 },
  floorPercent: 95,
  unended: 0,
  notCarriedOut: [],
  ...changes,
})
const brokenBy = (changes: Partial<Evidence>) =>
  decideVerdicts(evidence(changes)).flatMap(({ guarantee, isMet }) => (isMet ? [] : guarantee))

test('finds no violation in a run without a fault', () => {
  assert.deepEqual(brokenBy({}), [])
  const fault = { name: 'node 0 killed', atMs: 1, inFlight: 3, exposed: 4, failed: 4 }
  assert.deepEqual(brokenBy({ faults: [fault] }), [])
})

for (const [guarantee, changes] of [
  ['no code gives two tokens', { findings: { ...emptyFindings(), doubleIssues: ['lau_1'] } }],
  [
    'nothing acknowledged is lost',
    { findings: { ...emptyFindings(), lost: ['a launch is lost'] } },
  ],
  ['a launch fails only when it was in flight at a fault', { unexplained: ['launch: cut'] }],
  [
    'a launch fails only when it was in flight at a fault',
    { faults: [{ name: 'node 0 killed', atMs: 1, inFlight: 3, exposed: 4, failed: 5 }] },
  ],
  ['every ID token verifies', { facts: { ...emptyFacts(), badIdTokens: ['no matching key'] } }],
  ['every ID token verifies', { findings: { ...emptyFindings(), badIdTokens: ['by node 1'] } }],
  [
    'every node sees at once what any node acknowledged',
    { facts: { ...emptyFacts(), staleReads: ['a revoked token was alive'] } },
  ],
  [
    'every answer is the right one, or 503 with Retry-After',
    { facts: { ...emptyFacts(), unexpectedAnswers: ['token: HTTP/1.1 500'] } },
  ],
  ['at least 95 of a hundred launches complete', { load: { completed: 72, failed: 28 } }],
  ['every launch comes to an end', { unended: 1 }],
  ['everything planned was carried out', { notCarriedOut: ['key: the command failed'] }],
  [
    'everything planned was carried out',
    { findings: { ...emptyFindings(), unfinished: ['verifyRows: gone'] } },
  ],
] satisfies [string, Partial<Evidence>][]) {
  test(`notices a violation of “${guarantee}”`, () => {
    assert.deepEqual(brokenBy(changes), [guarantee])
  })
}

const LOSSES: readonly Loss[] = Array.from({ length: 100 }, (_, i) => {
  const askedAt = 260 + i * 10
  return { incident: 'node 0 killed', lostAt: 0, askedAt, backAt: askedAt + 20 }
})
const streams = (changes: Partial<StreamReport> = {}, losses = LOSSES): StreamReport => ({
  opened: 300,
  people: 6,
  incidents: [summarize('node 0 killed', losses)],
  news: { delivered: 30, wanted: 30, slowestMs: 400 },
  ends: { delivered: 300, wanted: 300, slowestMs: 900 },
  ...changes,
})

test('measures how long event streams were away, and the busiest tenth of a second', () => {
  const { lost, notBack, medianMs, slowestMs, busiestPercent } = summarize('a', LOSSES)
  assert.deepEqual([lost, notBack, medianMs, slowestMs, busiestPercent], [100, 0, 770, 1270, 10])
  assert.deepEqual(brokenBy({ streams: streams() }), [])
})

test('counts a request for the moment that its client chose, when the machine is late', () => {
  assert.equal(chosenMoment(100, 350, 900), 350)
  assert.equal(chosenMoment(100, 350, 120), 120, 'it did not wait for its timer')
  assert.equal(chosenMoment(100, undefined, 900), 900, 'it set none')
  assert.equal(chosenMoment(100, 90, 900), 900, 'the timer belongs to what was before')
})

for (const [guarantee, report] of [
  [
    'a lost event stream is open again within 30 s',
    streams({}, [...LOSSES, { incident: 'node 0 killed', lostAt: 0 }]),
  ],
  [
    'the event streams of a node do not all come back at once',
    streams(
      {},
      LOSSES.map((loss) => ({ ...loss, askedAt: 250 })),
    ),
  ],
  [
    'every event stream hears of a launch and of its end within 5 s',
    streams({ ends: { delivered: 299, wanted: 300, slowestMs: 900 } }),
  ],
  [
    'every event stream hears of a launch and of its end within 5 s',
    streams({ news: { delivered: 30, wanted: 30, slowestMs: 6000 } }),
  ],
] as const) {
  test(`notices a violation of “${guarantee}”`, () => {
    assert.deepEqual(brokenBy({ streams: report }), [guarantee])
  })
}

test('counts a failure for a fault only if the launch was in flight at the fault', async () => {
  const tracker = trackFaults()
  const [before, within, after] = [{}, {}, {}]
  const fault = tracker.begin('node 0 killed', 0, [before])
  tracker.started(within)
  await fault.end()
  tracker.started(after)
  tracker.failed(before, 'cut')
  tracker.failed(within, 'cut')
  tracker.failed(after, 'cut, and without a known cause')
  assert.deepEqual(tracker.faults, [
    { name: 'node 0 killed', atMs: 0, inFlight: 1, exposed: 2, failed: 2 },
  ])
  assert.deepEqual(tracker.unexplained, ['cut, and without a known cause'])
})

const launchId = 'lnch_1'
const flow = (changes: Partial<FlowFact> = {}): FlowFact => ({
  kind: 'plain',
  id: 'lau_1',
  launchId,
  code: 'code_1',
  tokens: ['at_1'],
  ...changes,
})
const row = (changes: Record<string, unknown> = {}) => ({
  launch_hash: hashOf(launchId),
  code_hash: hashOf('code_1'),
  code_spent_at: '5',
  token_hash: hashOf('at_1'),
  token_revoked_at: null,
  ...changes,
})
const unspent = { code_spent_at: null, token_hash: null }

for (const [loss, fact, found] of [
  [undefined, flow(), row()],
  ['a launch is lost', flow(), undefined],
  ['a launch is lost', flow(), row({ launch_hash: 'another' })],
  ['an exchange is lost', flow(), row(unspent)],
  ['an exchange is lost', flow(), row({ token_hash: hashOf('at_2') })],
  ['a token was revoked without a request', flow(), row({ token_revoked_at: '6' })],
  [undefined, flow({ kind: 'revoked' }), row({ token_revoked_at: '6' })],
  ['a revocation is lost', flow({ isRevoked: true }), row()],
  ['a replay left the token alive', flow({ isReplayed: true }), row()],
  [undefined, flow({ isUnknown: true }), row({ token_revoked_at: '6' })],
  [undefined, flow({ tokens: [], isUnknown: true }), row()],
  [undefined, flow({ kind: 'unredeemed', tokens: [] }), row(unspent)],
  [
    'a code is lost',
    flow({ kind: 'unredeemed', tokens: [] }),
    row({ ...unspent, code_hash: null }),
  ],
  ['a code was redeemed without a request', flow({ kind: 'unredeemed', tokens: [] }), row()],
] as const) {
  test(`compares flow and row, ${loss ?? 'nothing lost'}: ${Object.keys(fact).join(' ')}`, () => {
    assert.equal(findLoss(fact, found), loss)
  })
}
