// The limit of hellos of one launch, and what the host reports of them to the service: a frame in a
// loop costs little, an app with many pages gets an answer on each. Security X02.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openReady, settle, startHost } from './host-fixture.ts'

test('answers 20 of 2,000 hellos of a frame and reports one handshake [X02]', async (t) => {
  const fixture = startHost(t)
  const { contentWindow } = (await fixture.open()).element
  let answers = 0
  for (let time = 1; time <= 2_000; time += 1) {
    if (fixture.sendHello(contentWindow, `nonce_${time}`).answer) answers += 1
  }
  await settle()
  assert.equal(answers, 20)
  const reports = fixture.calls.filter(({ route }) => route === 'steps').map(({ body }) => body)
  assert.deepEqual(reports.map((body) => JSON.parse(body).step).sort(), ['handshake', 'opened'])
  const ignored = fixture.events.filter((event) => event.type === 'ignored')
  assert.equal(ignored.length, 1_980)
  assert.equal(ignored[0]?.reason, 'too_many_hellos')
  assert.match(ignored[0]?.message ?? '', /20 hellos.*within a minute/)
})

test('answers a hello of each page of an app for as long as its launch lasts', async (t) => {
  const fixture = startHost(t)
  const { contentWindow } = (await fixture.open()).element
  for (let load = 1; load <= 60; load += 1) {
    const { answer } = fixture.sendHello(contentWindow, `nonce_${load}`)
    assert.equal(answer?.type, 'chartside:welcome', `load ${load}`)
    await fixture.advance(4_000)
  }
})

test('counts hellos, nonces and reports again for the next launch of a frame', async (t) => {
  const fixture = startHost(t)
  const { frame } = await openReady(fixture)
  for (let time = 1; time <= 20; time += 1) {
    fixture.sendHello(frame.element.contentWindow, `nonce_${time}`)
  }
  await frame.reload()
  const { answer } = fixture.sendHello(frame.element.contentWindow, 'nonce_ready')
  assert.ok(answer?.type === 'chartside:welcome')
  assert.equal(answer.launchId, 'lnch_2')
  await settle()
  const reports = fixture.calls.filter(({ route }) => route === 'steps').map(({ body }) => body)
  const steps = ['opened', 'handshake', 'context', 'opened', 'handshake']
  assert.deepEqual(
    reports.map((body) => JSON.parse(body).step),
    steps,
  )
})

test('reports each failure code of a step once', async (t) => {
  const fixture = startHost(t)
  const { frame } = await openReady(fixture)
  for (const [code, nonce] of [
    ['TOKEN_FETCH_ERROR', 'nonce_1'],
    ['TOKEN_FETCH_ERROR', 'nonce_2'],
    ['LAUNCH_MISMATCH', 'nonce_3'],
  ] as const) {
    const { port } = fixture.sendHello(frame.element.contentWindow, nonce)
    port?.postMessage({ type: 'failed', code, message: 'why' })
    await settle()
  }
  const reports = fixture.calls.filter(({ route }) => route === 'steps').map(({ body }) => body)
  assert.deepEqual(reports.map((body) => JSON.parse(body).code).filter(Boolean), [
    'TOKEN_FETCH_ERROR',
    'LAUNCH_MISMATCH',
  ])
  assert.equal(fixture.listEventTypes().filter((type) => type === 'refused').length, 3)
})

test('knows each nonce of a launch again, not the last one only [X02]', async (t) => {
  const fixture = startHost(t)
  const { contentWindow } = (await fixture.open()).element
  for (const nonce of ['nonce_a', 'nonce_b']) {
    assert.equal(fixture.sendHello(contentWindow, nonce).answer?.type, 'chartside:welcome')
  }
  assert.equal(fixture.sendHello(contentWindow, 'nonce_a').answer, null)
  const ignored = fixture.events.at(-1)
  assert.ok(ignored?.type === 'ignored')
  assert.equal(ignored.reason, 'replayed_nonce')
})
