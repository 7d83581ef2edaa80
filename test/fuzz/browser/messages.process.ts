// The short run of the fuzzer for messages: both ends of the handshake, their parsers, and what apps
// and the extension read from addresses. Security F08, X06.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseOptions } from '../options.ts'
import { fuzzMessages, MESSAGE_PROPERTIES } from './message-properties.ts'

const CASES = 150
const seed = Number(process.env.CHARTSIDE_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

test('no message breaks a parser or an end of the handshake [F08, X06]', async (t) => {
  t.diagnostic(`CHARTSIDE_TEST_SEED=${seed}`)
  const failures = await fuzzMessages({ seed, cases: CASES })
  const shown = failures.map(({ name, reason, shrunk }) => `${name}: ${reason}\n${shrunk}`)
  assert.deepEqual(shown, [], `npm run tool -- fuzz --seed ${seed}`)
})

test('has a property for every message of the handshake, in both directions [F08]', () => {
  const names = Object.keys(MESSAGE_PROPERTIES)
  for (const name of ['parseHello', 'parseAnswer', 'parseAppMessage', 'parseHostMessage']) {
    assert.ok(names.includes(name), name)
  }
  for (const name of ['parseFailureReport', 'hostEnd', 'sdkEnd']) assert.ok(names.includes(name))
})

test('reads the command line of the long run, and says what is wrong with it', () => {
  assert.deepEqual(parseOptions(['--seed', '7', '--only', 'exchange'], 1), {
    ...{ cases: 100_000, seed: 7, only: 'exchange', engine: 'sqlite', jsonFile: undefined },
    ...{ minutes: undefined, isSaved: false },
  })
  assert.equal((parseOptions(['--minutes', '60'], 1) as { minutes: number }).minutes, 60)
  assert.throws(() => parseOptions(['--minutes', '60', '--save'], 1), /--save keeps one run/)
  assert.equal(parseOptions(['--help'], 1), 'help')
  assert.throws(() => parseOptions(['--cases', 'many'], 1), /--cases must be a whole number/)
  assert.throws(() => parseOptions(['--engine', 'mysql'], 1), /sqlite or postgres/)
})
