// The connection to the database breaks in the middle of a redemption, at every kind of place: the
// code is then still good or dead, and whatever happens it buys one token at most, which reached
// its app. Real PostgreSQL, real sockets; only the wire in between is bad. Security C05, C09, F01.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hashBearer } from '../src/kernel/identifiers.ts'
import { type Cut, type FaultyRelay, startFaultyRelay } from './faulty-relay.ts'
import { startPostgres, type TestPostgres } from './postgres.ts'
import { exchange, freshCode, isActive, type Story, startStory } from './story.ts'

let postgres: TestPostgres
let relay: FaultyRelay
let story: Story
before(async () => {
  postgres = await startPostgres()
  relay = await startFaultyRelay(await postgres.freshDividedDatabase())
  story = await startStory({ CHARTSIDE_DATABASE_URL: relay.url })
})
after(async () => {
  await story?.close()
  await relay?.stop()
  await postgres?.stop()
})

const PLACES = 24
const shares = Array.from({ length: PLACES }, (_, i) => i / PLACES)

/** One exchange whose connection is cut, and what the code is good for afterwards. */
async function exchangeThenCut(cut: Pick<Cut, 'during' | 'share'>) {
  const code = await freshCode(story)
  let hasCut = false
  relay.cutNext({ ...cut, marker: hashBearer(code), onCut: () => (hasCut = true) })
  const first = await exchange(story, code)
  assert.ok(hasCut, 'the cut came')
  if (first.statusCode === 200) assert.ok(await isActive(story, first.json().access_token))
  else {
    assert.deepEqual([first.statusCode, first.json().error], [503, 'temporarily_unavailable'])
    assert.ok(Number(first.headers['retry-after']) > 0)
  }
  const later = await Promise.all([exchange(story, code), exchange(story, code)])
  for (const answer of later) {
    if (answer.statusCode === 200) continue
    assert.deepEqual([answer.statusCode, answer.json().error], [400, 'invalid_grant'])
  }
  const laterTokens = later.filter(({ statusCode }) => statusCode === 200).length
  return { isDelivered: first.statusCode === 200, laterTokens }
}

test('a connection cut before the redemption leaves the code valid [C05, C09]', async () => {
  for (const share of shares) {
    const outcome = await exchangeThenCut({ during: 'request', share })
    assert.deepEqual(outcome, { isDelivered: false, laterTokens: 1 }, `cut at ${share}`)
  }
})

test('a connection cut after the redemption gives one token at most [C05, C09]', async () => {
  for (let i = 0; i < 10; i++) {
    const { isDelivered, laterTokens } = await exchangeThenCut({ during: 'request', share: 1 })
    assert.ok(!isDelivered && laterTokens <= 1, `${laterTokens} tokens`)
  }
})

test('a connection cut in the answer leaves a used code and no token [C05, C09]', async () => {
  for (const share of shares) {
    const outcome = await exchangeThenCut({ during: 'reply', share })
    assert.deepEqual(outcome, { isDelivered: false, laterTokens: 0 }, `cut at ${share}`)
  }
})

test('a connection cut after the answer leaves a delivered, active token [C05, C09]', async () => {
  for (let i = 0; i < 5; i++) {
    const outcome = await exchangeThenCut({ during: 'reply', share: 1 })
    assert.deepEqual(outcome, { isDelivered: true, laterTokens: 0 })
  }
})
