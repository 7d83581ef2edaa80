// The fake host: welcome, token, refusals, no answer, the end. The window is a plain object; the
// messages are those of the protocol. Contract §5.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildFailureReport } from '@chartside/protocol/failure-report'
import {
  buildHello,
  type HostMessage,
  parseAnswer,
  parseHostMessage,
} from '@chartside/protocol/handshake'
import { createFakeHost, type FakeHostOptions, SAMPLE_SEED } from './index.ts'

const APP = 'https://app.example'

type Port = InstanceType<typeof MessageChannel>['port1']

/** A page in a frame: the answers that it gets, and the messages that it sends. */
function openFrame(t: TestContext, options: Partial<FakeHostOptions> = {}) {
  const listeners = new Set<(event: { data: unknown; origin: string; source: unknown }) => void>()
  const answers: { message: unknown; origin: string; port: Port | undefined }[] = []
  const frame = {
    postMessage: (message: unknown, origin: string, ports: Port[] = []) =>
      void answers.push({ message, origin, port: ports[0] }),
  }
  const host = createFakeHost({
    window: {
      addEventListener: (_type, listener) => void listeners.add(listener),
      removeEventListener: (_type, listener) => void listeners.delete(listener),
    },
    ...options,
  })
  t.after(() => host.stop())
  const sendMessage = (data: unknown, source: unknown = frame) => {
    for (const listener of listeners) listener({ data, origin: APP, source })
  }
  const sendHello = (versions = [1]) =>
    sendMessage(buildHello({ versions, nonce: 'nonce_1', sdkVersion: '1.0.0' }))
  return { host, frame, sendMessage, sendHello, answers, listeners }
}

type Frame = ReturnType<typeof openFrame>

/** Presents a token on the port of the welcome; returns the later messages of the host. */
function present({ answers }: Frame, accessToken = 'at_1') {
  const received: (HostMessage | null)[] = []
  let wake = () => {}
  const port = answers.at(-1)?.port
  assert.ok(port)
  port.addEventListener('message', (event) => {
    received.push(parseHostMessage((event as { data?: unknown }).data))
    wake()
  })
  port.start()
  port.postMessage({ type: 'token', accessToken })
  const next = async (count: number) => {
    while (received.length < count) await new Promise<void>((resolve) => (wake = resolve))
    return received.slice(0, count)
  }
  return { next, port }
}

test('welcomes a hello with seed, launch and port, and accepts the token', async (t) => {
  const frame = openFrame(t, { tokenEndpoint: `${APP}/token`, tokenExpiresAt: 1_800_000_000_000 })
  frame.sendHello()
  const [answer] = frame.answers
  assert.equal(answer?.origin, APP)
  assert.deepEqual(parseAnswer(answer?.message), {
    type: 'chartside:welcome',
    version: 1,
    nonce: 'nonce_1',
    launchId: 'lnch_fake',
    seed: SAMPLE_SEED,
    tokenEndpoint: `${APP}/token`,
  })
  const { next } = present(frame)
  assert.deepEqual(await next(1), [{ type: 'ready', tokenExpiresAt: 1_800_000_000_000 }])
  assert.equal(await frame.host.ready(), 'at_1')
  assert.deepEqual(frame.host.tokens, ['at_1'])
})

test('sends no answer while it is unresponsive, and answers a later hello', (t) => {
  const frame = openFrame(t, { behaviour: { kind: 'unresponsive' } })
  frame.sendHello()
  assert.deepEqual([frame.answers.length, frame.host.helloCount], [0, 1])
  frame.host.setBehaviour({ kind: 'welcome' })
  frame.sendHello()
  assert.equal(frame.answers.length, 1)
})

test('refuses a hello with the given code, or without a common version', (t) => {
  const frame = openFrame(t, { behaviour: { kind: 'refuse', code: 'LAUNCH_ENDED' } })
  frame.sendHello()
  frame.host.setBehaviour({ kind: 'welcome' })
  frame.sendHello([99])
  const codes = frame.answers.map(({ message }) => {
    const answer = parseAnswer(message)
    return answer?.type === 'chartside:refusal' && answer.code
  })
  assert.deepEqual(codes, ['LAUNCH_ENDED', 'PROTOCOL_MISMATCH'])
})

test('rejects ready with the cause when no token will be accepted', async (t) => {
  const refusing = openFrame(t, { behaviour: { kind: 'refuse', code: 'LAUNCH_ENDED' } })
  const refused = refusing.host.ready()
  refusing.sendHello()
  await assert.rejects(refused, /refused the hello with LAUNCH_ENDED/)
  refusing.host.setBehaviour({ kind: 'welcome' })
  const later = refusing.host.ready()
  refusing.sendHello()
  present(refusing)
  assert.equal(await later, 'at_1')
  refusing.host.stop()
  assert.equal(await refusing.host.ready(), 'at_1')

  const rejecting = openFrame(t, { behaviour: { kind: 'reject_token', code: 'TOKEN_REJECTED' } })
  const rejected = rejecting.host.ready()
  rejecting.sendHello()
  present(rejecting)
  await assert.rejects(rejected, /TOKEN_REJECTED/)

  const ending = openFrame(t)
  const ended = ending.host.ready()
  ending.sendHello()
  ending.host.end()
  await assert.rejects(ended, /ended the launch \(signed_out\)/)

  const unresponsive = openFrame(t, { behaviour: { kind: 'unresponsive' } })
  const stopped = unresponsive.host.ready()
  unresponsive.host.stop()
  await assert.rejects(stopped, /was stopped/)
  await assert.rejects(unresponsive.host.ready(), /was stopped/)
})

test('refuses a hello that it cannot parse, as the real host does', (t) => {
  const { sendMessage, answers } = openFrame(t)
  sendMessage({ type: 'chartside:hello', nonce: 'nonce_2', versions: 'later' })
  const answer = parseAnswer(answers.at(-1)?.message)
  assert.equal(answer?.type === 'chartside:refusal' && answer.code, 'PROTOCOL_MISMATCH')
})

test('refuses the token with the given code', async (t) => {
  const frame = openFrame(t, { behaviour: { kind: 'reject_token', code: 'TOKEN_REJECTED' } })
  frame.sendHello()
  const [said] = await present(frame).next(1)
  assert.equal(said?.type === 'refused' && said.code, 'TOKEN_REJECTED')
})

test('sends expiring and ended, and nothing after the end', async (t) => {
  const frame = openFrame(t)
  frame.sendHello()
  const { next } = present(frame)
  await next(1)
  frame.host.sendExpiring(60)
  frame.host.end()
  frame.host.end('closed')
  assert.deepEqual((await next(3)).slice(1), [
    { type: 'expiring', inSeconds: 60 },
    { type: 'ended', reason: 'signed_out' },
  ])
  const second = openFrame(t)
  second.sendHello()
  const other = present(second)
  await other.next(1)
  second.host.expire()
  assert.deepEqual((await other.next(2))[1], { type: 'ended', reason: 'expired' })
})

test('records the failures that the SDK reports', async (t) => {
  const frame = openFrame(t)
  frame.sendHello()
  const { port } = present(frame)
  port.postMessage({ type: 'failed', code: 'TOKEN_FETCH_ERROR', message: 'no access_token' })
  while (frame.host.failures.length === 0) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(frame.host.failures, [{ code: 'TOKEN_FETCH_ERROR', message: 'no access_token' }])
})

test('knows whether the app holds the launch and has unsaved work', async (t) => {
  const frame = openFrame(t)
  frame.sendHello()
  const { port } = present(frame)
  port.postMessage({ type: 'hold', isHeld: true })
  port.postMessage({ type: 'unsaved', isUnsaved: true })
  while (!frame.host.hasUnsavedWork) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(frame.host.isHeld, true)
  frame.host.expire()
  assert.deepEqual([frame.host.isHeld, frame.host.hasUnsavedWork], [false, false])
})

test('records the failures that the app reports without a port', (t) => {
  const frame = openFrame(t, { frame: () => frame.frame })
  const report = buildFailureReport({ code: 'server_unreachable', message: 'It is down.' })
  frame.sendMessage(report)
  frame.sendMessage(report, 'another window')
  frame.sendMessage({ ...report, code: '<b>' })
  const { type: _, ...failure } = report
  assert.deepEqual(frame.host.failures, [failure])
})

test('answers only its own frame, and no frame once it is stopped', (t) => {
  const frame = openFrame(t, { frame: () => 'mine' })
  frame.sendHello()
  frame.sendMessage({ type: 'webpackHotUpdate' }, 'mine')
  assert.equal(frame.host.helloCount, 0)
  frame.host.stop()
  assert.equal(frame.listeners.size, 0)
})

/** The SDK as its script runs it, on a page made up here: what this test needs of its surface. */
interface Sdk {
  readonly sessionContext: typeof SAMPLE_SEED & { getIdToken(): Promise<{ idToken: string }> }
  on(event: 'ended', listener: (news: { reason: string }) => void): unknown
  on(event: 'chart', listener: (news: { ref: string | null }) => void): unknown
}
type CreateInit = (page: object, origins: string[]) => (options: object) => Promise<Sdk>

test('serves the SDK itself: init, session context, end', async (t) => {
  // By address: the SDK's types are those of a browser, which this test is not compiled for.
  const { createInit } = (await import(
    String(new URL('../../sdk/src/init.ts', import.meta.url))
  )) as { createInit: CreateInit }
  const frame = openFrame(t)
  const hearing = new Set<(event: object) => void>()
  const HOST = 'https://panel.example'
  const page = {
    location: { origin: APP, search: '' },
    parent: { postMessage: (data: unknown) => frame.sendMessage(data) },
    addEventListener: (_type: string, listener: (event: object) => void) => hearing.add(listener),
    removeEventListener: (_type: string, listener: (event: object) => void) =>
      hearing.delete(listener),
    fetch: () => assert.fail('no request is needed'),
  }
  frame.frame.postMessage = (data, _origin, ports = []) => {
    for (const listener of hearing) listener({ data, origin: HOST, source: page.parent, ports })
  }
  const sdk = await createInit(page, [HOST])({
    accessToken: 'at_1',
    idToken: 'a.e30.c',
    handshakeTimeoutMs: 500,
  })
  assert.equal(sdk.sessionContext.account.name, SAMPLE_SEED.account.name)
  assert.deepEqual(await sdk.sessionContext.getIdToken(), { idToken: 'a.e30.c' })
  const refs: unknown[] = []
  sdk.on('chart', ({ ref }) => refs.push(ref))
  for (const key of ['patient-A', 'patient-B', null, 'patient-A']) {
    frame.host.setChart(key)
    for (let tries = 0; frame.host.shownChart !== key && tries < 400; tries += 1) await sleep(5)
    assert.equal(frame.host.shownChart, key)
  }
  assert.deepEqual([refs[0] === refs[3], refs[0] === refs[1], refs[2]], [true, false, null])
  assert.match(String(refs[0]), /^[\w-]{22}$/)
  assert.doesNotMatch(JSON.stringify(refs), /patient/)
  const ended = new Promise((resolve) => sdk.on('ended', resolve))
  frame.host.end('app_disabled')
  assert.deepEqual(await ended, { reason: 'app_disabled' })
  assert.deepEqual(frame.host.tokens, ['at_1'])
})
