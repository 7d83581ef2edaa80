// The event stream: framing across chunks, endings, and coming back after a gap.
// Contract §5 step 6.
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { HostError } from './errors.ts'
import { readEventStream } from './event-stream.ts'
import type { ServiceClient } from './service.ts'
import { followSession } from './session-events.ts'

const streamOf = (...chunks: string[]) => {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk))
      controller.close()
    },
  })
}

test('reads events whatever the chunks, and comments as a sign of life', async () => {
  const text = 'event: launch\ndata: {"a":\ndata: 1}\n\n: ping\n\nevent: ended\r\ndata: é\r\n\r\n'
  const expected = [
    { event: 'launch', data: '{"a":\n1}' },
    { event: '', data: '' },
    { event: 'ended', data: 'é' },
  ]
  for (const chunks of [[text], [...text], [text.slice(0, 30), text.slice(30)]]) {
    const events = []
    for await (const event of readEventStream(streamOf(...chunks))) events.push(event)
    assert.deepEqual(events, expected)
  }
})

type Connect = () => ReadableStream<Uint8Array>

/** Follows a session whose connections are given one after another; answers what was heard. */
async function follow(...connections: Connect[]): Promise<string[]> {
  return followUntil(new AbortController().signal, ...connections)
}

async function followUntil(closed: AbortSignal, ...connections: Connect[]): Promise<string[]> {
  const heard: string[] = []
  const service = {
    openEvents: async () => {
      const connect = connections.shift()
      if (!connect) throw new HostError('not_found', 'gone', { status: 404 })
      return connect()
    },
  } as Partial<ServiceClient> as ServiceClient
  const clock = {
    now: () => 0,
    after: (ms: number, task: () => void) => {
      // Pauses pass at once; the watch over a silent connection never strikes.
      if (ms < 45_000) queueMicrotask(task)
      return () => {}
    },
  }
  await followSession(
    service,
    clock,
    {
      onLaunch: ({ id }) => heard.push(`launch ${id}`),
      onEnded: (reason) => heard.push(`ended ${reason}`),
      onResumed: () => heard.push('resumed'),
      onBroken: ({ code }) => heard.push(`broken ${code}`),
    },
    closed,
  )
  return heard
}

const fail = (error: Error) => () => {
  throw error
}
const SESSION = 'event: session\ndata: {"state":"live"}\n\n'

test('passes launches on and ends with the session', async () => {
  const launch = 'event: launch\ndata: {"id":"lau_1"}\n\n'
  const end = 'event: ended\ndata: {"reason":"signed_out"}\n\n'
  assert.deepEqual(await follow(() => streamOf(SESSION, launch, end)), [
    'launch lau_1',
    'ended signed_out',
  ])
})

test('connects again after a gap, tells it once, and says that something was missed', async () => {
  const lost = new HostError('service_unreachable', 'gone')
  assert.deepEqual(
    await follow(
      () => streamOf(SESSION),
      fail(lost),
      fail(lost),
      () => streamOf(SESSION),
    ),
    ['resumed', 'ended session_ended'],
  )
  assert.deepEqual(await follow(fail(lost), fail(lost), () => streamOf(SESSION)), [
    'broken service_unreachable',
    'resumed',
    'ended session_ended',
  ])
})

test('takes 401 for a sign-out', async () => {
  const heard = await follow(fail(new HostError('session_over', 'expired', { status: 401 })))
  assert.deepEqual(heard, ['ended signed_out'])
})

test('takes a session that has ended already for what it is', async () => {
  assert.deepEqual(await follow(() => streamOf('event: session\ndata: {"state":"ended"}\n\n')), [
    'ended session_ended',
  ])
})

test('leaves no listener on the signal of its host, however often it connects again', async () => {
  const closed = new AbortController().signal
  const lost = fail(new HostError('service_unreachable', 'gone'))
  await followUntil(closed, ...Array.from({ length: 50 }, () => lost))
  assert.equal(getEventListeners(closed, 'abort').length, 0)
})
