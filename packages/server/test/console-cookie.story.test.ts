// The session cookie of the console: how a browser gets it, what it opens and what it never opens. One
// attack, one test. Contract §4, security H04, U06, P04.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { signInOnPage, type TestBrowser, testBrowser } from './sign-in-browser.ts'
import { signIn } from './story.ts'
import { ADMIN, HOST_ORIGIN, startTestService, type TestService } from './test-service.ts'

const OWN = 'https://chartside.test'
const NAME = '__Host-chartside-session'
const PAGE = { origin: OWN, 'sec-fetch-site': 'same-origin' }

let node: TestService
let browser: TestBrowser
before(async () => {
  node = await startTestService()
})
after(() => node.close())
beforeEach(() => {
  browser = testBrowser(node)
})

/** Signs in by the sign-in page. Returns the cookie and the last answer. */
async function signInForConsole(returnTo = '/console') {
  const query = new URLSearchParams({ return_to: returnTo })
  const shown = await signInOnPage(browser, `/auth/sign-in?${query}`, ADMIN)
  const cookies = browser.cookie?.split('; ') ?? []
  const cookie = cookies.find((one) => one.startsWith(`${NAME}=st_`)) ?? ''
  assert.notEqual(cookie, '', String(shown.status))
  return { cookie, shown }
}

const call = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  headers: Record<string, string>,
  payload?: object,
): Promise<LightMyRequestResponse> =>
  node.server.inject({ method, url, headers, ...(payload ? { payload } : {}) })

const me = async (headers: Record<string, string>) =>
  (await call('GET', '/api/users/me', headers)).statusCode

test('signs the browser in with a cookie and leads to the address asked for [H04]', async () => {
  const page = await browser.open('/auth/sign-in?return_to=%2Fconsole%2Fsettings%3Fa%3Db')
  const answer = await node.server.inject({
    method: 'POST',
    url: '/auth/sign-in/password',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: browser.cookie ?? '',
      'sec-fetch-site': 'same-origin',
    },
    payload: new URLSearchParams({
      ...ADMIN,
      return_to: '/console/settings?a=b',
      form_token: /name="form_token" value="([^"]+)"/.exec(page.html)?.[1] ?? '',
    }).toString(),
  })
  assert.equal(answer.statusCode, 303, answer.body)
  assert.equal(answer.headers.location, `${OWN}/console/settings?a=b`)
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.match(
    String(answer.headers['set-cookie']),
    /^__Host-chartside-session=st_[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  )
})

test('leads nowhere but to the console, whatever the link asks for [U06]', async () => {
  for (const target of ['https://evil.test/', '//evil.test', '/console/../api/users/me']) {
    const { shown } = await signInForConsole(target)
    assert.equal(new URL(shown.url, OWN).href, `${OWN}/console`, target)
    browser = testBrowser(node)
  }
})

test('opens the backend API for pages of the own origin', async () => {
  const { cookie } = await signInForConsole()
  assert.equal(await me({ cookie, 'sec-fetch-site': 'same-origin' }), 200)
  const changed = await call('PATCH', '/api/users/me', { cookie, ...PAGE }, { name: 'A. Admin' })
  assert.equal(changed.statusCode, 200, changed.body)
})

test('is nothing for a page of another origin, CSRF by form or script [U06]', async () => {
  const { cookie } = await signInForConsole()
  const attacks: Record<string, string>[] = [
    { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://app.chartside.test', 'sec-fetch-site': 'same-site' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { 'sec-fetch-site': 'none' },
    { origin: HOST_ORIGIN },
    {},
  ]
  for (const attack of attacks) {
    const headers = { cookie, ...attack }
    const answer = await call('PATCH', '/api/users/me', headers, { name: 'Mallory' })
    assert.equal(answer.statusCode, 401, JSON.stringify(attack))
    assert.equal((await call('POST', '/auth/sign-out', headers, {})).statusCode, 401)
  }
  for (const origin of ['https://evil.test', HOST_ORIGIN]) {
    assert.equal(await me({ cookie, origin, 'sec-fetch-site': 'cross-site' }), 401)
    assert.equal(await me({ cookie, origin }), 401)
  }
  const { name } = (await call('GET', '/api/users/me', { cookie })).json()
  assert.notEqual(name, 'Mallory')
})

test('lets no origin send cookies by CORS', async () => {
  const answer = await node.server.inject({
    method: 'OPTIONS',
    url: '/api/users/me',
    headers: { origin: HOST_ORIGIN, 'access-control-request-method': 'PATCH' },
  })
  assert.equal(answer.headers['access-control-allow-credentials'], undefined)
})

test('never counts beside a bearer token: neither saves a wrong one nor wins', async () => {
  const { cookie } = await signInForConsole()
  const wrong = { cookie, authorization: `Bearer st_${'0'.repeat(22)}${'A'.repeat(43)}`, ...PAGE }
  assert.equal(await me(wrong), 401)
  assert.equal(await me({ cookie, authorization: 'Basic eDp5', ...PAGE }), 401)
  const token = await signIn(node, ADMIN)
  const listed = await call('GET', '/api/users/me/sign-ins', {
    cookie,
    authorization: `Bearer ${token}`,
  })
  const items: { id: string; isCurrent: boolean }[] = listed.json().items
  const current = items.find(({ isCurrent }) => isCurrent)?.id ?? 'none'
  assert.ok(token.includes(current.replace('sgn_', '')), 'the bearer token is who calls')
})

test('is never taken under /app-auth', async () => {
  const { cookie } = await signInForConsole()
  const headers = { cookie, ...PAGE }
  const userinfo = await call('GET', '/app-auth/userinfo', headers)
  assert.equal(userinfo.statusCode, 401)
  const introspected = await call('POST', '/app-auth/introspect', { cookie }, { token: 'at_x' })
  assert.equal(introspected.statusCode, 401, introspected.body)
})

test('refuses session fixation: a cookie set before is not adopted [U06]', async () => {
  const planted = `${NAME}=st_${'0'.repeat(22)}${'A'.repeat(43)}`
  browser.cookie = planted
  const { cookie } = await signInForConsole()
  assert.notEqual(cookie, planted)
  assert.equal(await me({ cookie: planted }), 401)
  // Two cookies of the name: an attacker has added one, so neither counts.
  assert.equal(await me({ cookie: `${planted}; ${cookie}` }), 401)
})

test('ends the sign-in that the browser had when it signs in again [U06]', async () => {
  const first = await signInForConsole()
  const page = await browser.open('/auth/sign-in')
  const shown = await browser.send(page, '/auth/sign-in/password', { ...ADMIN })
  assert.equal(shown.status, 200)
  assert.equal(await me({ cookie: first.cookie }), 401)
  assert.equal(await me({ cookie: browser.cookie ?? '' }), 200)
})

test('signs out: the cookie is cleared and its token is dead at once', async () => {
  const { cookie } = await signInForConsole()
  const answer = await call('POST', '/auth/sign-out', { cookie, ...PAGE }, {})
  assert.equal(answer.statusCode, 204)
  assert.match(String(answer.headers['set-cookie']), /^__Host-chartside-session=; .*Max-Age=0$/)
  assert.equal(await me({ cookie }), 401)
})

test('signs out everywhere: every other browser and program of the person', async () => {
  const one = await signInForConsole()
  browser = testBrowser(node)
  const other = await signInForConsole()
  const token = await signIn(node, ADMIN)
  const answer = await call(
    'POST',
    '/auth/sign-out',
    { cookie: one.cookie, ...PAGE },
    { everywhere: true },
  )
  assert.equal(answer.statusCode, 204)
  assert.equal(await me({ cookie: other.cookie }), 401)
  assert.equal(await me({ authorization: `Bearer ${token}` }), 401)
})

test('goes idle although its page polls; activity moves the end, not the last [P04]', async () => {
  const { cookie } = await signInForConsole()
  const polling = { cookie, 'chartside-background': '1' }
  const idle = node.service.config.sessionIdleSeconds
  const end = async () => (await call('GET', '/api/users/me/sign-in', { cookie })).json()
  const planned = await end()
  assert.equal(planned.reason, 'idle')
  assert.equal(Date.parse(planned.endsAt) - Date.parse(planned.warnAt), 120_000)
  node.clock.advance(idle - 60)
  assert.equal(await me(polling), 200)
  assert.equal((await end()).endsAt, planned.endsAt, 'neither polling nor asking moves it')
  const stayed = await call('POST', '/api/users/me/activity', { cookie, ...PAGE }, {})
  assert.equal(stayed.statusCode, 200, stayed.body)
  assert.ok(Date.parse(stayed.json().endsAt) > Date.parse(planned.endsAt))
  node.clock.advance(idle - 1)
  assert.equal(await me(polling), 200)
  node.clock.advance(1)
  const over = await call('GET', '/api/users/me', { cookie })
  assert.equal(over.statusCode, 401)
  assert.equal(over.json().ended.reason, 'idle')
  const late = await call('POST', '/api/users/me/activity', { cookie, ...PAGE }, {})
  assert.equal(late.statusCode, 401, 'activity after the end revives nothing')
})

test('lists where a person is signed in, and ends one of these alone', async () => {
  const { cookie } = await signInForConsole()
  await call('POST', '/auth/sign-out', { cookie, ...PAGE }, { everywhere: true })
  browser = testBrowser(node)
  const mine = await signInForConsole()
  node.clock.advance(1)
  const other = await node.server.inject({
    method: 'POST',
    url: '/auth/sign-in',
    headers: { 'user-agent': `Curl\u00e9\u0007 ${'x'.repeat(400)}` },
    payload: ADMIN,
  })
  const { items } = (await call('GET', '/api/users/me/sign-ins', { cookie: mine.cookie })).json()
  assert.equal(items.length, 2)
  const [program, page] = items
  assert.deepEqual([program.isCurrent, page.isCurrent], [false, true])
  assert.equal(program.userAgent.length, 256)
  assert.match(program.userAgent, /^Curl x+$/)
  assert.equal(page.address, '127.0.0.1')
  const removed = await call('DELETE', `/api/users/me/sign-ins/${program.id}`, {
    cookie: mine.cookie,
    ...PAGE,
  })
  assert.equal(removed.statusCode, 204, removed.body)
  assert.equal(await me({ authorization: `Bearer ${other.json().token}` }), 401)
  assert.equal(await me({ cookie: mine.cookie }), 200)
  const again = await call('DELETE', `/api/users/me/sign-ins/${program.id}`, {
    cookie: mine.cookie,
    ...PAGE,
  })
  assert.equal(again.statusCode, 404)
})
