// The edges of the HTTP surface and of sessions, each found by an attempt to break them:
// who is asked first, what HEAD does, what an idle sign-in still reaches, what a log may hold.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { ROUTES } from '../src/routes.ts'
import {
  authorize,
  authorizeParameters,
  exchange,
  freshCode,
  isActive,
  type Story,
  startStory,
} from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
})
after(() => story.close())

test('authenticates the caller before it validates the body', async () => {
  for (const route of ROUTES) {
    if (route.surface !== 'api' || route.caller === 'anyone') continue
    const url = route.path.replace(/:\w+/g, 'x')
    for (const contentType of ['application/json', 'text/plain']) {
      const answer = await story.request({
        method: route.method,
        url,
        headers: { 'content-type': contentType },
        payload: route.method === 'GET' ? '' : '{"unknown":1',
      })
      assert.equal(answer.statusCode, 401, `${route.method} ${url}`)
      assert.equal(answer.json().code, 'not_signed_in')
    }
  }
})

test('answers HEAD for documents, and refuses it where GET has an effect', async () => {
  const { launchId } = await story.launch()
  const parameters = authorizeParameters(story.app, launchId)
  const issued = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  const head = await story.request({ method: 'HEAD', url: `/app-auth/authorize?${parameters}` })
  assert.equal(head.statusCode, 405)
  assert.equal((await exchange(story, issued)).statusCode, 200, 'the earlier code still stands')
  const events = `/api/sessions/${story.sessionId}/events`
  assert.equal((await story.request({ method: 'HEAD', url: events })).statusCode, 405)
  const config = await story.request({ method: 'HEAD', url: '/auth/config' })
  assert.deepEqual([config.statusCode, config.body], [200, ''])
  const jwks = await story.request({ method: 'HEAD', url: '/app-auth/.well-known/jwks.json' })
  assert.deepEqual([jwks.statusCode, jwks.body], [200, ''])
})

test('answers 404 in the form of the surface, with a trace id', async () => {
  for (const url of ['/app-auth/nope', '/app-auth/token/', '/app-auth/%zz']) {
    const answer = await story.request({ url })
    assert.ok([400, 404].includes(answer.statusCode), url)
    assert.equal(answer.json().error, 'invalid_request')
    assert.match(answer.json().trace_id, /^[0-9a-f]{32}$/)
  }
  for (const [url, status] of [
    ['/api/nope', 404],
    ['/api/apps/%zz', 400],
    [`/nope/${'x'.repeat(5000)}`, 404],
  ] as const) {
    const answer = await story.request({ url })
    assert.equal(answer.statusCode, status, url)
    assert.match(String(answer.headers['content-type']), /^application\/problem\+json/)
    assert.match(answer.json().traceId, /^[0-9a-f]{32}$/)
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  }
  for (const [url, name] of [
    ['/app-auth/userinfo/', 'error'],
    ['/api/nope', 'code'],
  ] as const) {
    const headers = { 'content-type': 'text/plain' }
    const answer = await story.request({ method: 'POST', url, headers, payload: 'x' })
    assert.equal(answer.statusCode, 404, 'whatever the body')
    assert.ok(answer.json()[name])
  }
  const long = await story.api('GET', `/api/apps/${'x'.repeat(300)}`)
  assert.equal(long.statusCode, 404)
})

test('accepts no secret, code or token in a URL [T01, C12]', async () => {
  const code = await freshCode(story)
  const { clientId, secret } = story.app
  const body = {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    client_secret: secret,
  }
  for (const name of ['code', 'client_secret', 'code_verifier', 'access_token', 'token']) {
    const url = `/app-auth/token?${name}=anything`
    const answer = await story.request({ method: 'POST', url, payload: body })
    assert.deepEqual([answer.statusCode, answer.json().error], [400, 'invalid_request'], name)
  }
  // It named the code and its client. [V38]
  assert.equal((await exchange(story, code)).json().error, 'invalid_grant')
})

test('does not store a secret that was sent in a wrong field or a report [C14, C15]', async () => {
  const { id, launchId } = await story.launch()
  const changes = { client_id: story.app.secret }
  await story.request({
    url: `/app-auth/authorize?${authorizeParameters(story.app, launchId, changes)}`,
  })
  const { access_token: token } = (await exchange(story, await freshCode(story))).json()
  const report = {
    step: 'handshake',
    outcome: 'failed',
    code: 'TOKEN_REJECTED',
    detail: `saw ${token}!`,
  }
  await story.api('POST', `/api/launches/${id}/steps`, report)
  const logged = story.service.logText()
  assert.equal(logged.includes(story.app.secret.slice(-43)), false)
  assert.equal(logged.includes(token.slice(-43)), false)
  const { steps } = (await story.api('GET', `/api/launches/${id}`)).json()
  assert.ok(steps.some((step: { cause?: string }) => step.cause === 'saw at_…!'))
})

test('logs no text of a reported failure: it is of the app, for the timeline [V11]', async () => {
  const { id } = await story.launch()
  const body = { step: 'context', outcome: 'failed', code: 'X', detail: 'Mrs Miller of room 12' }
  assert.equal((await story.api('POST', `/api/launches/${id}/steps`, body)).statusCode, 204)
  assert.ok(!story.service.logText().includes('Miller'))
  assert.match((await story.api('GET', `/api/launches/${id}`)).body, /Miller/)
})

test('bounds the stored failures of one launch', async () => {
  const { id, launchId } = await story.launch()
  for (let i = 0; i < 80; i++) await authorize(story, launchId, { scope: 'openid' })
  const { db } = story.service.service
  const [row] = await db.read(
    sql`SELECT COUNT(*) AS n FROM launch_failures WHERE launch_id = ${id}`,
  )
  assert.equal(row?.n, 20)
})

test('the launch shows whether it was exchanged or invalidated', async () => {
  const { launchId } = await story.launch()
  const code = (await authorize(story, launchId)).searchParams.get('code') ?? ''
  await exchange(story, code, { client_secret: 'cs_wrong' })
  const again = await authorize(story, launchId)
  assert.match(again.searchParams.get('error_description') ?? '', /died with a failed exchange/)
})

test('refuses records of an account that does not exist', async () => {
  for (const [url, body] of [
    ['/api/apps', { accountId: 'acc_nope', name: 'x', redirectUris: [] }],
    ['/api/collections', { accountId: 'acc_nope', name: 'x' }],
  ] as const) {
    assert.equal((await story.api('POST', url, body)).statusCode, 404)
  }
  assert.equal((await story.api('GET', '/api/apps?accountId=acc_nope')).statusCode, 404)
})

test('revokes the tokens and codes of a disabled or deleted app', async () => {
  const app = await story.registerApp('gone')
  const sessionId = await story.openSession()
  const launch = () => story.launch({ app, sessionId })
  const codeOf = async (launchId: string) =>
    (await authorize(story, launchId, {}, app)).searchParams.get('code') ?? ''
  const token = (await exchange(story, await codeOf((await launch()).launchId), {}, app)).json()
  const code = await codeOf((await launch()).launchId)
  const userinfo = async (accessToken = token.access_token) => {
    const headers = { authorization: `Bearer ${accessToken}` }
    return (await story.request({ url: '/app-auth/userinfo', headers })).statusCode
  }
  assert.equal(await userinfo(), 200)
  await story.api('PATCH', `/api/apps/${app.id}`, { enabled: false })
  assert.equal(await userinfo(), 401)
  assert.equal((await exchange(story, code, {}, app)).json().error, 'unauthorized_client')
  await story.api('PATCH', `/api/apps/${app.id}`, { enabled: true })
  assert.equal((await exchange(story, code, {}, app)).json().error, 'invalid_grant')
  assert.equal(await userinfo(), 401, 'enabling revives nothing')
  const next = await codeOf((await launch()).launchId)
  const { access_token: fresh } = (await exchange(story, next, {}, app)).json()
  assert.equal(await userinfo(fresh), 200)
  await story.api('DELETE', `/api/apps/${app.id}`)
  assert.equal(await userinfo(fresh), 401)
})

test('a short idle limit counts from the last call and ends launches', async (t) => {
  const quick = await startStory({ CHARTSIDE_SESSION_IDLE_SECONDS: '30' })
  t.after(() => quick.close())
  const headers = { authorization: `Bearer ${quick.adminToken}` }
  const showMe = () => quick.request({ url: '/api/users/me', headers })
  for (let i = 0; i < 10; i++) {
    quick.service.clock.advance(20)
    assert.equal((await showMe()).statusCode, 200)
  }
  const { access_token: token } = (await exchange(quick, await freshCode(quick))).json()
  const launch = await quick.launch()
  quick.service.clock.advance(31)
  assert.equal((await showMe()).statusCode, 401)
  assert.equal(await isActive(quick, token), false)
  const url = await authorize(quick, launch.launchId)
  assert.equal(url.searchParams.get('error'), 'access_denied')
})

test('refuses a NUL character in every parameter, on every engine', async () => {
  const nul = 'a\0b'
  const answers = [
    await story.api('POST', '/api/accounts', { name: nul }),
    await story.api('POST', '/api/sessions', { accountId: nul, ehrType: 'x', deviceId: 'x' }),
    await story.api('GET', '/api/apps/%00'),
    await story.api('GET', '/api/apps?accountId=%00'),
    await story.api('GET', '/api/launches?cursor=%00'),
  ]
  for (const answer of answers) {
    assert.deepEqual([answer.statusCode, answer.json().code], [400, 'invalid_request'])
  }
  const { launchId } = await story.launch()
  for (const name of ['nonce', 'state', 'launch', 'scope']) {
    const url = await authorize(story, launchId, { [name]: nul })
    assert.equal(url.searchParams.get('error'), 'invalid_request', name)
  }
})

test('bounds the time and size of a body, and answers a hostile one briefly', async () => {
  const { server } = story.service
  await server.listen({ port: 0, host: '127.0.0.1' })
  assert.ok(server.server.requestTimeout > 0 && server.server.requestTimeout <= 60_000)
  for (const [fields, status] of [
    [250, 400],
    [5000, 413],
  ] as const) {
    const many = Object.fromEntries(Array.from({ length: fields }, (_, i) => [`field${i}`, i]))
    const answer = await story.request({ method: 'POST', url: '/auth/sign-in', payload: many })
    assert.equal(answer.statusCode, status)
    assert.ok(answer.body.length < 5000)
  }
  const { port } = server.server.address() as AddressInfo
  const reply = await rawRequest(
    port,
    `POST /app-auth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\nContent-Type: application/json\r\n\r\n${randomBytes(4500).toString('hex')}`,
  )
  assert.match(reply, /^HTTP\/1\.1 413 /)
  assert.match(reply, /"error":"invalid_request"/)
})

function rawRequest(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      received += chunk
      if (received.includes('\r\n\r\n')) socket.end()
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
    socket.setTimeout(5000, () => socket.destroy(new Error('no answer')))
  })
}

test('refuses unknown query parameters, because a mistyped filter shows everything', async () => {
  const slip = await story.api('GET', `/api/apps?acountId=${story.accountId}&limit=1`)
  assert.equal(slip.statusCode, 400)
  const [{ field, message }] = slip.json().errors
  assert.equal(field, 'acountId')
  assert.match(message, /limit, cursor, accountId/)
  assert.equal((await story.api('GET', '/api/users/me?verbose=1')).statusCode, 400)
  // Elsewhere the standards ask for tolerance (RFC 6749 3.1).
  assert.equal((await story.request({ url: '/auth/config?utm_source=mail' })).statusCode, 200)
})

test('refuses a time before 1970, whose window would begin before the year 0 [F08]', async () => {
  for (const path of ['/api/launches', '/api/launches/summary']) {
    const answer = await story.api('GET', `${path}?to=0000-01-01T00:00:00Z`)
    assert.equal(answer.statusCode, 400, path)
  }
})

test('logs the identifier of an app that is disabled, and not its name [V11]', async () => {
  const fields = { accountId: story.accountId, name: 'hunter2' }
  const app = (await story.api('POST', '/api/apps', fields)).json()
  await story.api('PATCH', `/api/apps/${app.id}`, { enabled: false })
  const lines = story.service.logText().split('\n')
  const line = lines.findLast((one) => one.includes('app is disabled'))
  assert.ok(line?.includes(app.id) && !line.includes('hunter2'))
})

test('writes the OpenAPI document as text once, not for each caller [V02]', async (t) => {
  const { server } = story.service
  const first = await server.inject('/openapi.json')
  const stringify = t.mock.method(JSON, 'stringify')
  const again = await server.inject('/openapi.json')
  assert.equal(again.body, first.body)
  const written = stringify.mock.calls.map(({ result }) => String(result).length)
  assert.ok(Math.max(0, ...written) < first.body.length / 2)
})
