// One stream of the service for the offscreen document and the panel of a session. Contract §5 step 6.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followShared, shareEvents } from './event-relay.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const never = async () => assert.fail('a connection of its own')

/** What the service streams, by hand. */
function startStream() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  return { open: async () => readable, writer, write: (text: string) => writer.write(encode(text)) }
}

async function readText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader()
  const { value } = await reader.read()
  reader.releaseLock()
  return new TextDecoder().decode(value)
}

test('passes whole events of a session on to its panel, and none of another', async () => {
  const { signal } = new AbortController()
  const first = startStream()
  const second = startStream()
  const mine = await shareEvents('ses_1', first.open, signal)
  await shareEvents('ses_2', second.open, signal)
  const panel = await followShared('ses_1', never, signal)
  void second.write('event: ended\ndata: {}\n\n')
  void first.write('event: idle\nda')
  void first.write('ta: 1\n\nevent: half')
  assert.equal(await readText(panel), 'event: idle\ndata: 1\n\n')
  assert.equal(await readText(mine), 'event: idle\nda')
  void first.writer.close()
  await assert.rejects(readText(panel), /broke off/)
  await second.writer.close()
})

test('waits for a stream that opens after the panel', async () => {
  const { signal } = new AbortController()
  const following = followShared('ses_3', never, signal)
  const late = startStream()
  await shareEvents('ses_3', late.open, signal)
  const panel = await following
  void late.write(': ping\n\n')
  assert.equal(await readText(panel), ': ping\n\n')
  await late.writer.close()
})

test('follows the service itself when nothing else does', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const own = startStream()
  const following = followShared('ses_4', own.open, new AbortController().signal)
  t.mock.timers.tick(5_000)
  void own.write('event: idle\n\n')
  assert.equal(await readText(await following), 'event: idle\n\n')
})
