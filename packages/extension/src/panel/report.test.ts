// What a report of a problem names: the launch, the trace, the versions and the line of the user.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostEvent, OpenFrame } from '@chartside/host'
import { browserVersion } from '../host-version.ts'
import type { PanelState } from '../messages.ts'
import type { PanelInput } from './panel-view.ts'
import { buildProblem, findPractice, formatReport, listReport, MAX_LINE_LENGTH } from './report.ts'
import { applyEvent, emptySlot, type Slot } from './slots.ts'

const NOW = Date.UTC(2026, 10, 21, 23, 21, 24)
const frame = { launch: { id: 'lau_1', app: { id: 'app_1' } } } as unknown as OpenFrame
const event = (details: object) => ({ ...details, frame, launch: 'lau_1' }) as HostEvent

const opened = applyEvent(emptySlot('app_1', 'Visit Notes'), event({ type: 'opened' }), NOW)
const hello = event({ type: 'handshake', version: 1, sdkVersion: '1.4.0' })
const ready: Slot = { ...applyEvent(opened, hello, NOW), state: { kind: 'ready' } }

const APP = { id: 'app_1', name: 'Visit Notes', kinds: ['ui' as const], autoLaunch: true }
const STATE: PanelState = {
  view: {
    kind: 'session',
    sessionId: 'ses_1',
    ehrName: 'Meadow EHR',
    practice: { id: 'acc_1', name: 'Lakeside' },
    apps: [APP],
    workers: [],
  },
  person: null,
  isOffline: false,
  signsOutAt: null,
}

const VERSIONS = { host: 'Extension 2.0.0', browser: 'Chrome 156' }

const inputOf = (...slots: Slot[]): PanelInput => ({
  ...{ state: STATE, slots, chosen: 'app_1', unfolded: null, now: NOW },
})
const reportOf = (...slots: Slot[]) =>
  formatReport(listReport(inputOf(...slots), VERSIONS), '').split('\n')

test('names launch and versions in the report of an app that is ready', () => {
  const lines = reportOf(ready)
  assert.ok(lines.includes('Launch: lau_1'), lines.join())
  assert.ok(lines.includes('Versions: Extension 2.0.0, SDK 1.4.0, Chrome 156'), lines.join())
  assert.ok(!lines.some((line) => line.startsWith('Trace')), lines.join())
})

test('names the trace of the last step that has one, where the host saw none', () => {
  const step = (traceId?: string) => ({ step: 'exchange', traceId }) as unknown as Slot['steps'][0]
  const steps = [step('trace_1'), step('trace_2'), step()]
  assert.ok(reportOf({ ...ready, steps }).includes('Trace: trace_2'))
  assert.ok(reportOf({ ...ready, steps, traceId: 'trace_host' }).includes('Trace: trace_host'))
})

test('names no launch and no SDK before there are any', () => {
  assert.deepEqual(reportOf(), [
    'EHR: Meadow EHR',
    'Practice: Lakeside',
    'Versions: Extension 2.0.0, Chrome 156',
  ])
  const relaunched = applyEvent(ready, event({ type: 'opened' }), NOW)
  assert.ok(reportOf(relaunched).includes('Versions: Extension 2.0.0, Chrome 156'))
})

test('puts the line of the user first, as one line with a bound', () => {
  const facts = [{ name: 'App', value: 'Visit Notes' }]
  assert.equal(
    formatReport(facts, ' It  closed\nLaunch: x '),
    'It closed Launch: x\nApp: Visit Notes',
  )
  const [line] = formatReport(facts, 'a'.repeat(400)).split('\n')
  assert.equal(line?.length, MAX_LINE_LENGTH)
  assert.equal(formatReport(facts, '  '), 'App: Visit Notes')
})

test('sends the administrators launch, trace, versions and the line, and no more', () => {
  const input = inputOf({ ...ready, traceId: '4bf92f3577b34da65f0c2d7e9b1a4c68' })
  assert.equal(findPractice(input), 'acc_1')
  assert.deepEqual(buildProblem(input, VERSIONS, ' It  closed '), {
    ...{
      message: 'It closed',
      appId: 'app_1',
      launchId: 'lau_1',
      traceId: '4bf92f3577b34da65f0c2d7e9b1a4c68',
    },
    versions: { host: 'Extension 2.0.0', sdk: '1.4.0', browser: 'Chrome 156' },
  })
  const bare = buildProblem(inputOf(), { host: 'Extension 2.0.0', browser: '' }, ' ')
  assert.deepEqual(bare, { versions: { host: 'Extension 2.0.0' } })
  const named = buildProblem(inputOf({ ...ready, traceId: 'a text of the app' }), VERSIONS, '')
  assert.equal('traceId' in named, false, 'an app may name any text')
  assert.equal(findPractice({ ...input, state: null }), null)
})

test('names the browser by its brand and major version', () => {
  const chrome = 'Mozilla/5.0 (Windows) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36'
  assert.equal(browserVersion(chrome), 'Chrome 156')
  assert.equal(browserVersion(`${chrome} Edg/156.0.1.2`), 'Edge 156')
  assert.equal(browserVersion('Other'), '')
})
