// A host ends the launch of a frame that goes, so that its token does not outlive what shows it. It ends
// none that the service ended before. Contract §3; security V12.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openReady, settle, startHost } from './host-fixture.ts'

const FIRST = '/api/launches/lau_1'
const SECOND = '/api/launches/lau_2'

test('ends the launch of a frame that is closed [V12]', async (t) => {
  const fixture = startHost(t)
  const { frame } = await openReady(fixture)
  assert.deepEqual(fixture.ended, [])
  frame.close()
  frame.close()
  assert.deepEqual(fixture.ended, [FIRST])
})

test('ends the launch that a new one replaces, and not the new one [V12]', async (t) => {
  const fixture = startHost(t)
  const { frame } = await openReady(fixture)
  await frame.reload()
  assert.deepEqual(fixture.ended, [FIRST])
  fixture.host.close()
  assert.deepEqual(fixture.ended, [FIRST, SECOND])
})

test('ends no launch when the app reloads its page in the frame', async (t) => {
  const fixture = startHost(t)
  const { frame } = await openReady(fixture)
  const again = fixture.sendHello(frame.element.contentWindow, 'nonce_of_the_reloaded_page')
  again.port?.postMessage({ type: 'token', accessToken: 'at_1' })
  await settle()
  assert.deepEqual(fixture.ended, [])
})

test('ends no launch that has ended: expired, signed out or disabled', async (t) => {
  const expired = startHost(t)
  await openReady(expired)
  await expired.advance(3_600_000)
  assert.equal(expired.events.at(-1)?.type, 'relaunched')
  assert.deepEqual(expired.ended, [])

  for (const reason of ['signed_out', 'app_disabled'] as const) {
    const fixture = startHost(t)
    const { frame } = await openReady(fixture)
    const view = { id: 'lau_1', state: 'ended', steps: [], ended: { at: '', reason } }
    if (reason === 'signed_out') await fixture.sendStreamEvent('ended', { reason })
    else await fixture.sendStreamEvent('launch', view)
    frame.close()
    assert.deepEqual(fixture.ended, [], reason)
  }
})

test('ends its launches when the page goes, unless the browser keeps it', async (t) => {
  const fixture = startHost(t)
  await openReady(fixture)
  fixture.hidePage(true)
  assert.deepEqual(fixture.ended, [])
  fixture.hidePage(false)
  assert.deepEqual(fixture.ended, [FIRST])
})

test('ends a launch that arrives after its frame was closed [V12]', async (t) => {
  const fixture = startHost(t)
  const { frame } = await openReady(fixture)
  const reloading = assert.rejects(frame.reload(), { code: 'closed' })
  frame.close()
  await reloading
  assert.deepEqual(fixture.ended, [FIRST, SECOND])
})

test('ends no launch of a session that its caller knows to be over', async (t) => {
  const fixture = startHost(t)
  const { app } = await openReady(fixture)
  fixture.host.end('signed_out')
  await settle()
  assert.deepEqual(app.received.at(-1), { type: 'ended', reason: 'signed_out' })
  fixture.host.close()
  assert.deepEqual(fixture.ended, [])
  await assert.rejects(fixture.open(), { code: 'session_ended' })
})
