// When the private channel of a document ends: with a reload, with a foreign document in the frame, with a
// refusal. After it nothing that the document sends counts. Contract §5; security X01, X02, X04, L05.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHostMessage } from '@chartside/protocol/handshake'
import { openChannel } from './channel.ts'
import { systemClock } from './clock.ts'
import { HostError } from './errors.ts'
import { APP, openReady, settle, startHost } from './host-fixture.ts'
import type { Introspection } from './service.ts'

const countOf = ({ calls }: ReturnType<typeof startHost>, name: string) =>
  calls.filter(({ route }) => route === name).length

test('takes no token from a document that was reloaded [X04]', async (t) => {
  const fixture = startHost(t)
  const frame = await fixture.open()
  const before = fixture.sendHello(frame.element.contentWindow, 'nonce_before')
  const after = fixture.sendHello(frame.element.contentWindow, 'nonce_after')
  before.port?.postMessage({ type: 'token', accessToken: 'at_before' })
  await settle()
  assert.equal(countOf(fixture, 'introspect'), 0)
  after.port?.postMessage({ type: 'token', accessToken: 'at_after' })
  await settle()
  assert.equal(countOf(fixture, 'introspect'), 1)
  assert.deepEqual(before.received, [])
})

test('takes no token once a foreign document is in the frame [X04]', async (t) => {
  const fixture = startHost(t)
  const frame = await fixture.open()
  const app = fixture.sendHello(frame.element.contentWindow, 'nonce_1')
  fixture.sendMessage(frame.element.contentWindow, 'anything', 'https://evil.example')
  app.port?.postMessage({ type: 'token', accessToken: 'at_1' })
  await settle()
  assert.equal(countOf(fixture, 'introspect'), 0)
})

test('hears nothing more from a document whose token it refused [X02, L05]', async (t) => {
  const fixture = startHost(t, { introspect: () => ({ active: false }) })
  const { app } = await openReady(fixture)
  const [answer] = app.received as { type: string; code: string }[]
  assert.deepEqual([answer?.type, answer?.code], ['refused', 'TOKEN_REJECTED'])
  const before = fixture.events.length
  for (const isUnsaved of [true, false]) app.port?.postMessage({ type: 'unsaved', isUnsaved })
  app.port?.postMessage({ type: 'failed', code: 'TOKEN_FETCH_ERROR', message: 'again' })
  await settle()
  assert.equal(fixture.events.length, before)
})

test('refuses a hello after the end at the origin of the app only [X01]', async (t) => {
  const fixture = startHost(t)
  const { frame } = await openReady(fixture)
  await fixture.sendStreamEvent('ended', { reason: 'signed_out' })
  const late = fixture.sendHello(frame.element.contentWindow, 'nonce_late')
  assert.equal(late.answer?.type, 'chartside:refusal')
  assert.equal(late.origin, APP)
})

test('sends a refusal that the SDK can read, however long the cause is', async (t) => {
  const { port1, port2 } = new MessageChannel()
  t.after(() => port1.close())
  const received: unknown[] = []
  port2.onmessage = ({ data }) => received.push(data)
  const refuse = async () => {
    throw new HostError('region_not_allowed', 'x'.repeat(3_000), { status: 403 })
  }
  openChannel(port1, 'lnch_1', { introspect: refuse }, systemClock, {
    onAccepted: () => assert.fail('the token was not verified'),
    onRefused: () => {},
    onHold: () => {},
    onUnsavedWork: () => {},
    onChartShown: () => {},
    onUnexpected: () => assert.fail('the token is expected'),
  })
  port2.postMessage({ type: 'token', accessToken: 'at_1' })
  await settle()
  assert.partialDeepStrictEqual(received.map(parseHostMessage), [{ code: 'TOKEN_REJECTED' }])
})

test('accepts no token for a document that went while it was verified [X04]', async () => {
  const { port1, port2 } = new MessageChannel()
  const answer = Promise.withResolvers<Introspection>()
  const accepted: unknown[] = []
  const ignore = () => {}
  const channel = openChannel(port1, 'lnch_1', { introspect: () => answer.promise }, systemClock, {
    onAccepted: (token) => accepted.push(token),
    ...{ onRefused: ignore, onHold: ignore, onUnsavedWork: ignore, onUnexpected: ignore },
    onChartShown: ignore,
  })
  port2.postMessage({ type: 'token', accessToken: 'at_1' })
  await settle()
  channel.close()
  answer.resolve({ active: true, launchId: 'lnch_1', expiresAt: null, lifetimeMs: null })
  await settle()
  port2.close()
  assert.deepEqual(accepted, [])
})
