// That the chaos run notices what it is there to notice: invented facts, rows and faults, each with
// one broken promise in it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FlowFact, noFacts } from './facts.ts'
import { openFaultBook } from './faults.ts'
import { type Evidence, judge } from './verdict.ts'
import { findLoss, hashOf, noFindings } from './verify.ts'

const evidence = (changes: Partial<Evidence> = {}): Evidence => ({
  facts: noFacts(),
  findings: noFindings(),
  faults: [],
  unexplained: [],
  neverEnded: 0,
  notDone: [],
  ...changes,
})
const brokenBy = (changes: Partial<Evidence>) =>
  judge(evidence(changes)).flatMap(({ promise, isKept }) => (isKept ? [] : promise))

test('a run without a fault keeps every promise', () => {
  assert.deepEqual(brokenBy({}), [])
  const fault = { name: 'node 0 killed', atMs: 1, inFlight: 3, exposed: 4, failed: 4 }
  assert.deepEqual(brokenBy({ faults: [fault] }), [])
})

for (const [promise, changes] of [
  ['no code buys two tokens', { findings: { ...noFindings(), doubleIssues: ['lau_1'] } }],
  ['nothing acknowledged is lost', { findings: { ...noFindings(), lost: ['a launch is lost'] } }],
  ['a launch fails only when it was in flight at a fault', { unexplained: ['launch: cut'] }],
  [
    'a launch fails only when it was in flight at a fault',
    { faults: [{ name: 'node 0 killed', atMs: 1, inFlight: 3, exposed: 4, failed: 5 }] },
  ],
  ['every ID token verifies', { facts: { ...noFacts(), badIdTokens: ['no matching key'] } }],
  ['every ID token verifies', { findings: { ...noFindings(), badIdTokens: ['by node 1'] } }],
  [
    'every node sees at once what any node acknowledged',
    { facts: { ...noFacts(), staleReads: ['a revoked token was alive'] } },
  ],
  [
    'every answer is the right one, or 503 with Retry-After',
    { facts: { ...noFacts(), surprises: ['token: HTTP/1.1 500'] } },
  ],
  ['every launch comes to an end', { neverEnded: 1 }],
  ['everything planned was carried out', { notDone: ['key: the command failed'] }],
  [
    'everything planned was carried out',
    { findings: { ...noFindings(), unfinished: ['verifyRows: gone'] } },
  ],
] satisfies [string, Partial<Evidence>][]) {
  test(`is noticed: ${JSON.stringify(changes).replaceAll(/"\w+":(\[\]|\{\}|0),?/g, '')}`, () => {
    assert.deepEqual(brokenBy(changes), [promise])
  })
}

test('counts a failure for a fault only if the launch was in flight at the fault', async () => {
  const book = openFaultBook()
  const [before, within, after] = [{}, {}, {}]
  const fault = book.begin('node 0 killed', 0, [before])
  book.started(within)
  await fault.end()
  book.started(after)
  book.failed(before, 'cut')
  book.failed(within, 'cut')
  book.failed(after, 'cut, and nobody knows why')
  assert.deepEqual(book.faults, [
    { name: 'node 0 killed', atMs: 0, inFlight: 1, exposed: 2, failed: 2 },
  ])
  assert.deepEqual(book.unexplained, ['cut, and nobody knows why'])
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
  ['a token was revoked by nobody', flow(), row({ token_revoked_at: '6' })],
  [undefined, flow({ kind: 'revoked' }), row({ token_revoked_at: '6' })],
  ['a revocation is lost', flow({ isRevoked: true }), row()],
  ['a replay left the token alive', flow({ isReplayed: true }), row()],
  [undefined, flow({ isUnknown: true }), row({ token_revoked_at: '6' })],
  [undefined, flow({ tokens: [], isUnknown: true }), row()],
  [undefined, flow({ kind: 'held', tokens: [] }), row(unspent)],
  ['a code is lost', flow({ kind: 'held', tokens: [] }), row({ ...unspent, code_hash: null })],
  ['a code was spent by nobody', flow({ kind: 'held', tokens: [] }), row()],
] as const) {
  test(`compares flow and row, ${loss ?? 'nothing lost'}: ${Object.keys(fact).join(' ')}`, () => {
    assert.equal(findLoss(fact, found), loss)
  })
}
