// The event stream of an EHR session shows what becomes of a launch's code and token, and a provider of
// the app's account reads no timeline but those of their own launches. Contract §3 and §5, security V18.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_STREAMS } from '../src/streams/open-streams.ts'
import { beginPeople, person } from './people.ts'
import { authorize, exchange, type Story, startStory } from './story.ts'

const MAX_WAIT_MS = 5000

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
  await story.service.server.listen({ port: 0, host: '127.0.0.1' })
})
after(() => story.close())

interface ShownLaunch {
  readonly id: string
  readonly state: string
  readonly steps: readonly {
    readonly step: string
    readonly outcome: string
    readonly reason?: string
  }[]
}

/** Reads the launch events of a session; `close` ends the stream. */
async function openStream(sessionId: string) {
  const { port } = story.service.server.server.address() as AddressInfo
  const abort = new AbortController()
  const answer = await fetch(`http://127.0.0.1:${port}/api/sessions/${sessionId}/events`, {
    headers: { authorization: `Bearer ${story.adminToken}` },
    signal: abort.signal,
  })
  assert.equal(answer.status, 200)
  let text = ''
  const reading = (async () => {
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk
  })().catch(() => {})
  const list = (): ShownLaunch[] =>
    [...text.matchAll(/^event: launch\ndata: (.+)$/gm)].map(([, data = '']) => JSON.parse(data))
  return {
    /** Waits until one more launch event has arrived than there were. */
    async next(work: () => Promise<unknown>): Promise<ShownLaunch> {
      const count = list().length
      await work()
      for (let waited = 0; list().length === count && waited < MAX_WAIT_MS; waited += 10)
        await sleep(10)
      const newest = list().at(-1)
      assert.ok(newest && list().length > count, 'no event arrived')
      return newest
    },
    events: () => list().length,
    async close() {
      abort.abort()
      await reading
    },
  }
}

const stepsOf = ({ steps }: ShownLaunch) => steps.map(({ step, outcome }) => `${step} ${outcome}`)

test('exchange, replay and revocation each reach the event stream [V18]', async (t) => {
  const sessionId = await story.openSession()
  const stream = await openStream(sessionId)
  t.after(() => stream.close())
  const codeOf = async (launchId: string) =>
    (await authorize(story, launchId)).searchParams.get('code') ?? ''

  for (const kind of ['replay', 'revocation'] as const) {
    let launchId = ''
    await stream.next(async () => {
      launchId = (await story.launch({ sessionId })).launchId
    })
    let code = ''
    await stream.next(async () => {
      code = await codeOf(launchId)
    })
    let token = ''
    const exchanged = await stream.next(async () => {
      token = (await exchange(story, code)).json().access_token
    })
    assert.equal(exchanged.state, 'exchanged')
    assert.ok(stepsOf(exchanged).includes('exchange ok'))
    const credentials = { client_id: story.app.clientId, client_secret: story.app.secret }
    const shown = await stream.next(() =>
      kind === 'replay'
        ? exchange(story, code)
        : story.request({
            method: 'POST',
            url: '/app-auth/revoke',
            payload: { token, ...credentials },
          }),
    )
    assert.notEqual(shown.state, 'exchanged', `the ${kind} ended the token`)
  }
})

test('a refused authorize reaches the event stream [V18]', async (t) => {
  const sessionId = await story.openSession()
  const stream = await openStream(sessionId)
  t.after(() => stream.close())
  let launchId = ''
  await stream.next(async () => {
    launchId = (await story.launch({ sessionId })).launchId
  })
  const shown = await stream.next(() => authorize(story, launchId, { scope: 'openid' }))
  assert.ok(stepsOf(shown).includes('authorize failed'))
})

test('a provider of the account of the app reads no timeline of another person [V18]', async () => {
  const provider = await person(story.accountId, 'provider')
  const developer = await person(story.accountId, 'developer')
  const { id } = await story.launch()
  assert.equal((await provider.api('GET', `/api/launches/${id}`)).statusCode, 404)
  const listed = (await provider.api('GET', '/api/launches')).json().items
  assert.equal(
    listed.some((launch: ShownLaunch) => launch.id === id),
    false,
  )
  // Who develops the app reads it.
  assert.equal((await developer.api('GET', `/api/launches/${id}`)).statusCode, 200)
})

test('refuses more streams than a session may have, until one is closed [V03]', async (t) => {
  const sessionId = await story.openSession()
  const streams = await Promise.all(
    Array.from({ length: MAX_STREAMS.ofSession }, () => openStream(sessionId)),
  )
  t.after(() => Promise.all(streams.map((stream) => stream.close())))
  const refused = await story.api('GET', `/api/sessions/${sessionId}/events`)
  assert.deepEqual([refused.statusCode, refused.json().code], [429, 'rate_limited'])
  assert.ok(Number(refused.headers['retry-after']) > 0)
  await streams[0]?.close()
  let reopened: Awaited<ReturnType<typeof openStream>> | undefined
  for (let waited = 0; !reopened && waited < MAX_WAIT_MS; waited += 50) {
    await sleep(50)
    reopened = await openStream(sessionId).catch(() => undefined)
  }
  assert.ok(reopened)
  streams.push(reopened)
})

test('reads a change once for all streams of a session, and sends no repetition [V03]', async (t) => {
  const sessionId = await story.openSession()
  const { id } = await story.launch({ sessionId })
  const streams = await Promise.all(Array.from({ length: 6 }, () => openStream(sessionId)))
  t.after(() => Promise.all(streams.map((stream) => stream.close())))
  const { db } = story.service.service
  const { read } = db
  let reads = 0
  Object.assign(db, {
    read: (statement: { sql: string }) => {
      if (/FROM launches/.test(statement.sql) && statement.sql.includes('WHERE l.id')) reads += 1
      if (/FROM launch_failures/.test(statement.sql)) reads += 1
      return read.call(db, statement as never)
    },
  })
  t.after(() => Object.assign(db, { read }))
  const report = () =>
    story.api('POST', `/api/launches/${id}/steps`, { step: 'opened', outcome: 'ok' })
  const [first] = streams
  await first?.next(report)
  await sleep(200)
  assert.deepEqual(
    streams.map((stream) => stream.events()),
    streams.map(() => 1),
  )
  const once = reads
  for (let i = 0; i < 20; i++) assert.ok((await report()).statusCode < 300)
  await sleep(300)
  assert.deepEqual(
    streams.map((stream) => stream.events()),
    streams.map(() => 1),
  )
  assert.ok(once > 0 && once <= 8, `${once} reads for one change and six streams`)
})

test('tells hosts when to come back, and proxies to hold nothing back [V03]', async () => {
  const { port } = story.service.server.server.address() as AddressInfo
  const abort = new AbortController()
  const url = `http://127.0.0.1:${port}/api/sessions/${story.sessionId}/events`
  const headers = { authorization: `Bearer ${story.adminToken}` }
  const answer = await fetch(url, { headers, signal: abort.signal })
  assert.equal(answer.headers.get('x-accel-buffering'), 'no')
  const first = await answer.body?.getReader().read()
  abort.abort()
  const retryMs = Number(/^retry: (\d+)$/m.exec(new TextDecoder().decode(first?.value))?.[1])
  assert.ok(retryMs >= 250 && retryMs < 1250, String(retryMs))
})
