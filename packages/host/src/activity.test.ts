// Which events count as activity of a person, and how often they are reported; the warning before the
// end and how it is taken back. Contract §3.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ActivityReporter } from './activity.ts'
import { settle, startHost } from './host-fixture.ts'

function startReporter(report: () => Promise<void> = async () => {}) {
  let now = 0
  let count = 0
  const listeners = new Map<string, (event: object) => void>()
  const document = { visibilityState: 'visible' }
  const reporter = new ActivityReporter(
    {
      document,
      addEventListener: (name: string, listener: (event: object) => void) =>
        listeners.set(name, listener),
      removeEventListener: (name: string) => listeners.delete(name),
    } as unknown as Window,
    { now: () => now, after: () => () => {} },
    () => {
      count += 1
      return report()
    },
  )
  return {
    reporter,
    document,
    listeners,
    counted: () => count,
    act: async (name: string, at: number, isTrusted = true) => {
      now = at
      listeners.get(name)?.({ isTrusted })
      await settle()
    },
  }
}

test('reports keys and pointer at most once a minute', async () => {
  const { act, counted } = startReporter()
  await act('keydown', 0)
  await act('pointermove', 30_000)
  await act('pointerdown', 59_999)
  assert.equal(counted(), 1)
  await act('wheel', 60_000)
  assert.equal(counted(), 2)
  await act('keydown', 1)
  assert.equal(counted(), 3, 'the clock was put back')
})

test('takes no event of a script and none of a hidden page for activity', async () => {
  const { act, counted, document } = startReporter()
  await act('keydown', 0, false)
  document.visibilityState = 'hidden'
  await act('pointermove', 1)
  assert.equal(counted(), 0)
  document.visibilityState = 'visible'
  await act('pointermove', 2)
  assert.equal(counted(), 1)
})

test('reports at once while a warning is shown', async () => {
  const { act, counted, reporter } = startReporter()
  await act('keydown', 0)
  reporter.setUrgent(true)
  await act('keydown', 1_000)
  assert.equal(counted(), 2)
})

test('waits ten seconds after a report that failed, and stops with its host', async () => {
  const { act, counted, reporter, listeners } = startReporter(() => Promise.reject(new Error('x')))
  await act('keydown', 0)
  await act('keydown', 9_999)
  assert.equal(counted(), 1)
  await act('keydown', 10_000)
  assert.equal(counted(), 2)
  reporter.stop()
  assert.equal(listeners.size, 0)
})

const idleEvents = (fixture: ReturnType<typeof startHost>) =>
  fixture.events.flatMap((event) => (event.type === 'idle' ? [event.endsAt] : []))

test('passes the warning on, and takes it back when the end has moved', async (t) => {
  const fixture = startHost(t)
  await settle()
  const endsAt = '2026-03-01T12:30:00.000Z'
  await fixture.sendStreamEvent('idle', { endsAt, reason: 'idle' })
  await fixture.sendStreamEvent('idle', { endsAt: '2026-03-01T12:58:00.000Z', reason: 'idle' })
  assert.deepEqual(idleEvents(fixture), [Date.parse(endsAt), null])
})

test('shows no moved end as a warning after it stayed, and warns of it in time', async (t) => {
  const moved = { endsAt: '2026-03-01T13:00:00.000Z', reason: 'idle' } as const
  const fixture = startHost(t, { activity: () => moved })
  await settle()
  const endsAt = '2026-03-01T12:30:00.000Z'
  await fixture.sendStreamEvent('idle', { endsAt, reason: 'idle' })
  await fixture.host.stay()
  await fixture.sendStreamEvent('idle', moved)
  assert.deepEqual(idleEvents(fixture), [Date.parse(endsAt), null], 'the answer came first')
  await fixture.sendStreamEvent('idle', moved)
  assert.deepEqual(idleEvents(fixture).at(-1), Date.parse(moved.endsAt))
})

test('stays by a report of activity, and says when that failed', async (t) => {
  let answer: object | number = { endsAt: '2026-03-01T13:00:00.000Z', reason: 'idle' }
  const fixture = startHost(t, { activity: () => answer })
  await settle()
  const endsAt = '2026-03-01T12:30:00.000Z'
  await fixture.sendStreamEvent('idle', { endsAt, reason: 'idle' })
  await fixture.host.stay()
  assert.deepEqual(idleEvents(fixture), [Date.parse(endsAt), null])
  answer = 0
  await assert.rejects(fixture.host.stay(), { code: 'service_unreachable' })
})

test('waits ten seconds after a failed report also while a warning is shown', async () => {
  const { act, counted, reporter } = startReporter(() => Promise.reject(new Error('offline')))
  reporter.setUrgent(true)
  await act('keydown', 0)
  for (const at of [1, 100, 9_999]) await act('keydown', at)
  assert.equal(counted(), 1)
  await act('keydown', 10_000)
  assert.equal(counted(), 2)
})
