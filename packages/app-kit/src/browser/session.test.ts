// The app's own session in the page: the bearer's origin, shared renewals, and the end. The server
// is a function; no socket is opened. Spec §5.6.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBlockedPage, openPage, type PageFixture } from './page-fixture.ts'
import { createSession } from './session.ts'

interface Call {
  readonly path: string
  readonly init: RequestInit
  readonly headers: Headers
}

/** A server that accepts bearer number `live`; each renewal issues the next one. */
function serve({ live = 0, renewStatus = 200, id = 's1' } = {}) {
  const calls: Call[] = []
  let made = 0
  const credentials = () => ({ session: { id, token: `${id}.${made}`, expires_in: 600 } })
  const fetchFrom = async (url: string | URL | Request, init: RequestInit = {}) => {
    const path = new URL(String(url)).pathname
    const headers = new Headers(init.headers)
    calls.push({ path, init, headers })
    await new Promise((resolve) => setTimeout(resolve, 2))
    if (path === '/api/session') return Response.json({ greeting: 'hello', ...credentials() })
    if (path === '/api/session/renew') {
      if (renewStatus !== 200) return Response.json({ error: 'x' }, { status: renewStatus })
      made += 1
      return Response.json(credentials())
    }
    const isLive = headers.get('authorization') === `Bearer ${id}.${live}`
    return isLive
      ? Response.json({ path })
      : Response.json({ error: 'session_ended' }, { status: 401 })
  }
  return { id, calls, fetch: fetchFrom as typeof fetch }
}

const open = (server: ReturnType<typeof serve>, page = openPage('https://app.example/callback')) =>
  createSession({ fetch: server.fetch }, page)

/** The same frame and history entry, with nothing in memory. */
const reload = ({ location, history, stored }: PageFixture) =>
  openPage(location.origin + location.pathname, stored, history.state)

const paths = ({ calls }: ReturnType<typeof serve>) => calls.map(({ path }) => path)

test('starts with the whole answer of the server, and sends its bearer afterwards', async () => {
  const server = serve()
  const session = open(server)
  assert.equal((await session.start<{ greeting: string }>({ code: 'c' })).greeting, 'hello')
  assert.deepEqual(await session.request('GET', '/api/me'), { path: '/api/me' })
  assert.equal(server.calls[1]?.headers.get('authorization'), 'Bearer s1.0')
  assert.equal(server.calls[0]?.headers.get('authorization'), null)
})

test('sends one start for two calls, and another one after a failure', async () => {
  const server = serve()
  const session = open(server)
  const replies = await Promise.all([session.start({ code: 'c' }), session.start({ code: 'c' })])
  assert.deepEqual(replies[0], replies[1])
  assert.deepEqual(await session.start({ code: 'c' }), replies[0])
  assert.deepEqual(paths(server), ['/api/session'])
  let asked = 0
  const failing = async () => {
    asked += 1
    return Response.json({ error: 'keys_unavailable' }, { status: 503 })
  }
  const other = createSession({ fetch: failing }, openPage('https://app.example/callback'))
  const doubled = [other.start({ code: 'd' }), other.start({ code: 'd' })]
  await Promise.all(doubled.map((start) => assert.rejects(start, { status: 503 })))
  await assert.rejects(other.start({ code: 'd' }), { status: 503 })
  assert.equal(asked, 2)
})

test('renews once for all waiting requests and sends each again', async () => {
  const server = serve({ live: 1 })
  const session = open(server)
  await session.start({ code: 'c' })
  const wanted = ['/api/a', '/api/b', '/api/c']
  const replies = await Promise.all(wanted.map((path) => session.request('GET', path)))
  assert.deepEqual(
    replies,
    wanted.map((path) => ({ path })),
  )
  const renewals = server.calls.filter(({ path }) => path === '/api/session/renew')
  assert.equal(renewals.length, 1)
  assert.equal(renewals[0]?.headers.get('x-session-id'), 's1')
  assert.equal(renewals[0]?.headers.get('authorization'), null)
})

test('holds a request back until a renewal under way has ended', async () => {
  const server = serve({ live: 1 })
  const session = open(server)
  await session.start({ code: 'c' })
  const renewing = session.resume()
  await session.request('GET', '/api/me')
  assert.equal(await renewing, true)
  assert.deepEqual(paths(server), ['/api/session', '/api/session/renew', '/api/me'])
})

test('does not renew again for a late 401 of the previous bearer', async () => {
  const server = serve({ live: 1 })
  const late = (async (url: string, init: RequestInit) => {
    const response = await server.fetch(url, init)
    // Long enough for the renewal of the other request to end.
    if (url.endsWith('/api/slow')) await new Promise((resolve) => setTimeout(resolve, 40))
    return response
  }) as typeof fetch
  const session = createSession({ fetch: late }, openPage('https://app.example/callback'))
  await session.start({ code: 'c' })
  const replies = ['/api/slow', '/api/quick'].map((path) => session.request('GET', path))
  assert.deepEqual(await Promise.all(replies), [{ path: '/api/slow' }, { path: '/api/quick' }])
  assert.equal(paths(server).filter((path) => path.endsWith('renew')).length, 1)
})

test('rejects with session_ended when the renewal is refused, and sends no more', async () => {
  const server = serve({ live: 9, renewStatus: 401 })
  const session = open(server)
  await session.start({ code: 'c' })
  await assert.rejects(session.request('GET', '/api/me'), { code: 'session_ended' })
  const asked = server.calls.length
  await assert.rejects(session.request('GET', '/api/me'), { code: 'session_ended' })
  assert.equal(server.calls.length, asked)
})

test('keeps the session when a renewal fails with 5xx', async () => {
  const server = serve({ live: 9, renewStatus: 503 })
  const session = open(server)
  await session.start({ code: 'c' })
  await assert.rejects(session.request('GET', '/api/me'), { code: 'request_failed', status: 503 })
  await assert.rejects(session.request('GET', '/api/me'), { code: 'request_failed', status: 503 })
})

test('renews once when the server keeps answering 401', async () => {
  const server = serve({ live: 9 })
  const session = open(server)
  await session.start({ code: 'c' })
  await assert.rejects(session.request('GET', '/api/me'), { code: 'session_ended' })
  assert.deepEqual(paths(server), ['/api/session', '/api/me', '/api/session/renew', '/api/me'])
})

test('never sends the bearer to another origin', async () => {
  const server = serve()
  const session = open(server)
  await session.start({ code: 'c' })
  for (const address of ['https://evil.example/api', '//evil.example/api', 'http://app.example/']) {
    await assert.rejects(session.fetch(address), { code: 'foreign_address' })
  }
  assert.equal(server.calls.length, 1)
})

test('resumes after a reload by history entry and cookie, and stores no bearer [H05]', async () => {
  const server = serve({ live: 1 })
  const page = openPage('https://app.example/callback')
  await open(server, page).start({ code: 'c' })
  assert.deepEqual(page.history.state, { 'chartside:session': 's1' })
  assert.equal(page.stored.size, 0)
  const next = open(server, reload(page))
  assert.equal(await next.resume(), true)
  assert.deepEqual(await next.request('GET', '/api/me'), { path: '/api/me' })
})

test('resumes in each of two frames of one tab the session of its own launch', async () => {
  const stored = new Map<string, string>()
  const frames = ['s1', 's2'].map((id) => ({
    server: serve({ live: 1, id }),
    page: openPage('https://app.example/callback', stored),
  }))
  for (const { server, page } of frames) await open(server, page).start({ code: 'c' })
  for (const { server, page } of frames) {
    assert.equal(await open(server, reload(page)).resume(), true)
    const renewal = server.calls.find(({ path }) => path === '/api/session/renew')
    assert.equal(renewal?.headers.get('x-session-id'), server.id)
  }
  const fresh = serve()
  assert.equal(await open(fresh, openPage('https://app.example/', stored)).resume(), false)
  assert.equal(fresh.calls.length, 0)
})

test("keeps the router's state in the history entry and marks new entries", async () => {
  const server = serve()
  const page = openPage('https://app.example/callback', new Map(), { idx: 0 })
  const session = open(server, page)
  await session.start({ code: 'c' })
  assert.deepEqual(page.history.state, { idx: 0, 'chartside:session': 's1' })
  page.history.replaceState({ idx: 1 }, '', '/notes')
  await session.request('GET', '/api/me')
  assert.deepEqual(page.history.state, { idx: 1, 'chartside:session': 's1' })
  assert.equal(page.location.pathname, '/notes')
  await session.end()
  assert.deepEqual(page.history.state, { idx: 1 })
  for (const state of ['text', ['list']]) {
    const other = openPage('https://app.example/callback', new Map(), state)
    await open(server, other).start({ code: 'c' })
    assert.deepEqual(other.history.state, state)
  }
})

test('resumes after the app has cleared its history entry', async () => {
  const server = serve()
  const page = openPage('https://app.example/callback')
  await open(server, page).start({ code: 'c' })
  const reloaded = reload(page)
  const session = open(server, reloaded)
  reloaded.history.replaceState(null, '', '/callback')
  assert.equal(await session.resume(), true)
})

test('shares start and renewal between two session objects of a page', async () => {
  const server = serve({ live: 1 })
  const page = openPage('https://app.example/callback')
  const [one, two] = [open(server, page), open(server, page)]
  const replies = await Promise.all([one.start({ code: 'c' }), two.start({ code: 'c' })])
  assert.deepEqual(replies[0], replies[1])
  assert.deepEqual(await Promise.all([one.resume(), two.resume()]), [true, true])
  for (const session of [one, two, one]) await session.request('GET', '/api/me')
  assert.deepEqual(paths(server).slice(0, 2), ['/api/session', '/api/session/renew'])
  assert.equal(server.calls.length, 5)
  await one.end()
  await assert.rejects(two.request('GET', '/api/me'), { code: 'session_ended' })
})

test('does not resume in a new frame, and needs no storage', async () => {
  const server = serve()
  assert.equal(await open(server).resume(), false)
  const blocked = openBlockedPage('https://app.example/callback')
  const session = createSession({ fetch: server.fetch }, blocked)
  assert.equal(await session.resume(), false)
  await session.start({ code: 'c' })
  assert.deepEqual(await session.request('GET', '/api/me'), { path: '/api/me' })
})

test('ends with id and bearer in a request that outlives the frame', async () => {
  const server = serve()
  const page = openPage('https://app.example/callback')
  const session = open(server, page)
  await session.start({ code: 'c' })
  await session.end()
  const last = server.calls.at(-1)
  assert.deepEqual([last?.init.method, last?.init.keepalive], ['DELETE', true])
  assert.equal(last?.headers.get('x-session-id'), 's1')
  assert.equal(last?.headers.get('authorization'), 'Bearer s1.0')
  assert.equal(page.history.state, null)
  await assert.rejects(session.request('GET', '/api/me'), { code: 'session_ended' })
})

test('passes on the error body of the server, and reports when it does not answer', async () => {
  const session = createSession(
    { fetch: async () => Response.json({ error: 'invalid_grant' }, { status: 400 }) },
    openPage('https://app.example/'),
  )
  await assert.rejects(session.start({ code: 'c' }), {
    code: 'request_failed',
    status: 400,
    body: { error: 'invalid_grant' },
  })
  const offline = createSession(
    { fetch: () => Promise.reject(new TypeError('fetch failed')) },
    openPage('https://app.example/'),
  )
  await assert.rejects(offline.start({ code: 'c' }), { code: 'server_unreachable' })
  const wrong = createSession(
    { fetch: async () => Response.json({}) },
    openPage('https://app.example/'),
  )
  await assert.rejects(wrong.start({ code: 'c' }), /without a session/)
})

test('asks its own server with its own cookies, and follows no redirect', async () => {
  const server = serve()
  await open(server).start({ code: 'c' })
  const { redirect, credentials } = server.calls[0]?.init ?? {}
  assert.deepEqual([redirect, credentials], ['error', 'same-origin'])
})

test('ends after the last save, and not beside it', async () => {
  const server = serve()
  const session = open(server)
  await session.start({ code: 'c' })
  session.beforeEnd(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    await session.request('GET', '/api/last-save')
  })
  await session.end()
  assert.deepEqual(paths(server), ['/api/session', '/api/last-save', '/api/session'])
})
