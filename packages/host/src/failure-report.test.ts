// What the host makes of failures that a page reports: from whom, how many, and what the launch and
// the service get of it. Contract §5; security X01, X02, X06.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildFailureReport } from '@chartside/protocol/failure-report'
import { APP, openReady, settle, startHost } from './host-fixture.ts'

const FIELDS = {
  code: 'exchange_refused',
  message: 'The service refused the exchange.',
  fix: 'Set the current secret.',
  traceId: 'trace_1',
}
const REPORT = buildFailureReport(FIELDS)

type Fixture = ReturnType<typeof startHost>
const failedSteps = ({ calls }: Fixture) =>
  calls
    .filter(({ route }) => route === 'steps')
    .map(({ body }) => JSON.parse(body))
    .filter(({ outcome }) => outcome === 'failed')
const ignoredReasons = ({ events }: Fixture) =>
  events.flatMap((event) => (event.type === 'ignored' ? [event.reason] : []))

test('puts a reported failure on the launch at once, and no guess after it', async (t) => {
  const fixture = startHost(t)
  const frame = await fixture.open()
  fixture.sendMessage(frame.element.contentWindow, REPORT)
  assert.deepEqual(fixture.events.at(-1), {
    type: 'refused',
    by: 'page',
    step: 'handshake',
    ...FIELDS,
    frame,
    launch: 'lau_1',
  })
  await fixture.advance(10_000)
  assert.ok(!fixture.listEventTypes().includes('hello_timeout'))
  assert.deepEqual(failedSteps(fixture), [
    {
      step: 'handshake',
      outcome: 'failed',
      code: 'EXCHANGE_REFUSED',
      detail: `${FIELDS.message} ${FIELDS.fix} Trace trace_1.`,
    },
  ])
})

test('puts a failure after the hello on the step after it', async (t) => {
  const fixture = startHost(t)
  const { frame } = await openReady(fixture)
  fixture.sendMessage(frame.element.contentWindow, REPORT)
  await settle()
  assert.equal(failedSteps(fixture)[0]?.step, 'context')
})

test('answers a hello after a reported failure', async (t) => {
  const fixture = startHost(t)
  const frame = await fixture.open()
  fixture.sendMessage(frame.element.contentWindow, REPORT)
  const { answer } = fixture.sendHello(frame.element.contentWindow, 'nonce_1')
  assert.equal(answer?.type, 'chartside:welcome')
})

test('drops a report of an origin that is not of the app [X01]', async (t) => {
  const fixture = startHost(t)
  const { contentWindow } = (await fixture.open()).element
  for (const origin of ['https://evil.example', `${APP}.evil`, 'null']) {
    fixture.sendMessage(contentWindow, REPORT, origin)
  }
  await settle()
  assert.deepEqual(ignoredReasons(fixture), ['wrong_origin', 'wrong_origin', 'wrong_origin'])
  assert.deepEqual(failedSteps(fixture), [])
})

test('drops reports of other windows without an event [X01]', async (t) => {
  const fixture = startHost(t)
  await fixture.open()
  for (let time = 0; time < 2_000; time += 1) fixture.sendMessage({}, REPORT)
  fixture.sendMessage(null, REPORT)
  assert.deepEqual(fixture.listEventTypes(), ['opened'])
})

test('drops a report that is not one [X02]', async (t) => {
  const fixture = startHost(t)
  const { contentWindow } = (await fixture.open()).element
  for (const fields of [{ code: '<b>' }, { code: 5 }, { message: 'x'.repeat(1_000_000) }]) {
    fixture.sendMessage(contentWindow, { ...REPORT, ...fields })
  }
  await settle()
  assert.deepEqual(ignoredReasons(fixture), ['malformed', 'malformed', 'malformed'])
  assert.deepEqual(failedSteps(fixture), [])
})

test('counts each code once, and ten of 5,000 reports of one launch [X02]', async (t) => {
  const fixture = startHost(t)
  const { contentWindow } = (await fixture.open()).element
  const alphabet = 'abcdefghijklmnopqrstuvwxyz'
  for (let time = 0; time < 5_000; time += 1) {
    fixture.sendMessage(contentWindow, REPORT)
    fixture.sendMessage(contentWindow, { ...REPORT, code: `code_${alphabet[time % 26]}` })
  }
  await settle()
  assert.equal(failedSteps(fixture).length, 6)
  assert.deepEqual(ignoredReasons(fixture), ['too_many_failures'])
})

test('counts reports again for the next launch, and none of one that ended', async (t) => {
  const fixture = startHost(t)
  const { frame } = await openReady(fixture)
  for (let time = 0; time < 20; time += 1) fixture.sendMessage(frame.element.contentWindow, REPORT)
  await frame.reload()
  fixture.sendMessage(frame.element.contentWindow, REPORT)
  await fixture.sendStreamEvent('ended', { reason: 'signed_out' })
  fixture.sendMessage(frame.element.contentWindow, { ...REPORT, code: 'late' })
  await settle()
  assert.equal(failedSteps(fixture).length, 2)
})

test('adds nothing to a refusal that the service recorded with the same trace id', async (t) => {
  const fixture = startHost(t)
  const frame = await fixture.open()
  const refused = {
    ...{ step: 'authorize', outcome: 'failed', at: new Date(0).toISOString() },
    ...{ code: 'access_denied', reason: 'launch_used', traceId: FIELDS.traceId },
  } as const
  await fixture.sendStreamEvent('launch', { id: 'lau_1', state: 'opened', steps: [refused] })
  await settle()
  fixture.sendMessage(frame.element.contentWindow, REPORT)
  await fixture.advance(10_000)
  assert.deepEqual(failedSteps(fixture), [])
  assert.ok(!fixture.listEventTypes().includes('hello_timeout'))
  fixture.sendMessage(frame.element.contentWindow, { ...REPORT, traceId: 'trace_2' })
  await settle()
  assert.equal(failedSteps(fixture).length, 1)
})

test('names the foreign origin of the page when no hello comes', async (t) => {
  const fixture = startHost(t)
  const { contentWindow } = (await fixture.open()).element
  fixture.sendMessage(contentWindow, REPORT, 'https://elsewhere.example')
  await fixture.advance(10_000)
  assert.match(
    failedSteps(fixture)[0]?.detail,
    /on https:\/\/elsewhere\.example, which is not an origin/,
  )
})
