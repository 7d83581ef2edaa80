// The slots of UI apps: what events of the host change in them, and what is announced.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostEvent, OpenFrame } from '@chartside/host'
import { announce } from './announcement.ts'
import {
  applyEvent,
  applyState,
  emptySlot,
  endSlot,
  refuseSlot,
  requestSlot,
  type Slot,
} from './slots.ts'

const NOW = 1_000_000
const frame = { launch: { id: 'lau_1', app: { id: 'app_1' } } } as unknown as OpenFrame
const event = (details: object, launch = 'lau_1') => ({ ...details, frame, launch }) as HostEvent
const run = (slot: Slot, ...events: HostEvent[]) =>
  events.reduce((current, one, index) => applyEvent(current, one, NOW + index), slot)

const requested = requestSlot(emptySlot('app_1', 'Visit Notes'), NOW)

test('counts the time to open from the request of the person', () => {
  const slot = run({ ...requested, openingSince: NOW - 700 }, event({ type: 'opened' }))
  assert.equal(slot.openingSince, NOW - 700)
  assert.equal(slot.launchId, 'lau_1')
  assert.equal(run(slot, event({ type: 'context', tokenExpiresAt: null })).openingSince, null)
})

test('forgets unsaved work and the renewal with the document that had them', () => {
  const before = run(
    requested,
    event({ type: 'opened' }),
    event({ type: 'unsaved_work', isUnsaved: true }),
    event({ type: 'expiring', inSeconds: 60 }),
  )
  assert.deepEqual([before.hasUnsavedWork, before.renewsAt], [true, NOW + 2 + 60_000])
  const after = run(
    before,
    event({ type: 'opened' }, 'lau_2'),
    event({ type: 'relaunched', previous: 'lau_1', because: 'expired' }, 'lau_2'),
  )
  assert.deepEqual(
    [after.hasUnsavedWork, after.renewsAt, after.isRenewing, after.launchId],
    [false, null, true, 'lau_2'],
  )
  assert.equal(
    run(after, event({ type: 'context', tokenExpiresAt: null }, 'lau_2')).isRenewing,
    false,
  )
})

test('ignores the states of an earlier launch', () => {
  const slot = run(requested, event({ type: 'opened' }, 'lau_2'))
  assert.equal(
    applyState(slot, 'lau_1', { kind: 'ended', hasHello: true, reason: 'expired' }, NOW),
    slot,
  )
  const ready = applyState(slot, 'lau_2', { kind: 'ready' }, NOW)
  assert.equal(ready.state.kind, 'ready')
})

test('keeps the moment at which a launch was first over', () => {
  const slot = run(requested, event({ type: 'opened' }))
  const ended = applyState(
    slot,
    'lau_1',
    { kind: 'ended', hasHello: true, reason: 'expired' },
    NOW + 5,
  )
  const again = applyState(
    ended,
    'lau_1',
    { kind: 'ended', hasHello: true, reason: 'closed' },
    NOW + 9,
  )
  assert.equal(again.overSince, NOW + 5)
  assert.equal(endSlot(again, NOW + 20), again)
})

test('tells an app that is switched off from one that could not be launched', () => {
  const refuse = (code: string) =>
    refuseSlot(requested, { code, message: 'No.', traceId: 'a81c' }, NOW)
  assert.equal(refuse('app_not_available').state.kind, 'disabled')
  const failed = refuse('service_unreachable')
  assert.equal(failed.state.kind, 'failed')
  assert.equal(failed.traceId, 'a81c')
})

test('announces ready, failed and ended, and no step between', () => {
  const at = (slot: Slot) => ({ state: null, slots: [slot] })
  const opened = run(requested, event({ type: 'opened' }))
  const ready = applyState(opened, 'lau_1', { kind: 'ready' }, NOW)
  const ended = applyState(
    ready,
    'lau_1',
    { kind: 'ended', hasHello: true, reason: 'expired' },
    NOW,
  )
  const closed = applyState(
    ready,
    'lau_1',
    { kind: 'ended', hasHello: true, reason: 'closed' },
    NOW,
  )
  assert.equal(announce({ state: null, slots: [] }, at(requested)), '')
  assert.equal(announce(at(requested), at(opened)), '')
  assert.equal(announce(at(opened), at(ready)), 'Visit Notes is ready.')
  assert.equal(announce(at(ready), at(ready)), '')
  assert.equal(announce(at(ready), at(ended)), 'Visit Notes has ended.')
  assert.equal(announce(at(ready), at(closed)), '')
})
