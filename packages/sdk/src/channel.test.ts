// What the SDK passes on from its host after init, and what the app tells the host over the port:
// the end of the token, work that holds it up, unsaved work. Contract §5.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { failureOf, openPage, withTokenEndpoint } from './sdk-fixture.ts'

test('passes expiring and ended on, and ended also to a late listener', async () => {
  const { init, host } = openPage()
  const sdk = await init({ accessToken: 'at_1' })
  const events: unknown[] = []
  sdk.on('expiring', ({ inSeconds }) => events.push({ inSeconds }))
  sdk.on('expiring', () => events.push('never'))()
  host.postMessage({ type: 'expiring', inSeconds: 60 })
  host.postMessage({ type: 'ended', reason: 'signed_out' })
  for (let tries = 0; events.length === 0 && tries < 400; tries++) await sleep(5)
  await sleep(50)
  sdk.on('expiring', () => events.push('too late'))
  sdk.on('ended', (event) => events.push(event))
  for (let tries = 0; events.length < 2 && tries < 400; tries++) await sleep(5)
  assert.deepEqual(events, [{ inSeconds: 60 }, { reason: 'signed_out' }])
})

test('holds the launch until all work of expiring has settled, also a failed one', async () => {
  const { init, host, received } = openPage()
  const sdk = await init({ accessToken: 'at_1' })
  host.postMessage({ type: 'expiring', inSeconds: 60 })
  await sleep(20)
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  sdk.on('expiring', (event) => {
    assert.ok(event.inSeconds >= 58, 'a late listener gets the seconds that are left')
    event.waitUntil(first.promise)
    event.waitUntil(second.promise)
  })
  const holds = () => received.filter((message) => (message as { type: string }).type === 'hold')
  for (let tries = 0; holds().length < 1 && tries < 400; tries++) await sleep(5)
  first.resolve()
  await sleep(20)
  assert.deepEqual(holds(), [{ type: 'hold', isHeld: true }])
  second.reject(new Error('not saved'))
  for (let tries = 0; holds().length < 2 && tries < 400; tries++) await sleep(5)
  assert.deepEqual(holds()[1], { type: 'hold', isHeld: false })
})

test('reports unsaved work; an earlier host that ignores it keeps working [X07]', async () => {
  const { init, host, received } = openPage()
  const sdk = await init({ accessToken: 'at_1' })
  sdk.setUnsavedWork(true)
  sdk.setUnsavedWork(false)
  for (let tries = 0; received.length < 3 && tries < 400; tries++) await sleep(5)
  assert.deepEqual(received.slice(1), [
    { type: 'unsaved', isUnsaved: true },
    { type: 'unsaved', isUnsaved: false },
  ])
  const ended = new Promise((resolve) => sdk.on('ended', resolve))
  host.postMessage({ type: 'ended', reason: 'expired' })
  assert.deepEqual(await ended, { reason: 'expired' })
})

test('holds the launch for work that is no promise only while it runs', async () => {
  const { init, host, received } = openPage()
  const sdk = await init({ accessToken: 'at_1' })
  sdk.on('expiring', ({ waitUntil }) => waitUntil(undefined as never))
  host.postMessage({ type: 'expiring', inSeconds: 60 })
  for (let tries = 0; received.length < 3 && tries < 400; tries++) await sleep(5)
  assert.deepEqual(received.slice(1), [
    { type: 'hold', isHeld: true },
    { type: 'hold', isHeld: false },
  ])
})

test('calls no listener that has unsubscribed, and each subscription of one function', async () => {
  const { init, host } = openPage()
  const sdk = await init({ accessToken: 'at_1' })
  const events: string[] = []
  const shared = () => events.push('shared')
  const stopOther = () => stop()
  sdk.on('ended', stopOther)
  const stop = sdk.on('ended', () => events.push('stopped by an earlier listener'))
  sdk.on('ended', shared)
  sdk.on('ended', shared)()
  const ended = new Promise((resolve) => sdk.on('ended', resolve))
  host.postMessage({ type: 'ended', reason: 'closed' })
  await ended
  sdk.on('ended', () => events.push('late, and unsubscribed at once'))()
  await sleep(20)
  assert.deepEqual(events, ['shared'])
})

test('emits the end once, and takes nothing from the host after it', async () => {
  const { init, host } = openPage()
  const sdk = await init({ accessToken: 'at_1' })
  const events: unknown[] = []
  sdk.on('ended', (event) => events.push(event))
  sdk.on('expiring', () => events.push('expiring'))
  host.postMessage({ type: 'ended', reason: 'revoked' })
  host.postMessage({ type: 'expiring', inSeconds: 60 })
  host.postMessage({ type: 'ended', reason: 'closed' })
  await sleep(50)
  assert.deepEqual(events, [{ reason: 'revoked' }])
})

test('tells a late listener the seconds that are left by then', async (t) => {
  const { init, host } = openPage()
  const sdk = await init({ accessToken: 'at_1' })
  host.postMessage({ type: 'expiring', inSeconds: 60 })
  await sleep(20)
  const later = Date.now() + 45_000
  t.mock.method(Date, 'now', () => later)
  const inSeconds = await new Promise((resolve) =>
    sdk.on('expiring', (event) => resolve(event.inSeconds)),
  )
  assert.equal(inSeconds, 15)
})

test('passes the chart on with the one before, and says when the app shows it', async () => {
  const { init, host, received } = openPage()
  const sdk = await init({ accessToken: 'at_1' })
  const events: unknown[] = []
  const work = Promise.withResolvers<void>()
  sdk.on('chart', ({ ref, previous, waitUntil }) => {
    events.push({ ref, previous })
    if (ref === 'ref_B') waitUntil(work.promise)
  })
  host.postMessage({ type: 'chart', seq: 1, ref: 'ref_A' })
  await until(() => shown(received).length === 1)
  host.postMessage({ type: 'chart', seq: 2, ref: 'ref_B' })
  await until(() => events.length === 2)
  await sleep(20)
  assert.deepEqual(shown(received), [1])
  work.resolve()
  await until(() => shown(received).length === 2)
  host.postMessage({ type: 'chart', seq: 3, ref: null })
  await until(() => shown(received).length === 3)
  assert.deepEqual(events, [
    { ref: 'ref_A', previous: null },
    { ref: 'ref_B', previous: 'ref_A' },
    { ref: null, previous: 'ref_B' },
  ])
  assert.deepEqual(shown(received), [1, 2, 3])
})

test('gives the newest chart only after the work for the one before is done [V40]', async () => {
  const { init, host, received } = openPage()
  const sdk = await init({ accessToken: 'at_1' })
  const works = new Map<string | null, () => void>()
  const refs: unknown[] = []
  sdk.on('chart', ({ ref, waitUntil }) => {
    refs.push(ref)
    waitUntil(new Promise<void>((resolve) => works.set(ref, resolve)))
  })
  for (const [seq, ref] of ['ref_A', 'ref_B', 'ref_C'].entries()) {
    host.postMessage({ type: 'chart', seq: seq + 1, ref })
  }
  await until(() => refs.length === 1)
  await sleep(20)
  assert.deepEqual([refs, shown(received)], [['ref_A'], []])
  works.get('ref_A')?.()
  await until(() => refs.length === 2)
  works.get('ref_C')?.()
  await until(() => shown(received).length === 2)
  assert.deepEqual(
    [refs, shown(received)],
    [
      ['ref_A', 'ref_C'],
      [1, 3],
    ],
  )
})

test('gives a late listener the chart at once, and answers only then', async () => {
  const { init, host, received } = openPage()
  const sdk = await init({ accessToken: 'at_1' })
  host.postMessage({ type: 'chart', seq: 1, ref: 'ref_A' })
  await sleep(20)
  assert.deepEqual(shown(received), [])
  const slow = Promise.withResolvers<void>()
  sdk.on('chart', ({ waitUntil }) => waitUntil(slow.promise))
  const refs: unknown[] = []
  sdk.on('chart', ({ ref }) => refs.push(ref))
  await until(() => refs.length === 1)
  await sleep(20)
  assert.deepEqual(shown(received), [], 'one part of the app still switches')
  slow.resolve()
  await until(() => shown(received).length > 0)
  assert.deepEqual([refs, shown(received)[0]], [['ref_A'], 1])
})

test('waits for the promise that a listener of charts returns', async () => {
  const { init, host, received } = openPage()
  const sdk = await init({ accessToken: 'at_1' })
  const work = Promise.withResolvers<void>()
  sdk.on('chart', () => work.promise)
  host.postMessage({ type: 'chart', seq: 1, ref: 'ref_A' })
  await sleep(20)
  assert.deepEqual(shown(received), [])
  work.resolve()
  await until(() => shown(received).length === 1)
})

test('answers a chart once the page has painted it, or is not seen [V40]', async (t) => {
  const { init, host, page, received } = openPage()
  const frames: ((time: number) => void)[] = []
  Object.assign(page, { innerWidth: 360 })
  page.requestAnimationFrame = (callback) => frames.push(callback)
  const sdk = await init({ accessToken: 'at_1' })
  sdk.on('chart', () => {})
  host.postMessage({ type: 'chart', seq: 1, ref: 'ref_A' })
  await until(() => frames.length === 1)
  frames[0]?.(0)
  await sleep(20)
  assert.deepEqual([frames.length, shown(received)], [2, []])
  frames[1]?.(0)
  await until(() => shown(received).length === 1)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  host.postMessage({ type: 'chart', seq: 2, ref: 'ref_B' })
  await untilTurn(() => frames.length === 3)
  t.mock.timers.tick(499)
  await untilTurn(() => true)
  assert.deepEqual(shown(received), [1])
  t.mock.timers.tick(1)
  await untilTurn(() => shown(received).length === 2)
  Object.assign(page, { innerWidth: 0 })
  host.postMessage({ type: 'chart', seq: 3, ref: 'ref_C' })
  await untilTurn(() => frames.length === 4)
  t.mock.timers.tick(1)
  await untilTurn(() => shown(received).length === 3)
})

test('does not say that an app shows a chart which it could not load [V40]', async (t) => {
  const { init, host, received } = openPage()
  const sdk = await init({ accessToken: 'at_1' })
  const warn = t.mock.method(console, 'warn', () => {})
  const stop = sdk.on('chart', ({ waitUntil }) => waitUntil(Promise.reject(new Error('offline'))))
  host.postMessage({ type: 'chart', seq: 1, ref: 'ref_A' })
  await until(() => warn.mock.callCount() === 1)
  await sleep(20)
  assert.deepEqual(shown(received), [])
  stop()
  sdk.on('chart', () => {})
  host.postMessage({ type: 'chart', seq: 2, ref: 'ref_B' })
  await until(() => shown(received).length === 1)
  assert.deepEqual(shown(received), [2])
})

test('names its features, and denies one that it does not have', async () => {
  const { supports } = await openPage().init({ accessToken: 'at_1' })
  assert.deepEqual(
    ['expiring', 'unsaved-work', 'chart', 'ehr', 'toString'].map((name) => supports(name)),
    [true, true, true, false, false],
  )
})

const shown = (received: readonly unknown[]) =>
  received.flatMap((message) => {
    const { type, seq } = message as { type: string; seq: number }
    return type === 'chart_shown' ? [seq] : []
  })

/** Without a timer. */
async function untilTurn(isMet: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !isMet(); turn += 1) await setImmediate()
  assert.ok(isMet())
}

async function until(isMet: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !isMet(); tries += 1) await sleep(5)
  assert.ok(isMet())
}

test('closes the port when init fails, so that the host waits for nothing', async () => {
  const { init, host } = openPage()
  const closed = new Promise((resolve) => host.addEventListener('close', resolve))
  await assert.rejects(init({ accessToken: '' }), { code: 'TOKEN_FETCH_ERROR' })
  await closed
})

test('presents no token on a channel that has ended while the token was fetched', async () => {
  const answered = Promise.withResolvers<void>()
  const page = openPage(
    withTokenEndpoint(async () => {
      page.host.postMessage({ type: 'ended', reason: 'signed_out' })
      await sleep(50)
      answered.resolve()
      return Response.json({ access_token: 'at_1', token_type: 'Bearer', expires_in: 60 })
    }),
  )
  const startedAt = performance.now()
  const error = await failureOf(page.init({ handshakeTimeoutMs: 5_000 }))
  await answered.promise
  assert.match(error.message, /signed_out/)
  assert.ok(performance.now() - startedAt < 2_000, 'it waits for no answer of a closed port')
})
