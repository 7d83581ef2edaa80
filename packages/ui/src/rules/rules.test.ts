// The rules behind the parts: focus, tabs that fit, times, secrets cut, differences, waterfall.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diffLines } from './diff-lines.ts'
import { sortChecks, sortFaults } from './fault-words.ts'
import { fitTabs } from './fit-tabs.ts'
import { findByFirstCharacter, nextFocus, placeOfDigit } from './focus-moves.ts'
import { redactText } from './redact.ts'
import { placeSpans } from './spans.ts'
import { describeState } from './states.ts'
import { formatCountdown, formatDuration, formatMoment, formatTime, formatUtc } from './times.ts'

const AT = Date.UTC(2026, 10, 21, 23, 21, 24, 865)
const NEW_YORK = { timeZone: 'America/New_York' }

test('writes durations in the unit that fits', () => {
  const written = [0, 6, 999, 999.9, 1396, 10_107, 59_990, 200_000, 3_600_000, 7_500_000]
  assert.deepEqual(written.map(formatDuration), [
    '0 ms',
    '6 ms',
    '999 ms',
    '1 s',
    '1.4 s',
    '10.1 s',
    '1 min',
    '3 min 20 s',
    '1 h',
    '2 h 5 min',
  ])
})

test('writes a moment in local time with its zone, and in UTC', () => {
  assert.equal(formatTime(AT, NEW_YORK), '6:21:24 PM EST')
  assert.equal(formatMoment(AT, AT + 1000, NEW_YORK), '6:21:24 PM EST')
  assert.equal(formatMoment(AT, AT + 86_400_000, NEW_YORK), 'Nov 21, 6:21:24 PM EST')
  assert.equal(formatMoment(AT, AT + 60 * 86_400_000, NEW_YORK), 'Nov 21, 2026, 6:21:24 PM EST')
  assert.equal(formatUtc(AT), '2026-11-21 23:21:24.865 UTC')
})

test('counts down in minutes and seconds, never below zero', () => {
  assert.deepEqual([581_000, 9_400, 0, -5].map(formatCountdown), ['9:41', '0:10', '0:00', '0:00'])
})

test('cuts every kind of secret and keeps what tells two apart', () => {
  const jwt = `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c2VyIn0.${'s'.repeat(40)}abcd`
  const text = [
    `code_01m8qkzv3n5t7w9y2a4c6e${'x'.repeat(39)}wxyz`,
    jwt,
    '"client_secret": "hunter2"',
    'password=open sesame&code_verifier=v',
    '{"password": "open \\"sesame", "a": 1}',
    'Authorization: Bearer 0123456789abcdefEND1',
    'client_id: cli_9f3c21ab',
  ].join('\n')
  assert.equal(
    redactText(text),
    [
      'code_…wxyz',
      '…abcd',
      '"client_secret": "…"',
      'password=…&code_verifier=…',
      '{"password": "…", "a": 1}',
      'Authorization: Bearer …END1',
      'client_id: cli_9f3c21ab',
    ].join('\n'),
  )
})

test('leaves a secret that the service has cut as the service wrote it', () => {
  const kept = '"client_secret": "cs_… (67 characters)"'
  assert.equal(redactText(kept), kept)
  assert.equal(redactText('client_secret=… (9 characters)'), 'client_secret=… (9 characters)')
})

test('cuts nothing of the line after a secret that is empty', () => {
  const settings = 'CLIENT_SECRET=\nPUBLIC_URL=https://notes.example\npassword: \r\nnext: 1'
  assert.equal(redactText(settings), settings)
})

test('tells what stays, what goes and what comes, in reading order', () => {
  const lines = diffLines(['a', 'b', 'c'], ['a', 'x', 'c', 'd'])
  assert.deepEqual(
    lines.map(({ kind, text }) => `${kind} ${text}`),
    ['same a', 'removed b', 'added x', 'same c', 'added d'],
  )
  assert.deepEqual(diffLines([], []), [])
})

test('moves the focus around a row, and names a place by its digit', () => {
  assert.equal(nextFocus('ArrowRight', 3, 4, 'row'), 0)
  assert.equal(nextFocus('ArrowLeft', 0, 4, 'row'), 3)
  assert.equal(nextFocus('ArrowDown', 0, 4, 'row'), null)
  assert.equal(nextFocus('End', 0, 4, 'list'), 3)
  assert.equal(nextFocus('Home', 0, 0, 'list'), null)
  assert.deepEqual(
    ['1', '4', '5', '0', 'a'].map((key) => placeOfDigit(key, 4)),
    [0, 3, null, null, null],
  )
  assert.equal(findByFirstCharacter('r', 1, ['Report', 'Reload', 'Sign out']), 0)
  assert.equal(findByFirstCharacter('x', 0, ['Report']), null)
})

test('shows all tabs that fit and always the open one, six at most', () => {
  assert.deepEqual(fitTabs(4, 0, 320).hidden, [])
  assert.deepEqual(fitTabs(6, 0, 324).hidden, [])
  assert.deepEqual(fitTabs(7, 0, 600), { shown: [0, 1, 2, 3, 4, 5], hidden: [6] })
  assert.deepEqual(fitTabs(8, 7, 600), { shown: [0, 1, 2, 3, 4, 7], hidden: [5, 6] })
  assert.deepEqual(fitTabs(6, 5, 260), { shown: [0, 1, 5], hidden: [2, 3, 4] })
  assert.deepEqual(fitTabs(2, 1, 60), { shown: [1], hidden: [0] })
  assert.deepEqual(fitTabs(0, 0, 320), { shown: [], hidden: [] })
})

test('places spans on a round scale and those that never happened after the last', () => {
  const { scaleMs, ticks, spans, shares } = placeSpans([
    { id: 'a', name: 'a', party: 'host', startMs: 0, durationMs: 157, usualMs: 140 },
    { id: 'b', name: 'b', party: 'page', startMs: 157, durationMs: 443 },
    { id: 'c', name: 'c', party: 'host', startMs: null, durationMs: 0, usualMs: 100 },
  ])
  assert.equal(scaleMs, 1000)
  assert.deepEqual(ticks, [0, 200, 400, 600, 800])
  assert.deepEqual(
    spans.map(({ offset, width, usualAt }) => [offset, width, usualAt]),
    [
      [0, 15.7, 14],
      [15.7, 44.3, null],
      [60, 10, null],
    ],
  )
  assert.deepEqual(
    shares.map(({ party, ms }) => [party, ms]),
    [
      ['host', 157],
      ['page', 443],
    ],
  )
})

test('describes a state with the step that failed or why it ended', () => {
  assert.equal(describeState('failed', 'Exchange'), 'Failed at Exchange')
  assert.equal(describeState('ended', 'signed out'), 'Ended (signed out)')
  assert.equal(describeState('ready', 'late'), 'Ready, late')
  assert.equal(describeState('ready'), 'Ready')
})

test('puts what failed before what passed and what was not seen', () => {
  const check = (state: 'passed' | 'failed' | 'not_observable') => ({
    ...{ name: state, part: 'safety' as const, title: '', evidence: '', state },
  })
  const sorted = sortChecks([check('not_observable'), check('passed'), check('failed')])
  assert.deepEqual(
    sorted.map(({ name }) => name),
    ['failed', 'passed', 'not_observable'],
  )
  const fault = (outcome: 'handled' | 'partly' | 'not_handled' | 'not_observable') => ({
    ...{ name: outcome, step: 'launch' as const, title: '', tookMs: 1, checks: [], outcome },
  })
  const faults = sortFaults([fault('not_observable'), fault('partly'), fault('not_handled')])
  assert.deepEqual(
    faults.map(({ name }) => name),
    ['not_handled', 'partly', 'not_observable'],
  )
})
