// How many hellos of one launch a host answers, and what it tells the service of them: a frame in a
// loop costs little, an app of many pages is answered on each. Security X02.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openReady, setStage, settle } from './host-stage.ts'

test('a frame that says hello 2,000 times at once gets 20 answers, and is told of as if it said one [X02]', async () => {
  const stage = setStage()
  const { contentWindow } = (await stage.open()).element
  let answers = 0
  for (let time = 1; time <= 2_000; time += 1) {
    if (stage.hello(contentWindow, `nonce_${time}`).answer) answers += 1
  }
  await settle()
  assert.equal(answers, 20)
  const told = stage.calls.filter(({ route }) => route === 'steps').map(({ body }) => body)
  assert.deepEqual(told.map((body) => JSON.parse(body).step).sort(), ['handshake', 'opened'])
  const ignored = stage.events.filter((event) => event.type === 'ignored')
  assert.equal(ignored.length, 1_980)
  assert.equal(ignored[0]?.reason, 'too_many_hellos')
  assert.match(ignored[0]?.message ?? '', /20 hellos.*within a minute/)
  stage.host.close()
})

test('an app of many pages is answered on each of them, for as long as its launch lasts', async () => {
  const stage = setStage()
  const { contentWindow } = (await stage.open()).element
  for (let load = 1; load <= 60; load += 1) {
    const { answer } = stage.hello(contentWindow, `nonce_${load}`)
    assert.equal(answer?.type, 'chartside:welcome', `load ${load}`)
    await stage.pass(4_000)
  }
  stage.host.close()
})

test('the next launch in a place has hellos, nonces and reports of its own', async () => {
  const stage = setStage()
  const { frame } = await openReady(stage)
  for (let time = 1; time <= 20; time += 1) {
    stage.hello(frame.element.contentWindow, `nonce_${time}`)
  }
  await frame.reload()
  const { answer } = stage.hello(frame.element.contentWindow, 'nonce_ready')
  assert.ok(answer?.type === 'chartside:welcome')
  assert.equal(answer.launchId, 'lnch_2')
  await settle()
  const told = stage.calls.filter(({ route }) => route === 'steps').map(({ body }) => body)
  const steps = ['opened', 'handshake', 'context', 'opened', 'handshake']
  assert.deepEqual(
    told.map((body) => JSON.parse(body).step),
    steps,
  )
  stage.host.close()
})

test('reports each way in which a step fails, and each once', async () => {
  const stage = setStage()
  const { frame } = await openReady(stage)
  for (const [code, nonce] of [
    ['TOKEN_FETCH_ERROR', 'nonce_1'],
    ['TOKEN_FETCH_ERROR', 'nonce_2'],
    ['LAUNCH_MISMATCH', 'nonce_3'],
  ] as const) {
    const { port } = stage.hello(frame.element.contentWindow, nonce)
    port?.postMessage({ type: 'failed', code, message: 'why' })
    await settle()
  }
  const told = stage.calls.filter(({ route }) => route === 'steps').map(({ body }) => body)
  assert.deepEqual(told.map((body) => JSON.parse(body).code).filter(Boolean), [
    'TOKEN_FETCH_ERROR',
    'LAUNCH_MISMATCH',
  ])
  assert.equal(stage.typesOf().filter((type) => type === 'refused').length, 3)
  stage.host.close()
})
