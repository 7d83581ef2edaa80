// What a node notes of each request: a line of the log without an address's query, a body or a header, none for
// a probe, and in the metrics no time of a stream, which lasts for minutes. Contract §10, security C15.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { signInOnPage, testBrowser, testClient } from './sign-in-browser.ts'
import { type Story, startStory } from './story.ts'
import { ADMIN } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory({ CHARTSIDE_REQUEST_LOG: 'on', CHARTSIDE_METRICS_PORT: '9' })
})
after(() => story.close())

const linesOf = () =>
  story.service
    .logText()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line))

test('logs a line for each request and none for a probe, without a value of it [C15]', async () => {
  const { length: before } = linesOf()
  for (const path of ['/health', '/health/live', '/health/ready'])
    await story.request({ url: path })
  const headers = { authorization: 'Bearer st_a-secret', 'x-any': 'a-secret', cookie: 'a=a-secret' }
  await story.request({ url: '/api/users/me?q=a-secret', headers })
  await story.request({ method: 'POST', url: '/auth/sign-in', payload: { email: 'a-secret' } })
  const lines = linesOf().slice(before)
  assert.deepEqual(
    lines.map(({ method, route, status, outcome }) => [method, route, status, outcome]),
    [
      ['GET', '/api/users/me', 401, 'not_signed_in'],
      ['POST', '/auth/sign-in', 400, 'invalid_request'],
    ],
  )
  assert.doesNotMatch(JSON.stringify(lines), /a-secret/)
})

test('gives the client of an answer thirty seconds to read it [V02]', async () => {
  const { server } = story.service
  const connections: Socket[] = []
  server.server.on('connection', (socket) => connections.push(socket))
  if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' })
  const address = server.server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${story.adminToken}`, connection: 'close' }
  const url = `http://127.0.0.1:${port}/api/sessions/${story.sessionId}/events`
  await fetch(url, { headers, signal: leaving.signal })
  assert.ok(connections.some(({ timeout }) => timeout === 30_000))
  leaving.abort()
})

test('counts a stream in no time of the requests', async (t) => {
  const { metrics } = story.service.service
  const noted = t.mock.method(metrics, 'noteRequest')
  const { server } = story.service
  const address = server.server.address()
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const headers = { authorization: `Bearer ${story.adminToken}` }
  const session = `${base}/api/sessions/${story.sessionId}`
  const answer = await fetch(`${session}/events`, { headers })
  assert.equal(answer.status, 200)
  // The service ends the stream with the session, so the answer ends as every other does.
  await fetch(session, { method: 'DELETE', headers })
  assert.match(await answer.text(), /event: ended/)
  await fetch(`${base}/api/users/me`, { headers })
  const routes = noted.mock.calls.map(({ arguments: [route] }) => route)
  assert.deepEqual(routes, ['/api/sessions/:id', '/api/users/me'])
})

test('notes the time to ready in seconds', async (t) => {
  const noted = t.mock.method(story.service.service.metrics, 'noteTimeToReady')
  const { id } = await story.launch({ sessionId: await story.openSession() })
  story.service.clock.advance(3)
  const step = { step: 'context', outcome: 'ok' }
  assert.equal((await story.api('POST', `/api/launches/${id}/steps`, step)).statusCode, 204)
  assert.deepEqual(
    noted.mock.calls.map(({ arguments: [seconds] }) => seconds),
    [3],
  )
})

test('counts sign-ins by method and outcome, on the page and by the API', async (t) => {
  const { metrics } = story.service.service
  const noted = t.mock.method(metrics, 'noteSignIn')
  const send = (payload: object) => story.request({ method: 'POST', url: '/auth/sign-in', payload })
  await send({ ...ADMIN, password: 'a wrong passphrase' })
  await send(ADMIN)
  const client = testClient(story.service)
  await signInOnPage(testBrowser(story.service), client.url, ADMIN)
  const wrong = { ...ADMIN, password: 'a wrong passphrase' }
  await signInOnPage(testBrowser(story.service), testClient(story.service).url, wrong)
  assert.deepEqual(
    noted.mock.calls.map(({ arguments: values }) => values.join(' ')),
    ['password refused', 'password ok', 'password ok', 'password refused'],
  )
})
