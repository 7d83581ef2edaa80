// Signing in at an OpenID Connect provider that nobody here wrote: known and unknown accounts, whom an
// address may stand for, and answers that belong to another browser. Contract §3, OpenID Connect
// Core, security U06.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { CLIENT, startProvider, type TestProvider } from './identity-provider.ts'
import { signInOnPage, type TestBrowser, testBrowser, testClient } from './sign-in-browser.ts'
import { signIn } from './story.ts'
import { ADMIN, startTestService, type TestService, testClock } from './test-service.ts'

const BASE = 'https://chartside.test'
const PASSWORD = 'a few words, well chosen'

let provider: TestProvider
let service: TestService
let browser: TestBrowser
let token: string
let accountId: string
let count = 0
before(async () => {
  provider = await startProvider(`${BASE}/auth/callback`)
  const environment = {
    CHARTSIDE_OIDC_ISSUER: provider.issuer,
    CHARTSIDE_OIDC_CLIENT_ID: CLIENT.id,
    CHARTSIDE_OIDC_CLIENT_SECRET: CLIENT.secret,
    CHARTSIDE_OIDC_NAME: 'Lakeside Login',
  }
  // The library checks times against the real clock.
  service = await startTestService(environment, { clock: testClock(Date.now()) })
  token = await signIn(service, ADMIN)
  accountId = (await api('POST', '/api/accounts', { name: 'Lakeside' })).json().id
})
after(async () => {
  await service.close()
  await provider.stop()
})
beforeEach(() => {
  browser = testBrowser(service)
  count += 1
})

const api = (method: 'GET' | 'POST', url: string, payload?: object, bearer = token) =>
  service.server.inject({
    method,
    url,
    headers: { authorization: `Bearer ${bearer}` },
    ...(payload ? { payload } : {}),
  })

async function invite(to = accountId) {
  const email = `p${count}@lakeside.example`
  const body = { email, name: `Person ${count}`, role: 'provider' }
  return (await api('POST', `/api/accounts/${to}/members`, body)).json()
}

const account = (fields: object = {}) => ({
  sub: `sub-${count}`,
  email: `p${count}@lakeside.example`,
  email_verified: true,
  ...fields,
})

/** Where the page's link to the provider sends the browser. */
async function leave(url: string, from = browser): Promise<string> {
  const page = await from.open(url)
  const href = /id="provider" href="([^"]+)"/.exec(page.html)?.[1]?.replaceAll('&#38;', '&') ?? ''
  const left = await from.open(href)
  assert.equal(left.status, 303, left.html)
  return String(left.headers.location)
}

const goThere = async (url: string, from = browser) => provider.visit(await leave(url, from))

/** Comes back from the provider with a one-time address, and says that it is them. */
async function bindAt(url: string, from = browser) {
  const question = await from.open(await goThere(url, from))
  assert.match(question.html, /Sign in with Lakeside Login from now on\?/, question.html)
  return from.send(question, '/auth/invitation/provider', { answer: 'yes' })
}

/** Signs in as the account that sits at the provider. Gives the session token. */
async function signInWithAccount(): Promise<string> {
  const client = testClient(service)
  const question = await browser.open(await goThere(client.url))
  await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
  const collected = await client.poll()
  assert.equal(collected.statusCode, 200, question.html)
  return collected.json().token
}

test('the configuration names the provider, and the way there has PKCE, state and nonce', async () => {
  const config = (await service.server.inject({ url: '/auth/config' })).json()
  assert.deepEqual(config.methods, ['password', 'passkey', 'oidc'])
  assert.deepEqual(config.identityProvider, { name: 'Lakeside Login' })
  const { searchParams } = new URL(await leave(testClient(service).url))
  assert.equal(searchParams.get('code_challenge_method'), 'S256')
  for (const name of ['state', 'nonce', 'code_challenge']) assert.ok(searchParams.get(name))
  assert.equal(searchParams.get('client_secret'), null)
})

test('an invited person comes with their account, is bound to it, joins and is known the next time', async () => {
  const { id, email } = await invite()
  provider.person = account()
  for (const isFirst of [true, false]) {
    const client = testClient(service)
    const question = await browser.open(await goThere(client.url))
    assert.match(question.html, /Is it the same code\?/, question.html)
    await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
    const delivered = (await client.poll()).json()
    assert.equal(delivered.user.id, id)
    const me = (await api('GET', '/api/users/me', undefined, delivered.token)).json()
    assert.equal(me.memberships[0].account.id, accountId)
    const methods = (
      await api('GET', '/api/users/me/login-methods', undefined, delivered.token)
    ).json().items
    assert.deepEqual(
      methods.map(({ kind, label }: { kind: string; label: string }) => [kind, label]),
      [['oidc', 'Lakeside Login']],
    )
    // From now on the subject counts and not the address.
    if (isFirst) provider.person = account({ email: 'new@lakeside.example' })
  }
  assert.match(email, /lakeside/)
})

const REFUSED: [string, object, RegExp][] = [
  ['has no verified address', { email_verified: false }, /not verified/],
  ['says nothing of verification', { email_verified: undefined }, /not verified/],
  ['says it in words', { email_verified: 'true' }, /not verified/],
  ['has no address', { email: undefined }, /not verified/],
  ['was not invited', { email: 'nobody@lakeside.example' }, /Nobody has invited/],
]
for (const [what, fields, reason] of REFUSED) {
  test(`an account that ${what} is nobody here`, async () => {
    await invite()
    provider.person = account(fields)
    const client = testClient(service)
    const refused = await browser.open(await goThere(client.url))
    assert.equal(refused.status, 401)
    assert.match(refused.html, reason)
    assert.equal((await client.poll()).statusCode, 202)
  })
}

test('an address cannot take over somebody who has a password: not them, not an administrator', async () => {
  const { invitationUrl, email } = await invite()
  const page = await browser.open(invitationUrl)
  await browser.send(page, '/auth/invitation/password', { password: PASSWORD })
  for (const taken of [email, ADMIN.email]) {
    provider.person = account({ sub: `thief of ${taken}`, email: taken })
    const refused = await browser.open(await goThere(testClient(service).url))
    assert.equal(refused.status, 401)
    assert.match(refused.html, /in another way already/)
  }
})

test('who has a password adds the provider while signed in, and signs in either way', async () => {
  const { invitationUrl, email } = await invite()
  const page = await browser.open(invitationUrl)
  await browser.send(page, '/auth/invitation/password', { password: PASSWORD })
  const own = await signIn(service, { email, password: PASSWORD })
  const { url } = (await api('POST', '/api/users/me/login-methods', undefined, own)).json()
  provider.person = account({ email: undefined })
  assert.match((await bindAt(url)).html, /From now on you can sign in this way/)
  const client = testClient(service)
  const question = await browser.open(await goThere(client.url))
  await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
  assert.equal((await client.poll()).json().user.email, email)
  const other = await signInOnPage(browser, testClient(service).url, { email, password: PASSWORD })
  assert.match(other.html, /Is it the same code\?/)
})

test('the provider joins nobody by an invitation that has expired', async () => {
  const { id } = await invite()
  const there = (await api('POST', '/api/accounts', { name: 'Northgate' })).json().id
  const late = await invite(there)
  const { db } = service.service
  const sql = 'UPDATE invitations SET expires_at = ? WHERE user_id = ? AND account_id = ?'
  await db.write({ sql, args: [service.clock(), late.id, there] })
  provider.person = account()
  const own = await signInWithAccount()
  const me = (await api('GET', '/api/users/me', undefined, own)).json()
  assert.equal(me.id, id)
  assert.deepEqual(
    me.memberships.map((membership: { account: { id: string } }) => membership.account.id),
    [accountId],
  )
})

test('an account that comes with the invitation of somebody else is bound to nobody', async () => {
  const mine = await invite()
  provider.person = account()
  count += 1
  const theirs = await invite()
  const page = await browser.open(theirs.invitationUrl)
  await browser.send(page, '/auth/invitation/password', { password: PASSWORD })
  const there = (await api('POST', '/api/accounts', { name: 'Northgate' })).json().id
  const { invitationUrl } = await invite(there)
  assert.equal((await browser.open(await goThere(invitationUrl))).status, 403)
  const sql = 'SELECT id FROM login_methods WHERE user_id = ?'
  assert.deepEqual(await service.service.db.read(sql, mine.id), [])
})

test('an account that belongs to one person cannot be added by another', async () => {
  await invite()
  provider.person = account()
  await browser.open(await goThere(testClient(service).url))
  const { url } = (await api('POST', '/api/users/me/login-methods')).json()
  assert.equal((await bindAt(url)).status, 409)
})

test('a reset answered with the account that is bound already keeps it, and ends every sign-in', async () => {
  const { id } = await invite()
  provider.person = account()
  const old = await signInWithAccount()
  const { url } = (await api('POST', `/api/users/${id}/reset`)).json()
  assert.match((await bindAt(url)).html, /From now on you can sign in this way/)
  assert.equal((await api('GET', '/api/users/me', undefined, old)).statusCode, 401)
  const fresh = await signInWithAccount()
  const { items } = (await api('GET', '/api/users/me/login-methods', undefined, fresh)).json()
  assert.deepEqual(
    items.map(({ kind }: { kind: string }) => kind),
    ['oidc'],
  )
})

test('a reset answered with the account of somebody else changes nothing', async () => {
  provider.person = account()
  const other = await invite()
  const others = await signInWithAccount()
  count += 1
  const { id, invitationUrl, email } = await invite()
  const page = await browser.open(invitationUrl)
  await browser.send(page, '/auth/invitation/password', { password: PASSWORD })
  const own = await signIn(service, { email, password: PASSWORD })
  const { url } = (await api('POST', `/api/users/${id}/reset`)).json()
  assert.equal((await bindAt(url)).status, 409)
  assert.equal((await api('GET', '/api/users/me', undefined, own)).statusCode, 200)
  assert.equal((await api('GET', '/api/users/me', undefined, others)).json().id, other.id)
})

test('login CSRF: an address that a stranger has sent binds nothing without a yes [U06]', async () => {
  const attacker = await invite()
  const { search } = new URL(attacker.invitationUrl)
  provider.person = account({ sub: `victim-${count}`, email: 'victim@lakeside.example' })
  const victim = testBrowser(service)
  const left = await victim.open(`/auth/sign-in/provider${search}`)
  const question = await victim.open(await provider.visit(String(left.headers.location)))
  assert.match(question.html, /victim@lakeside\.example/)
  assert.match(question.html, new RegExp(`<strong>${attacker.name}</strong>,\\s${attacker.email}`))
  const bound = () =>
    service.service.db.read('SELECT id FROM login_methods WHERE user_id = ?', attacker.id)
  assert.deepEqual(await bound(), [], 'nobody has said yes yet')
  const elsewhere = testBrowser(service)
  await elsewhere.open(testClient(service).url)
  const path = '/auth/invitation/provider'
  const step = /name="step" value="([^"]+)"/.exec(question.html)?.[1] ?? ''
  assert.equal((await elsewhere.open(`${path}?step=${step}`)).status, 410)
  const forged = await victim.post(path, { step, answer: 'yes' })
  assert.equal(forged.status, 400, 'a form of another site')
  const refused = await victim.send(question, path, { answer: 'no' })
  assert.match(refused.html, /Nothing was changed/)
  assert.equal((await victim.send(question, path, { answer: 'yes' })).status, 410, 'no is no')
  assert.deepEqual(await bound(), [])
})

test('a question that is left open binds nothing once the address is over', async () => {
  const { id, invitationUrl } = await invite()
  provider.person = account()
  const question = await browser.open(await goThere(invitationUrl))
  const url = `/api/accounts/${accountId}/members/${id}`
  const headers = { authorization: `Bearer ${token}` }
  assert.equal((await service.server.inject({ method: 'DELETE', url, headers })).statusCode, 204)
  const late = await browser.send(question, '/auth/invitation/provider', { answer: 'yes' })
  assert.equal(late.status, 410)
})

test('an answer of the provider works once, and in the browser that asked [U06]', async () => {
  await invite()
  provider.person = account()
  const victim = testBrowser(service)
  const client = testClient(service)
  const back = await goThere(client.url)
  await victim.open(testClient(service).url)
  assert.equal((await victim.open(back)).status, 410, 'login CSRF: another browser')
  assert.equal((await testBrowser(service).open(back)).status, 410, 'no cookie at all')
  const question = await browser.open(back)
  assert.match(question.html, /Is it the same code\?/)
  assert.equal((await browser.open(back)).status, 410, 'used')
})

test('an answer put together from two visits is refused: code, state and nonce belong together', async () => {
  await invite()
  provider.person = account()
  const other = testBrowser(service)
  const stolen =
    new URL(await goThere(testClient(service).url, other)).searchParams.get('code') ?? ''
  const back = new URL(await goThere(testClient(service).url))
  back.searchParams.set('code', stolen)
  const refused = await browser.open(back.href)
  assert.equal(refused.status, 401)
  assert.match(refused.html, /does not belong to this browser/)
})

test('who says no at the provider is told so, and nobody is signed in', async () => {
  provider.person = undefined
  const client = testClient(service)
  const refused = await browser.open(await goThere(client.url))
  assert.equal(refused.status, 401)
  assert.equal((await client.poll()).statusCode, 202)
})

test('a provider that cannot be reached is a page that says so, and works once it is back', async (t) => {
  const environment = {
    CHARTSIDE_OIDC_ISSUER: 'http://localhost:9',
    CHARTSIDE_OIDC_CLIENT_ID: CLIENT.id,
    CHARTSIDE_OIDC_CLIENT_SECRET: CLIENT.secret,
  }
  const lonely = await startTestService(environment)
  t.after(() => lonely.close())
  const alone = testBrowser(lonely)
  const page = await alone.open(testClient(lonely).url)
  const href = /id="provider" href="([^"]+)"/.exec(page.html)?.[1]?.replaceAll('&#38;', '&') ?? ''
  const answer = await alone.open(href)
  assert.equal(answer.status, 503)
  assert.ok(answer.headers['retry-after'])
})
