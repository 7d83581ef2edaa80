// A silent launch whose page the service visits: a finding ends the wait, a passed check makes the advice precise,
// and an answer that the launch has overtaken changes nothing. Decision 70.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settle, startHost } from './host-fixture.ts'

const FINDING = { code: 'page_fails', cause: 'The page answers 500.', fix: 'Look at its log.' }

const timeoutsOf = (fixture: ReturnType<typeof startHost>) =>
  fixture.events.filter((event) => event.type === 'hello_timeout')

const sendSteps = (fixture: ReturnType<typeof startHost>, state: string, ...steps: object[]) =>
  fixture.sendStreamEvent('launch', { id: 'lau_1', state, steps })

test('a finding ends the wait after two seconds, and is not reported again', async (t) => {
  const fixture = startHost(t, { diagnosis: () => ({ checked: true, finding: FINDING }) })
  const frame = await fixture.open()
  await fixture.advance(2_000)
  const [found, ...more] = timeoutsOf(fixture)
  assert.ok(found?.type === 'hello_timeout')
  const { code, message, fix, afterMs, step } = found
  assert.deepEqual([code, message, fix], [FINDING.code, FINDING.cause, FINDING.fix])
  assert.deepEqual([afterMs, step], [2_000, 'authorize'])
  await fixture.advance(60_000)
  assert.deepEqual([more.length, timeoutsOf(fixture).length], [0, 1])
  const asked = fixture.calls.filter(({ route }) => route === 'diagnosis')
  assert.deepEqual(
    asked.map(({ body }) => JSON.parse(body)),
    [{ origin: 'chrome-extension://host' }],
  )
  const reported = fixture.calls.filter(({ route }) => route === 'steps')
  assert.ok(!reported.some(({ body }) => body.includes('failed')))
  assert.ok(fixture.sendHello(frame.element.contentWindow, 'late').answer, 'a late hello counts')
})

test('the stream may show the finding before its answer arrives', async (t) => {
  let send = async () => {}
  const fixture = startHost(t, {
    diagnosis: () => {
      void send()
      return { checked: true, finding: FINDING }
    },
  })
  const failed = { step: 'handshake', outcome: 'failed', reason: 'page_not_opened', at: '' }
  send = () => sendSteps(fixture, 'opened', { ...failed, ...FINDING })
  await fixture.open()
  await fixture.advance(2_000)
  await fixture.advance(60_000)
  assert.equal(timeoutsOf(fixture).length, 1)
})

test('an answer that the launch has overtaken changes nothing', async (t) => {
  let send = async () => {}
  let asked = 0
  const fixture = startHost(t, {
    diagnosis: () => {
      asked += 1
      void send()
      return asked === 1 ? { checked: true, finding: FINDING } : { checked: false }
    },
  })
  send = () => sendSteps(fixture, 'authorized', { step: 'authorize', outcome: 'ok', at: '' })
  await fixture.open()
  await fixture.advance(2_000)
  await settle()
  assert.deepEqual(timeoutsOf(fixture), [])
  await fixture.advance(2_000)
  assert.equal(asked, 2, 'asked again after two seconds without another step')
})

test('a page without a fault leaves fewer guesses, and a refusal leaves all of them', async (t) => {
  for (const [answer, words] of [
    [{ checked: true }, /may be framed\. Check that no/],
    [429, /no X-Frame-Options/],
  ] as const) {
    const fixture = startHost(t, { diagnosis: () => answer })
    await fixture.open()
    await fixture.advance(10_000)
    const [timeout] = timeoutsOf(fixture)
    assert.ok(timeout?.type === 'hello_timeout')
    assert.equal(timeout.code, 'HANDSHAKE_TIMEOUT')
    assert.match(timeout.fix, words)
  }
})

const waitsOf = (fixture: ReturnType<typeof startHost>) =>
  fixture.events.filter((event) => event.type === 'waiting')

test('names the step that has not come after two seconds on a fine page', async (t) => {
  const fixture = startHost(t, { diagnosis: () => ({ checked: true }) })
  await fixture.open()
  await fixture.advance(2_000)
  const at = { outcome: 'ok', at: '' }
  await sendSteps(fixture, 'authorized', { step: 'authorize', ...at })
  await fixture.advance(2_000)
  await sendSteps(fixture, 'exchanged', { step: 'authorize', ...at }, { step: 'exchange', ...at })
  await fixture.advance(2_000)
  const waits = waitsOf(fixture)
  assert.deepEqual(
    waits.map(({ step }) => step),
    ['authorize', 'exchange', 'handshake'],
  )
  for (const [index, words] of [
    /never asked for authorization/,
    /has received the code, and its server has not exchanged it/,
    /did not call initServiceSDK/,
  ].entries()) {
    assert.match(waits[index]?.message ?? '', words)
    assert.doesNotMatch(waits[index]?.message ?? '', /Likely causes/)
  }
  assert.match(waits[2]?.fix ?? '', /policy allows the SDK script\. Look at the console/)
  assert.deepEqual(timeoutsOf(fixture), [])
})

test('a page that does not answer the service is named before its visit ends', async (t) => {
  const fixture = startHost(t, { diagnosis: () => new Promise(() => {}) })
  await fixture.open()
  await fixture.advance(2_299)
  assert.deepEqual(waitsOf(fixture), [])
  await fixture.advance(1)
  assert.match(waitsOf(fixture)[0]?.message ?? '', /has not answered the service either/)
})

test('says nothing of a wait where the service visits no page', async (t) => {
  const fixture = startHost(t, { diagnosis: () => ({ checked: false }) })
  await fixture.open()
  await fixture.advance(9_000)
  assert.deepEqual(waitsOf(fixture), [])
})
