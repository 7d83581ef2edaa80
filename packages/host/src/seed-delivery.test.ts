// Which frame gets the session seed, and whose token counts there: two apps in one host, and
// windows that the host did not open. Contract §5 steps 2 and 5, security X03.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APP, settle, startHost } from './host-fixture.ts'

test('gives each frame the seed of its own launch, at the origin of its app [X03]', async (t) => {
  const fixture = startHost(t)
  const frames = [await fixture.open(), await fixture.open()]
  for (const [index, frame] of frames.entries()) {
    const { answer, origin } = fixture.sendHello(frame.element.contentWindow, `nonce_${index}`)
    assert.ok(answer?.type === 'chartside:welcome')
    assert.equal(answer.launchId, `lnch_${index + 1}`)
    assert.equal(origin, APP)
  }
})

test('gives no seed to a window that it did not open, or opened and closed [X03]', async (t) => {
  const fixture = startHost(t)
  const frame = await fixture.open()
  const closed = frame.element.contentWindow
  frame.close()
  // One that is open, whose seed the others might get.
  await fixture.open()
  for (const [index, source] of [{}, null, closed].entries()) {
    assert.equal(fixture.sendHello(source, `nonce_${index}`).answer, null)
  }
})

test('accepts in a frame no token of the launch of another frame [X03]', async (t) => {
  const fixture = startHost(t)
  const first = await fixture.open()
  await fixture.open()
  // The service says that the token belongs to the newest launch, that of the other frame.
  const app = fixture.sendHello(first.element.contentWindow, 'nonce_first')
  app.port?.postMessage({ type: 'token', accessToken: 'at_of_the_other' })
  await settle()
  const [answer] = app.received as { type: string; code?: string }[]
  assert.deepEqual([answer?.type, answer?.code], ['refused', 'LAUNCH_MISMATCH'])
})
