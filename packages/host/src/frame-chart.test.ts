// The chart guard in a host: what the frame, the app, the page and the service see of a change.
// chart-guard.test.ts has the rules. Contract §11; security V40.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChartChangePolicy } from '@chartside/protocol/charts'
import type { EhrSession } from '@chartside/protocol/launch'
import { openReady, settle, startHost } from './host-fixture.ts'

const REST_MS = 250
const ANSWER_MS = 10_000

const sessionWith = (onChartChange?: ChartChangePolicy): Partial<EhrSession> => ({
  apps: [
    {
      ...{ id: 'app_1', name: 'Visit Notes', kinds: ['ui'], autoLaunch: false },
      ...(onChartChange ? { onChartChange } : {}),
    },
  ],
})

/** Beside chart A, with its first `chart` message. */
async function openBeside(
  t: Parameters<typeof startHost>[0],
  policy?: ChartChangePolicy,
  isOffline = () => false,
  session: Partial<EhrSession> = {},
) {
  const fixture = startHost(t, {}, isOffline, { ...sessionWith(policy), ...session })
  fixture.host.setChart('patient-A')
  const { frame, app } = await openReady(fixture)
  await until(() => app.received.length === 2)
  const charts = () => app.received.filter(isChart)
  const lines = () =>
    fixture.calls.flatMap(({ route, body }) => {
      const { step, chart } = route === 'steps' ? JSON.parse(body) : {}
      return step === 'chart_changed' ? [chart] : []
    })
  const answer = (seq: number) => app.port?.postMessage({ type: 'chart_shown', seq })
  return { fixture, frame, app, charts, lines, answer }
}

const isChart = (message: unknown): message is { seq: number; ref: string } =>
  (message as { type: string }).type === 'chart'

/** References come from the crypto threads of the process. */
async function until(isMet: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !isMet(); tries += 1) await sleep(5)
  assert.ok(isMet())
}

const opacityOf = ({ element }: { element: HTMLIFrameElement }) => element.style.opacity

test('hides the frame in the turn of the change, and says so [V40]', async (t) => {
  const { fixture, frame } = await openBeside(t)
  assert.deepEqual([opacityOf(frame), frame.chart.kind], ['', 'shown'])
  fixture.host.setChart('patient-B')
  assert.deepEqual([opacityOf(frame), frame.element.inert], ['0', true])
  assert.partialDeepStrictEqual(fixture.events.at(-1), {
    ...{ type: 'chart', launch: 'lau_1', chart: { kind: 'changing', isChartOpen: true } },
  })
})

test('ends the launch with chart_changed and opens the app for the new chart', async (t) => {
  const { fixture, frame, app, lines } = await openBeside(t)
  fixture.host.setChart('patient-B')
  await fixture.advance(REST_MS)
  await settle()
  assert.deepEqual(fixture.ended, ['/api/launches/lau_1?reason=chart_changed'])
  assert.deepEqual(app.received.at(-1), { type: 'ended', reason: 'chart_changed' })
  assert.equal(frame.launch.id, 'lau_2')
  assert.deepEqual([opacityOf(frame), frame.chart.kind], ['', 'shown'])
  assert.partialDeepStrictEqual(fixture.events.at(-1), { because: 'chart_changed' })
  assert.deepEqual(lines(), [{ change: 1, handled: 'relaunch' }])
  const next = fixture.sendHello(frame.element.contentWindow, 'nonce_next')
  next.port?.postMessage({ type: 'token', accessToken: 'at_2' })
  await until(() => next.received.some(isChart))
  const [before, after] = [app.received, next.received].map((all) => all.find(isChart))
  assert.notEqual(before?.ref, after?.ref)
  assert.deepEqual(lines().at(-1), { change: 1, handled: 'relaunch', shownMs: REST_MS })
})

test('gives the same chart the same reference, and an app nothing of its name [V40]', async (t) => {
  const { fixture, charts, app, answer } = await openBeside(t, 'event')
  answer(1)
  await settle()
  for (const [chart, seq] of [
    ['patient-B', 2],
    ['patient-A', 3],
    [null, 4],
  ] as const) {
    fixture.host.setChart(chart)
    await fixture.advance(REST_MS)
    await until(() => charts().length === seq)
    answer(seq)
    await settle()
  }
  const [first, second, third, fourth] = charts().map(({ ref }) => ref)
  assert.equal(first, third)
  assert.notEqual(first, second)
  assert.equal(fourth, null)
  assert.doesNotMatch(JSON.stringify([app.received, fixture.calls]), /patient/)
})

test('sends no chart that a newer one has overtaken [V40]', async (t) => {
  const { fixture, charts, answer } = await openBeside(t, 'event')
  answer(1)
  await settle()
  const { sign } = crypto.subtle
  const waiting: (() => void)[] = []
  t.mock.method(crypto.subtle, 'sign', async (...of: Parameters<typeof sign>) => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    return sign.apply(crypto.subtle, of)
  })
  for (const chart of ['patient-B', 'patient-C']) {
    fixture.host.setChart(chart)
    await fixture.advance(REST_MS)
  }
  await until(() => waiting.length === 2)
  for (const resume of waiting) resume()
  await until(() => charts().at(-1)?.seq === 3)
  assert.deepEqual(
    charts().map(({ seq }) => seq),
    [1, 3],
  )
})

test('uncovers an app once it has switched to the newest chart', async (t) => {
  const { fixture, frame, charts, lines, answer } = await openBeside(t, 'event')
  answer(1)
  await settle()
  fixture.host.setChart('patient-B')
  await fixture.advance(REST_MS)
  await until(() => charts().length === 2)
  answer(1)
  await settle()
  assert.equal(opacityOf(frame), '0')
  answer(2)
  await settle()
  assert.equal(opacityOf(frame), '')
  assert.deepEqual(lines(), [{ change: 1, handled: 'event', shownMs: REST_MS }])
})

test('lets the person decide over an app that does not answer', async (t) => {
  const { fixture, frame, lines } = await openBeside(t, 'event')
  fixture.host.setChart('patient-B')
  await fixture.advance(ANSWER_MS)
  assert.deepEqual([opacityOf(frame), frame.chart.kind], ['0', 'covered'])
  frame.goOnWithEarlierChart()
  assert.deepEqual([opacityOf(frame), frame.chart.kind], ['', 'earlier'])
  fixture.host.setChart('patient-C')
  assert.equal(opacityOf(frame), '0')
  await fixture.advance(REST_MS)
  frame.openForChart()
  await settle()
  assert.deepEqual([opacityOf(frame), frame.launch.id], ['', 'lau_2'])
  assert.deepEqual(
    lines().map(({ handled }) => handled),
    ['cover', 'cover', 'cover', 'relaunch'],
  )
})

test('keeps unsaved work covered, with its launch, until the first chart is back', async (t) => {
  const { fixture, frame, app } = await openBeside(t)
  app.port?.postMessage({ type: 'unsaved', isUnsaved: true })
  await settle()
  const { element } = frame
  fixture.host.setChart('patient-B')
  await fixture.advance(REST_MS)
  await settle()
  assert.deepEqual([opacityOf(frame), fixture.ended], ['0', []])
  fixture.host.setChart('patient-A')
  await fixture.advance(REST_MS)
  assert.equal(opacityOf(frame), '')
  assert.equal(frame.element, element)
})

test('covers an app while the service is away, with its launch alive', async (t) => {
  let isOffline = false
  const { fixture, frame } = await openBeside(t, 'relaunch', () => isOffline)
  isOffline = true
  fixture.host.setChart('patient-B')
  await fixture.advance(REST_MS)
  await settle()
  assert.deepEqual([opacityOf(frame), frame.chart.kind], ['0', 'covered'])
  assert.deepEqual(fixture.ended, [])
})

test('leaves an app as it was when the chart flips, with one line', async (t) => {
  const { fixture, frame, lines } = await openBeside(t)
  fixture.host.setChart('patient-B')
  await fixture.advance(100)
  fixture.host.setChart('patient-A')
  await fixture.advance(REST_MS)
  assert.deepEqual([opacityOf(frame), frame.launch.id], ['', 'lau_1'])
  assert.deepEqual(lines(), [{ change: 1, handled: 'returned', shownMs: 350 }])
})

test('discards a launch that comes when the first chart is back', async (t) => {
  let onCall = () => {}
  const { fixture, frame, lines } = await openBeside(t, 'relaunch', () => {
    onCall()
    return false
  })
  const { element } = frame
  onCall = () => fixture.host.setChart('patient-A')
  fixture.host.setChart('patient-B')
  await fixture.advance(REST_MS)
  await settle()
  assert.deepEqual([frame.launch.id, frame.element, opacityOf(frame)], ['lau_1', element, ''])
  assert.deepEqual(fixture.ended, ['/api/launches/lau_2'])
  assert.deepEqual(lines(), [{ change: 1, handled: 'returned', shownMs: REST_MS }])
})

test('changes nothing while the practice observes, but writes a line', async (t) => {
  const ehr = { ehrType: 'meadow', name: 'Meadow', matches: [], chartMode: 'observe' } as const
  const fixture = startHost(t, {}, () => false, { ...sessionWith(), ehr })
  fixture.host.setChart('patient-A')
  const { frame, app } = await openReady(fixture)
  fixture.host.setChart('patient-B')
  assert.equal(opacityOf(frame), '')
  await fixture.advance(REST_MS)
  await settle()
  assert.equal(app.received.some(isChart), false)
  assert.deepEqual([frame.launch.id, fixture.ended], ['lau_1', []])
  assert.match(JSON.stringify(fixture.calls.map(({ body }) => body)), /observe/)
})

test('ends a Worker app that may not be launched for the next chart', async (t) => {
  let isRefused = false
  const app = { id: 'app_1', name: 'Visit Notes', origins: ['https://notes.example'] }
  const launch = { id: 'lau_1', launchId: 'lnch_1', launchUrl: `${app.origins[0]}/`, app }
  const fixture = startHost(t, {
    launches: () => (isRefused ? 409 : { ...launch, seed: { sessionId: 'ses_1' } }),
  })
  fixture.host.setChart('patient-A')
  const mount = { append: () => {} } as never
  await fixture.host.open({ appId: 'app_1', kind: 'worker', mount })
  isRefused = true
  fixture.host.setChart('patient-B')
  await fixture.advance(REST_MS)
  await settle()
  assert.partialDeepStrictEqual(fixture.events.at(-1), { type: 'ended', reason: 'chart_changed' })
  assert.deepEqual(fixture.ended, ['/api/launches/lau_1?reason=chart_changed'])
})
