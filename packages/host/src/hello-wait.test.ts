// How long the host waits for a hello: slow words after two seconds, advice after ten seconds
// without a step. Contract §5.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openReady, startHost } from './host-fixture.ts'

const sendSteps = (fixture: ReturnType<typeof startHost>, ...steps: string[]) =>
  fixture.sendStreamEvent('launch', {
    id: 'lau_1',
    state: 'authorized',
    steps: steps.map((step) => ({ step, outcome: 'ok', at: '' })),
  })

test('calls a launch slow after two seconds, and once', async (t) => {
  const fixture = startHost(t)
  await fixture.open()
  await fixture.advance(1_999)
  assert.ok(!fixture.listEventTypes().includes('slow'))
  await fixture.advance(5_000)
  assert.equal(fixture.listEventTypes().filter((type) => type === 'slow').length, 1)
})

test('calls no launch slow that has said hello', async (t) => {
  const fixture = startHost(t)
  await openReady(fixture)
  await fixture.advance(9_000)
  assert.ok(!fixture.listEventTypes().includes('slow'))
})

test('counts ten seconds from the last step of the app, not from the opening', async (t) => {
  const fixture = startHost(t)
  await fixture.open()
  await fixture.advance(9_500)
  await sendSteps(fixture, 'created', 'authorize', 'code', 'exchange')
  await fixture.advance(9_500)
  assert.ok(!fixture.listEventTypes().includes('hello_timeout'))
  await fixture.advance(500)
  const timeout = fixture.events.at(-1)
  assert.ok(timeout?.type === 'hello_timeout')
  assert.match(timeout.message, /within 10 s of its last step/)
})

test('takes the steps that it reports itself for no step of the app', async (t) => {
  const fixture = startHost(t)
  await fixture.open()
  await sendSteps(fixture, 'created')
  await fixture.advance(9_000)
  await sendSteps(fixture, 'created', 'opened', 'handshake')
  await fixture.advance(1_000)
  assert.ok(fixture.listEventTypes().includes('hello_timeout'))
})

test('waits no more after a failure that the page reports', async (t) => {
  const fixture = startHost(t)
  const { contentWindow } = (await fixture.open()).element
  fixture.sendMessage(contentWindow, { type: 'chartside:failure', code: 'x', message: 'why' })
  await fixture.advance(60_000)
  assert.deepEqual(
    fixture.listEventTypes().filter((type) => /slow|timeout/.test(type)),
    [],
  )
})
