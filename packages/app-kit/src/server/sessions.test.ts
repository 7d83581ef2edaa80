// The app's own sessions: their credentials, many launches in one browser, foreign pages, time.
// Spec §5.6; security H04.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildBearerRequest,
  buildIdentity,
  buildRequest,
  cookieOf,
  createFixture,
  ORIGIN,
  OWN_PAGE,
  renew,
} from './session-fixture.ts'
import { createMemorySessionStore, type StoredSession } from './session-store.ts'
import { createSessions, type StartedSession } from './sessions.ts'

test('sets a cookie that scripts cannot read and that works inside the panel [H04]', async () => {
  const { setCookie, id } = await createFixture().sessions.start(buildIdentity(), OWN_PAGE)
  const [named, ...attributes] = setCookie.split('; ')
  assert.match(named ?? '', new RegExp(`^__Host-session-${id}=[\\w-]{65}$`))
  assert.deepEqual(attributes, [
    'Path=/',
    'Max-Age=3600',
    'Secure',
    'HttpOnly',
    'SameSite=None',
    'Partitioned',
  ])
})

test('scopes the cookie to a path, with the prefix __Secure- [H04]', async () => {
  const { sessions } = createFixture({ cookieName: 'notes', cookiePath: '/api/session' })
  const { setCookie, id } = await sessions.start(buildIdentity(), OWN_PAGE)
  assert.match(setCookie, new RegExp(`^__Secure-notes-${id}=.+; Path=/api/session; `))
})

test('sends the bearer in the body and the refresh credential in the cookie only', async () => {
  const started = await createFixture().sessions.start(buildIdentity(), OWN_PAGE)
  const response = started.respond({ access_token: 'at_1' })
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('set-cookie'), started.setCookie)
  const text = await response.text()
  assert.deepEqual(JSON.parse(text), {
    access_token: 'at_1',
    session: { id: started.id, token: started.bearer, expires_in: 600 },
  })
  assert.ok(!text.includes(cookieOf(started.setCookie).split('=')[1] ?? ''))
})

test('authenticates the bearer until it expires', async () => {
  const { sessions, advance } = createFixture()
  const { bearer } = await sessions.start(buildIdentity(), OWN_PAGE)
  assert.equal((await sessions.authenticate(buildBearerRequest(bearer)))?.userId, 'usr_1')
  advance(599)
  assert.ok(await sessions.authenticate(buildBearerRequest(bearer)))
  advance(1)
  assert.equal(await sessions.authenticate(buildBearerRequest(bearer)), undefined)
})

test('refuses any other credential as a bearer', async () => {
  const { sessions } = createFixture()
  const { bearer, id, setCookie } = await sessions.start(buildIdentity(), OWN_PAGE)
  const refresh = cookieOf(setCookie).split('=')[1] ?? ''
  for (const wrong of ['', id, `${id}.`, `${id}.${refresh}`, `${bearer}x`, `x${bearer}`, refresh]) {
    assert.equal(await sessions.authenticate(buildBearerRequest(wrong)), undefined)
  }
  assert.equal(await sessions.authenticate(new Request(ORIGIN)), undefined)
})

test('keeps several launches in one browser apart', async () => {
  const fixture = createFixture()
  const cookies: string[] = []
  const started: StartedSession[] = []
  for (let launch = 0; launch < 5; launch += 1) {
    const session = await fixture.sessions.start(buildIdentity(`lnch_${launch}`), OWN_PAGE)
    started.push(session)
    cookies.push(cookieOf(session.setCookie))
  }
  assert.equal(new Set(cookies.map((cookie) => cookie.split('=')[0])).size, 5)
  for (const [launch, { id }] of started.entries()) {
    const renewed = await renew(fixture, id, cookies)
    const who = await fixture.sessions.authenticate(buildBearerRequest(renewed.bearer))
    assert.equal(who?.launchId, `lnch_${launch}`)
  }
})

test('ends an unused session after an hour, one in use after eight', async () => {
  const idle = createFixture()
  const first = await idle.sessions.start(buildIdentity(), OWN_PAGE)
  idle.advance(3_600)
  assert.equal((await renew(idle, first.id, [cookieOf(first.setCookie)])).status, 401)

  const used = createFixture()
  const { id, setCookie } = await used.sessions.start(buildIdentity(), OWN_PAGE)
  let cookie = cookieOf(setCookie)
  for (let quarter = 1; quarter < 32; quarter += 1) {
    used.advance(900)
    const renewed = await renew(used, id, [cookie])
    assert.equal(renewed.status, 200, `after ${quarter} quarters of an hour`)
    cookie = renewed.cookie
  }
  used.advance(900)
  assert.equal((await renew(used, id, [cookie])).status, 401)
})

for (const [what, headers] of [
  ['another origin', { origin: 'https://evil.example' }],
  ['a sandboxed page', { origin: 'null' }],
  ['a sibling subdomain', { origin: ORIGIN, 'sec-fetch-site': 'same-site' }],
  ['another site that claims our origin', { origin: ORIGIN, 'sec-fetch-site': 'cross-site' }],
] as const) {
  test(`refuses renewal and end from a page of ${what}`, async () => {
    const fixture = createFixture()
    const { id, setCookie, bearer } = await fixture.sessions.start(buildIdentity(), OWN_PAGE)
    const cookies = [cookieOf(setCookie)]
    for (const method of ['POST', 'DELETE']) {
      const verb = method === 'POST' ? fixture.sessions.renew : fixture.sessions.end
      const response = await verb(buildRequest(method, id, cookies, headers))
      assert.equal(response.status, 403)
      assert.deepEqual(await response.json(), { error: 'origin_not_allowed' })
    }
    assert.ok(await fixture.sessions.authenticate(buildBearerRequest(bearer)))
    assert.equal((await renew(fixture, id, cookies)).status, 200)
  })
}

test('refuses a request without an origin', async () => {
  const { sessions } = createFixture()
  const { id, setCookie } = await sessions.start(buildIdentity(), OWN_PAGE)
  const bare = new Request(`${ORIGIN}/api/session`, {
    method: 'POST',
    headers: { cookie: cookieOf(setCookie), 'x-session-id': id },
  })
  assert.equal((await sessions.renew(bare)).status, 403)
})

test('accepts a page behind a proxy by Sec-Fetch-Site', async () => {
  const { sessions } = createFixture()
  const { id, setCookie } = await sessions.start(buildIdentity(), OWN_PAGE)
  const seen = (headers: Record<string, string>) =>
    new Request('http://10.0.0.7:3000/api/session/renew', {
      method: 'POST',
      headers: { origin: ORIGIN, cookie: cookieOf(setCookie), 'x-session-id': id, ...headers },
    })
  assert.equal((await sessions.renew(seen({}))).status, 403)
  assert.equal((await sessions.renew(seen({ 'sec-fetch-site': 'same-origin' }))).status, 200)
})

test('ends with either credential and clears the cookie', async () => {
  for (const by of ['cookie', 'bearer'] as const) {
    const { sessions } = createFixture()
    const { id, setCookie, bearer } = await sessions.start(buildIdentity(), OWN_PAGE)
    const cookies = by === 'cookie' ? [cookieOf(setCookie)] : []
    const headers: Record<string, string> =
      by === 'bearer' ? { authorization: `Bearer ${bearer}` } : {}
    const response = await sessions.end(buildRequest('DELETE', id, cookies, headers))
    assert.equal(response.status, 200)
    assert.match(response.headers.get('set-cookie') ?? '', /=; Path=\/; Max-Age=0; /)
    assert.equal(await sessions.authenticate(buildBearerRequest(bearer)), undefined)
  }
})

test('refuses to end a session by its id alone', async () => {
  const { sessions } = createFixture()
  const { id, bearer } = await sessions.start(buildIdentity(), OWN_PAGE)
  assert.equal((await sessions.end(buildRequest('DELETE', id, []))).status, 401)
  assert.equal((await sessions.renew(buildRequest('POST', id, []))).status, 401)
  assert.ok(await sessions.authenticate(buildBearerRequest(bearer)))
})

test('stores hashes of the credentials, never the credentials', async () => {
  const kept: StoredSession[] = []
  const memory = createMemorySessionStore()
  const store = {
    ...memory,
    insert: async (session: StoredSession) => {
      kept.push(session)
      await memory.insert(session)
    },
  }
  const { bearer, setCookie } = await createSessions({ store }).start(buildIdentity(), OWN_PAGE)
  const text = JSON.stringify(kept)
  assert.equal(kept.length, 1)
  assert.ok(!text.includes(bearer.split('.')[1] ?? 'x'))
  const refresh = cookieOf(setCookie).split('=')[1] ?? 'x'
  for (const part of [refresh.slice(0, 22), refresh.slice(22)]) assert.ok(!text.includes(part))
})

test('deletes expired sessions', async () => {
  const { sessions, store, advance } = createFixture()
  const { id } = await sessions.start(buildIdentity(), OWN_PAGE)
  advance(3_601)
  await sessions.start(buildIdentity(), OWN_PAGE)
  assert.equal(await store.find(id), undefined)
})

test('gives no bearer that lasts longer than its session', async () => {
  const { sessions } = createFixture({ lifetimes: { bearerSeconds: 600, totalSeconds: 60 } })
  const { expiresInSeconds } = await sessions.start(buildIdentity(), OWN_PAGE)
  assert.equal(expiresInSeconds, 60)
})

test('ends every session of an EHR session, and no other', async () => {
  const { sessions } = createFixture()
  const bearerOf = async (sessionId: string) => {
    const identity = { ...buildIdentity(), sessionId }
    return buildBearerRequest((await sessions.start(identity, OWN_PAGE)).bearer)
  }
  const [one, two, other] = [
    await bearerOf('ses_1'),
    await bearerOf('ses_1'),
    await bearerOf('ses_2'),
  ]
  await sessions.endAll('ses_1')
  assert.equal(await sessions.authenticate(one), undefined)
  assert.equal(await sessions.authenticate(two), undefined)
  assert.ok(await sessions.authenticate(other))
})
