// The server of Growth Chart against a fake service: which callbacks it accepts, what it sends
// before it has checked one, and its error responses. Spec §2.2, §5.1, §5.6, §7.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cookiesOf, startFixture } from './fixture.ts'

interface Refusal {
  readonly error: string
  readonly cause: string
  readonly fix: string
}

async function refusalOf(response: Response): Promise<Refusal> {
  assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  const refusal = (await response.json()) as Refusal
  assert.ok(refusal.cause && refusal.fix, JSON.stringify(refusal))
  return refusal
}

test('signs in by a launch that this browser began, and ends the session with it', async (t) => {
  const { send, post, finish, launch } = await startFixture(t)
  const { launchId, query, cookie } = await launch()
  const exchanged = await finish(query, cookie)
  assert.equal(exchanged.status, 200)
  const { ticket } = (await exchanged.json()) as { ticket: string }
  const started = await post('/session', { ticket })
  assert.equal(started.status, 200)
  const headers = { 'x-launch': launchId, cookie: cookiesOf(started) }
  const shown = (await (await send('/api/growth', { headers })).json()) as { person: object }
  assert.deepEqual(Object.keys(shown), ['person', 'reference'])
  assert.equal((await send('/session', { method: 'DELETE', headers })).status, 200)
  assert.equal((await send('/api/growth', { headers })).status, 401)
})

test('leaves no cookie after the exchange, and one session for its ticket [V20]', async (t) => {
  const { lines, post, finish, launch } = await startFixture(t)
  const { query, cookie } = await launch()
  const exchanged = await finish(query, cookie)
  assert.deepEqual([cookiesOf(exchanged), lines], ['', []])
  const { ticket } = (await exchanged.json()) as { ticket: string }
  const refused = await post('/session', { ticket: 'guessed' })
  assert.deepEqual([refused.status, refused.headers.get('set-cookie')], [401, null])
  assert.equal((await refusalOf(refused)).error, 'launch_not_pending')
  assert.equal((await post('/session', { ticket })).status, 200)
  assert.equal((await post('/session', { ticket })).status, 401)
  const plain = await post('/session', { ticket }, { 'content-type': 'text/plain' })
  assert.equal(plain.status, 400)
})

test('refuses a callback without its cookie, even for an empty csrf part [R06]', async (t) => {
  const { issuer, finish, launch } = await startFixture(t)
  const { launchId, query, cookie } = await launch()
  const [name = ''] = cookie.split('=')
  const other = await launch()
  const requestCount = issuer.requests.length
  for (const [state, cookies] of [
    [`${launchId}:`, ''],
    [`${launchId}:`, `${name}=`],
    [`${launchId}:`, `${name}=..`],
    [`${launchId}:`, `${name}=.verifier.nonce`],
    [`${launchId}:forged`, `${name}=forged..nonce`],
    [`${launchId}:forged`, `${name}=forged.verifier.`],
    [`${launchId}:forged`, cookie],
    [':', cookie],
    [launchId, cookie],
    [query.state ?? '', other.cookie],
  ] as const) {
    const response = await finish({ ...query, state }, cookies)
    assert.equal(response.status, 400, state)
    assert.equal((await refusalOf(response)).cause, 'CSRF validation failed')
    assert.equal(response.headers.get('set-cookie'), null)
  }
  assert.equal(issuer.requests.length, requestCount)
  assert.equal((await finish(query, cookie)).status, 200)
})

test('refuses a callback without code or state, and sends nothing for it [R07]', async (t) => {
  const { issuer, finish, launch } = await startFixture(t)
  const { query, cookie } = await launch()
  const requestCount = issuer.requests.length
  for (const missing of [{ code: '' }, { state: '' }]) {
    const response = await finish({ ...query, ...missing }, cookie)
    assert.equal(response.status, 400)
    assert.equal((await refusalOf(response)).cause, 'Missing OAuth parameters')
  }
  assert.equal(issuer.requests.length, requestCount)
})

test('deletes the cookie of a launch at its first callback, even a failed one', async (t) => {
  const { issuer, finish, launch } = await startFixture(t)
  const { query, cookie } = await launch()
  issuer.failNext('/app-auth/token', { status: 503, body: { error: 'temporarily_unavailable' } })
  const failed = await finish(query, cookie)
  assert.equal(failed.status, 503)
  assert.equal((await refusalOf(failed)).error, 'temporarily_unavailable')
  assert.match(failed.headers.get('set-cookie') ?? '', /^__Host-growth-chart-launch-\w+=;/)
})

test('answers 4xx to a broken or large body, and quotes nothing of it', async (t) => {
  const { issuer, lines, send } = await startFixture(t)
  const post = async (body: string, type = 'application/json') => {
    const response = await send('/exchange', {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    return { status: response.status, ...(await refusalOf(response)) }
  }
  const large = JSON.stringify({ query: 'x'.repeat(20_000) })
  for (const [status, cause, body, type] of [
    [400, /not JSON/, '{"query":"code_1"'],
    [400, /not JSON/, 'null'],
    [413, /too large/, large],
    [415, /charset/, '{}', 'application/json; charset=utf-99'],
    [400, /not a JSON object/, 'query', 'text/plain'],
    [400, /no text "query"/, '{"query":{"toString":1}}'],
  ] as const) {
    const refusal = await post(body, type)
    assert.deepEqual(
      [refusal.status, refusal.error],
      [status, 'invalid_request'],
      body.slice(0, 40),
    )
    assert.match(refusal.cause, cause)
    assert.doesNotMatch(JSON.stringify(refusal), /code_1/)
  }
  assert.deepEqual(issuer.requests, [])
  assert.ok(lines.every((line) => line === 'failed: invalid_request'))
})

test('reports an unreachable service, at the launch too, and tries it again', async (t) => {
  const { issuer, send } = await startFixture(t)
  const launch = () => send(`/launch?launch_id=${issuer.mintLaunch().launchId}`)
  issuer.failNext('/app-auth/.well-known/openid-configuration', { status: 503 })
  const failed = await launch()
  const { error } = await refusalOf(failed)
  assert.deepEqual([failed.status, error], [503, 'temporarily_unavailable'])
  await issuer.suspend()
  const away = await launch()
  assert.deepEqual([away.status, (await refusalOf(away)).error], [502, 'service_unreachable'])
  await issuer.resume()
  assert.equal((await launch()).status, 302)
})

test('keeps no SDK manifest that is not one', async (t) => {
  const { issuer, send } = await startFixture(t)
  for (const fault of [
    { status: 503, body: { error: 'temporarily_unavailable' } },
    { status: 200, body: 'no JSON' },
    { status: 200, body: { url: 7 } },
  ]) {
    issuer.failNext('/sdk/manifest.json', fault)
    const failed = await send('/callback')
    assert.equal(failed.status, 502)
    assert.match((await refusalOf(failed)).cause, /sdk\/manifest\.json/)
  }
  const page = await send('/callback')
  assert.equal(page.status, 200)
  assert.match(await page.text(), /integrity="sha\d+-/)
})
