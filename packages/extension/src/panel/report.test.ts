// What a report of a problem names: the launch, the trace, the versions and the line of the user.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostEvent, OpenFrame } from '@chartside/host'
import type { PanelState } from '../messages.ts'
import type { PanelInput } from './panel-view.ts'
import { formatReport, listReport, MAX_LINE_LENGTH } from './report.ts'
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

const reportOf = (...slots: Slot[]) => {
  const input: PanelInput = { state: STATE, slots, chosen: 'app_1', unfolded: null, now: NOW }
  return formatReport(listReport(input, 'Extension 2.0.0'), '').split('\n')
}

test('names launch and versions in the report of an app that is ready', () => {
  const lines = reportOf(ready)
  assert.ok(lines.includes('Launch: lau_1'), lines.join())
  assert.ok(lines.includes('Versions: Extension 2.0.0, SDK 1.4.0'), lines.join())
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
    'Versions: Extension 2.0.0',
  ])
  const relaunched = applyEvent(ready, event({ type: 'opened' }), NOW)
  assert.ok(reportOf(relaunched).includes('Versions: Extension 2.0.0'))
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
