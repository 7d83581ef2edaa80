// The event stream: framing across chunks, its end, and reconnection after a gap.
// Contract §5 step 6.
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { HostError } from './errors.ts'
import { readEventStream } from './event-stream.ts'
import { createServiceClient, type ServiceClient } from './service.ts'
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

test('reads events in any chunks, and comments as pings', async () => {
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

/** Follows a session whose connections are given one after another; returns the calls of the listener. */
async function follow(...connections: Connect[]): Promise<string[]> {
  return followUntil(new AbortController().signal, ...connections)
}

async function followUntil(closed: AbortSignal, ...connections: Connect[]): Promise<string[]> {
  const calls: string[] = []
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
      // Delays end at once; the ping timeout never expires.
      if (ms < 45_000) queueMicrotask(task)
      return () => {}
    },
  }
  await followSession(
    service,
    clock,
    {
      onLaunch: ({ id }) => calls.push(`launch ${id}`),
      onIdle: ({ endsAt }) => calls.push(`idle ${endsAt}`),
      onEnded: (reason) => calls.push(`ended ${reason}`),
      onResumed: () => calls.push('resumed'),
      onBroken: ({ code }) => calls.push(`broken ${code}`),
    },
    closed,
  )
  return calls
}

const fail = (error: Error) => () => {
  throw error
}
const SESSION = 'event: session\ndata: {"state":"live"}\n\n'

test('passes launch events on and ends with the session', async () => {
  const launch = 'event: launch\ndata: {"id":"lau_1"}\n\n'
  const end = 'event: ended\ndata: {"reason":"signed_out"}\n\n'
  assert.deepEqual(await follow(() => streamOf(SESSION, launch, end)), [
    'launch lau_1',
    'ended signed_out',
  ])
})

test('reconnects after a gap, reports it once and says that events were lost', async () => {
  const lost = new HostError('service_unreachable', 'gone')
  assert.deepEqual(
    await follow(
      () => streamOf(SESSION),
      fail(lost),
      fail(lost),
      () => streamOf(SESSION),
    ),
    ['broken service_unreachable', 'resumed', 'ended closed'],
  )
  assert.deepEqual(
    await follow(
      () => streamOf(SESSION),
      () => streamOf(SESSION),
    ),
    ['resumed', 'ended closed'],
  )
  assert.deepEqual(await follow(fail(lost), fail(lost), () => streamOf(SESSION)), [
    'broken service_unreachable',
    'resumed',
    'ended closed',
  ])
})

test('opens a refused stream again no earlier than the service says', async () => {
  const answers = [
    new Response('{}', { status: 429, headers: { 'retry-after': '20' } }),
    new Response('{}', {
      status: 503,
      headers: { 'retry-after': 'Sun, 22 Nov 2026 00:00:00 GMT' },
    }),
    new Response('{"ended":{"reason":"expired"}}', { status: 401 }),
  ]
  const service = createServiceClient({
    ...{ service: 'https://chartside.example', sessionToken: 'st_x', sessionId: 'ses_x' },
    fetch: async () => answers.shift() ?? Response.error(),
  })
  const waits: number[] = []
  const clock = {
    now: () => 0,
    after: (ms: number, task: () => void) => {
      waits.push(ms)
      // The wait for a ping is never over.
      if (ms !== 45_000) queueMicrotask(task)
      return () => {}
    },
  }
  const nothing = () => {}
  const listener = {
    ...{ onLaunch: nothing, onIdle: nothing, onEnded: nothing },
    ...{ onResumed: nothing, onBroken: nothing },
  }
  await followSession(service, clock, listener, new AbortController().signal, () => 0)
  assert.deepEqual(
    waits.filter((ms) => ms !== 45_000),
    [20_000, 250],
  )
})

test('treats 401 as a sign-out', async () => {
  const calls = await follow(fail(new HostError('session_over', 'expired', { status: 401 })))
  assert.deepEqual(calls, ['ended signed_out'])
})

test('ends at once when the session has ended before', async () => {
  const ended = (fields: object) =>
    follow(() =>
      streamOf(`event: session\ndata: ${JSON.stringify({ state: 'ended', ...fields })}\n\n`),
    )
  // Any other end of these connections is a 404, which reads as `closed`.
  assert.deepEqual(await ended({ ended: { reason: 'idle' } }), ['ended idle'])
  assert.deepEqual(await ended({}), ['ended closed'])
})

test('leaves no listener on the signal of its host after 50 reconnects', async () => {
  const closed = new AbortController().signal
  const lost = fail(new HostError('service_unreachable', 'gone'))
  await followUntil(closed, ...Array.from({ length: 50 }, () => lost))
  assert.equal(getEventListeners(closed, 'abort').length, 0)
})

test('reads a character whose bytes came in two chunks', async () => {
  const bytes = new TextEncoder().encode('event: ended\ndata: é\n\n')
  const cut = bytes.indexOf(0xc3) + 1
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(bytes.slice(0, cut))
      controller.enqueue(bytes.slice(cut))
      controller.close()
    },
  })
  const events = []
  for await (const event of readEventStream(stream)) events.push(event)
  assert.deepEqual(events, [{ event: 'ended', data: 'é' }])
})

test('closes the connection to the service with the host', async () => {
  const closed = new AbortController()
  const opened = Promise.withResolvers<AbortSignal>()
  const service = {
    openEvents: async (signal: AbortSignal) => {
      opened.resolve(signal)
      return new ReadableStream({
        start: (controller) => signal.addEventListener('abort', () => controller.error('closed')),
      })
    },
  } as Partial<ServiceClient> as ServiceClient
  const clock = { now: () => 0, after: () => () => {} }
  const silent = () => {}
  const listener = {
    ...{ onLaunch: silent, onIdle: silent, onEnded: silent, onResumed: silent, onBroken: silent },
  }
  const following = followSession(service, clock, listener, closed.signal)
  const connection = await opened.promise
  closed.abort()
  await following
  assert.equal(connection.aborted, true)
})
