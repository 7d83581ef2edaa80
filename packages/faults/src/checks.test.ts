// The checks that several faults share: what they read, and when they see nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesTrace, plainWords, sendsCodeOnce, showsNoUser } from './checks.ts'
import type { Baseline, Check, Seen } from './fault.ts'

const SEEN: Seen = {
  ...{ exchanges: [], authorized: [], tokens: 0, text: '', saidAfterMs: undefined },
  ...{ reported: [], traces: [], wire: [], opensAgain: undefined, facts: {} },
}
const BASELINE: Baseline = {
  ...{ isReady: true, text: 'Dr. Reyes', showsUser: true, hasScreen: true, readyAfterMs: 1 },
}
const judge = (check: Check, seen: Partial<Seen>, baseline: Partial<Baseline> = {}) =>
  check.judge({ ...SEEN, ...seen }, { ...BASELINE, ...baseline }).state

test('fails an app that sends the same code twice, not one with two launches', () => {
  const sent = (...codes: readonly string[]) => codes.map((code, atMs) => ({ code, atMs }))
  assert.equal(judge(sendsCodeOnce, { exchanges: sent('a', 'a') }), 'failed')
  assert.equal(judge(sendsCodeOnce, { exchanges: sent('a', 'b') }), 'passed')
  assert.equal(judge(sendsCodeOnce, {}), 'not_observable')
})

test('finds the trace in the message of the SDK, in its field, or in the page', () => {
  const traces = ['trc_1']
  const failure = { code: 'TOKEN_FETCH_ERROR', message: 'It answered 401 (trace trc_1).' }
  assert.equal(judge(namesTrace, { traces, reported: [failure] }), 'passed')
  const inField = { code: 'x', message: '', traceId: 'trc_1' }
  assert.equal(judge(namesTrace, { traces, reported: [inField] }), 'passed')
  assert.equal(judge(namesTrace, { traces, text: 'For support: trc_1' }), 'passed')
  assert.equal(judge(namesTrace, { traces, text: 'It failed.' }), 'failed')
  assert.equal(judge(namesTrace, { text: 'It failed.' }), 'not_observable')
})

test('reads no words of a worker, and no name where an app shows none', () => {
  assert.equal(judge(plainWords, { text: 'The server said invalid_grant.' }), 'failed')
  assert.equal(judge(plainWords, { text: 'Open it again from the panel.' }), 'passed')
  assert.equal(judge(plainWords, { text: 'invalid_grant' }, { hasScreen: false }), 'not_observable')
  assert.equal(judge(showsNoUser, { facts: { showsUser: true } }), 'failed')
  assert.equal(judge(showsNoUser, {}, { showsUser: false }), 'not_observable')
})
