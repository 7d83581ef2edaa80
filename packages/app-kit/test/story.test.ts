// An app with the kit's server half, against the fake issuer: exchange or token endpoint,
// verification, the app's own session, its end. Spec §1.1, §5.1, §5.2, §5.6.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { startFakeIssuer } from '@chartside/test-kit'
import { createAppKit, createSessions, ExchangeError, readJson } from '../src/server/index.ts'

const APP = 'http://localhost:3000'

/** An app of option 1 in forty lines, as the README shows it. */
async function startApp(t: TestContext) {
  const issuer = await startFakeIssuer({ redirectUris: [`${APP}/callback`] })
  t.after(() => issuer.stop())
  const kit = createAppKit(issuer)
  const sessions = createSessions()

  const exchange = async (request: Request): Promise<Response> => {
    const { code } = (await readJson(request)) ?? {}
    try {
      const { accessToken, idToken } = await kit.exchange(code)
      return Response.json({ access_token: accessToken, id_token: idToken })
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      const { status, message: cause, fix, traceId } = error
      return Response.json({ error: error.error, cause, fix, trace_id: traceId }, { status })
    }
  }
  const start = async (request: Request): Promise<Response> => {
    const { id_token: idToken } = (await readJson(request)) ?? {}
    const session = await sessions.start(await kit.verifyIdToken(idToken), request)
    return session.respond()
  }
  const handle = async (request: Request): Promise<Response> => {
    const route = `${request.method} ${new URL(request.url).pathname}`
    if (route === 'POST /api/exchange') return exchange(request)
    if (route === 'POST /api/session') return start(request)
    if (route === 'POST /api/session/renew') return sessions.renew(request)
    if (route === 'DELETE /api/session') return sessions.end(request)
    const identity = await sessions.authenticate(request)
    if (!identity) return Response.json({ error: 'session_ended' }, { status: 401 })
    return Response.json({ practice: identity.account.name, launch: identity.launchId })
  }
  return { issuer, kit, handle }
}

/** The page's fetch: the browser adds origin and cookies, and stores new cookies. */
function browse(handle: (request: Request) => Promise<Response>) {
  const jar = new Map<string, string>()
  return async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    headers.set('origin', APP)
    headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await handle(new Request(new URL(path, APP), { ...init, headers }))
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
      jar.set(name, value)
    }
    return response
  }
}

const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) })

test('option 1: starts, renews and ends a session of the app', async (t) => {
  const { issuer, handle } = await startApp(t)
  const send = browse(handle)
  const launch = issuer.mintLaunch({ account: { id: 'acc_7', name: 'Hillside Cardiology' } })
  const exchanged = await send('/api/exchange', post({ code: issuer.mintCode(launch) }))
  const { access_token, id_token } = (await exchanged.json()) as Record<string, string>
  assert.match(access_token ?? '', /^at_/)
  assert.equal(exchanged.headers.get('set-cookie'), null)
  const started = await send('/api/session', post({ id_token }))
  const { session } = (await started.json()) as { session: { id: string; token: string } }
  const me = await send('/api/me', { headers: { authorization: `Bearer ${session.token}` } })
  assert.deepEqual(await me.json(), { practice: 'Hillside Cardiology', launch: launch.launchId })
  const headers = { 'x-session-id': session.id }
  const renewed = await send('/api/session/renew', { method: 'POST', headers })
  assert.equal(renewed.status, 200)
  const next = ((await renewed.json()) as { session: { token: string } }).session.token
  const stale = await send('/api/me', { headers: { authorization: `Bearer ${session.token}` } })
  assert.equal(stale.status, 401)
  assert.equal((await send('/api/session', { method: 'DELETE', headers })).status, 200)
  const after = await send('/api/me', { headers: { authorization: `Bearer ${next}` } })
  assert.equal(after.status, 401)
})

test('option 1: refuses a spent code and passes the cause to the page', async (t) => {
  const { issuer, handle } = await startApp(t)
  const send = browse(handle)
  const code = issuer.mintCode()
  assert.equal((await send('/api/exchange', post({ code }))).status, 200)
  const again = await send('/api/exchange', post({ code }))
  assert.equal(again.status, 400)
  const view = (await again.json()) as Record<string, string>
  assert.equal(view.error, 'invalid_grant')
  assert.match(view.trace_id ?? '', /^trc_/)
  assert.match(view.fix ?? '', /Launch the app again/)
})

test('option 1: answers 400 without a request to any body without a code', async (t) => {
  const { issuer, handle } = await startApp(t)
  const send = browse(handle)
  for (const body of ['', 'null', '[]', '{', '"code"', '{"code":{"a":1}}', '{"code":""}']) {
    const answer = await send('/api/exchange', { method: 'POST', body })
    assert.equal(answer.status, 400, body)
    assert.equal(((await answer.json()) as { error: string }).error, 'missing_code')
  }
  assert.equal(issuer.requests.length, 0)
})

test('option 2: gives the SDK tokens that start a session of the app', async (t) => {
  const { issuer, kit } = await startApp(t)
  const answer = await kit.handleTokenRequest(
    new Request(`${APP}/token`, post({ code: issuer.mintCode() })),
  )
  const { id_token: idToken } = (await answer.json()) as { id_token: string }
  assert.equal((await kit.verifyIdToken(idToken)).account.id, 'acc_0001')
  await assert.rejects(kit.verifyIdToken(idToken), { code: 'token_replayed' })
})

test('checks PKCE and nonce from authorize to the verified token', async (t) => {
  const { issuer, kit } = await startApp(t)
  const codeVerifier = 'v'.repeat(43)
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  const code = issuer.mintCode(issuer.mintLaunch(), { codeChallenge, nonce: 'n_1' })
  const { idToken } = await kit.exchange(code, { codeVerifier })
  await assert.rejects(kit.verifyIdToken(idToken, { nonce: 'n_2' }), { code: 'nonce_mismatch' })
  assert.ok(await kit.verifyIdToken(idToken, { nonce: 'n_1' }))
})

test('starts a session for the browser that has the proof of the nonce only [V20]', async (t) => {
  const { issuer, kit } = await startApp(t)
  const { code, codeVerifier, nonceProof, state, url } = issuer.mintCallback()
  assert.deepEqual(
    [...new URL(url).searchParams],
    [
      ['code', code],
      ['state', state],
      ['iss', issuer.issuer],
    ],
  )
  const { idToken } = await kit.exchange(code, { codeVerifier })
  for (const wrong of [undefined, null, '', 7, 'q'.repeat(43)]) {
    const verified = kit.verifyIdToken(idToken, { nonceProof: wrong })
    await assert.rejects(verified, { code: 'nonce_mismatch', status: 401 })
  }
  assert.ok(await kit.verifyIdToken(idToken, { nonceProof }))
})

test('starts no session for a page of another origin, and sets no cookie [V20]', async (t) => {
  const { issuer, handle } = await startApp(t)
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    const body = JSON.stringify({ id_token: issuer.mintIdToken() })
    const request = new Request(`${APP}/api/session`, { method: 'POST', body, headers })
    await assert.rejects(handle(request), { code: 'origin_not_allowed', status: 403 })
  }
})
