// An app that finishes work while its token ends: how long the launch stays open, and what ends it
// at once. Contract §5 step 6; security X02.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openReady, settle, startHost } from './host-fixture.ts'

type Fixture = ReturnType<typeof startHost>
const relaunches = (fixture: Fixture) =>
  fixture.listEventTypes().filter((type) => type === 'relaunched').length

async function openHeld(fixture: Fixture) {
  const { frame, app } = await openReady(fixture)
  await fixture.advance(3_540_000)
  assert.deepEqual(app.received.at(-1), { type: 'expiring', inSeconds: 60 })
  app.port?.postMessage({ type: 'hold', isHeld: true })
  await settle()
  const release = async () => {
    app.port?.postMessage({ type: 'hold', isHeld: false })
    await settle()
  }
  return { frame, app, release }
}

test('launches again at the end when the app has finished before', async (t) => {
  const fixture = startHost(t)
  const { release } = await openHeld(fixture)
  await release()
  assert.equal(relaunches(fixture), 0)
  await fixture.advance(60_000)
  assert.equal(relaunches(fixture), 1)
})

test('keeps the launch open past the end until the app has finished', async (t) => {
  const fixture = startHost(t)
  const { app, release } = await openHeld(fixture)
  await fixture.advance(89_000)
  assert.equal(relaunches(fixture), 0)
  assert.deepEqual(app.received.at(-1), { type: 'expiring', inSeconds: 60 })
  await release()
  await fixture.advance(0)
  assert.equal(relaunches(fixture), 1)
  assert.deepEqual(app.received.at(-1), { type: 'ended', reason: 'expired' })
})

test('keeps the launch open for 30 s past the end at most [X02]', async (t) => {
  const fixture = startHost(t)
  await openHeld(fixture)
  await fixture.advance(89_999)
  assert.equal(relaunches(fixture), 0)
  await fixture.advance(1)
  assert.equal(relaunches(fixture), 1)
})

test('counts the 30 s once, also when the service says that the launch expired', async (t) => {
  const fixture = startHost(t)
  const { app } = await openHeld(fixture)
  await fixture.advance(80_000)
  for (let time = 0; time < 5; time += 1) {
    app.port?.postMessage({ type: 'hold', isHeld: true })
    await fixture.sendStreamEvent('launch', { id: 'lau_1', state: 'expired', steps: [] })
  }
  await fixture.advance(10_000)
  assert.equal(relaunches(fixture), 1)
})

test('ends a held launch at once at sign-out', async (t) => {
  const fixture = startHost(t)
  const { app } = await openHeld(fixture)
  await fixture.sendStreamEvent('ended', { reason: 'signed_out' })
  assert.deepEqual(app.received.at(-1), { type: 'ended', reason: 'signed_out' })
  await fixture.advance(120_000)
  assert.equal(relaunches(fixture), 0)
})

test('launches again at once when the document that held it is gone', async (t) => {
  const fixture = startHost(t)
  const { frame } = await openHeld(fixture)
  await fixture.advance(61_000)
  assert.equal(relaunches(fixture), 0)
  fixture.sendHello(frame.element.contentWindow, 'nonce_reload')
  await fixture.advance(0)
  assert.equal(relaunches(fixture), 1)
})

test('does not wait for an earlier SDK, which never holds [X07]', async (t) => {
  const fixture = startHost(t)
  await openReady(fixture)
  await fixture.advance(3_600_000)
  assert.equal(relaunches(fixture), 1)
})

test('knows of unsaved work of the document in the frame, and of no other', async (t) => {
  const fixture = startHost(t)
  const { frame, app } = await openReady(fixture)
  assert.equal(frame.hasUnsavedWork, false)
  for (const isUnsaved of [true, 'yes', 1]) app.port?.postMessage({ type: 'unsaved', isUnsaved })
  await settle()
  assert.equal(frame.hasUnsavedWork, true)
  await frame.reload()
  assert.equal(frame.hasUnsavedWork, false)
})

for (const [what, leave] of [
  ['reloads', (fixture: Fixture, window: unknown) => fixture.sendHello(window, 'nonce_2')],
  [
    'leaves for another origin',
    (fixture: Fixture, window: unknown) =>
      fixture.sendMessage(window, 'anything', 'https://evil.example'),
  ],
] as const) {
  test(`reports that nothing is unsaved any more when the page ${what}`, async (t) => {
    const fixture = startHost(t)
    const { frame, app } = await openReady(fixture)
    app.port?.postMessage({ type: 'unsaved', isUnsaved: true })
    await settle()
    leave(fixture, frame.element.contentWindow)
    await settle()
    const reported = fixture.events.filter(({ type }) => type === 'unsaved_work')
    assert.deepEqual(
      reported.map((event) => event.type === 'unsaved_work' && event.isUnsaved),
      [true, false],
    )
  })
}

test('reports no such thing at the end of a launch, whose page stays', async (t) => {
  const fixture = startHost(t)
  const { app } = await openReady(fixture)
  app.port?.postMessage({ type: 'unsaved', isUnsaved: true })
  await settle()
  await fixture.sendStreamEvent('ended', { reason: 'idle' })
  const reported = fixture.events.filter(({ type }) => type === 'unsaved_work')
  assert.equal(reported.length, 1)
})
