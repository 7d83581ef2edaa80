// Sign-in at an OpenID Connect provider (the npm package oidc-provider): known and unknown accounts,
// binding by e-mail address, and callbacks of another session. Contract §3, OpenID Connect Core,
// security U06.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { CLIENT } from './identity-provider.ts'
import {
  account,
  accountId,
  api,
  beginProviderStory,
  bindAt,
  browser,
  endProviderStory,
  goThere,
  invite,
  JOINING,
  joinAll,
  leave,
  nextPerson,
  PASSWORD,
  provider,
  service,
  signInWithAccount,
} from './provider-story.ts'
import { signInOnPage, testBrowser, testClient } from './sign-in-browser.ts'
import { signIn } from './story.ts'
import { ADMIN, startTestService } from './test-service.ts'

before(beginProviderStory)
after(endProviderStory)
beforeEach(nextPerson)

test('names the provider in the configuration, and sends PKCE, state and nonce', async () => {
  const config = (await service.server.inject({ url: '/auth/config' })).json()
  assert.deepEqual(config.methods, ['password', 'passkey', 'oidc'])
  assert.deepEqual(config.identityProvider, { name: 'Lakeside Login' })
  const { searchParams } = new URL(await leave(testClient(service).url))
  assert.equal(searchParams.get('code_challenge_method'), 'S256')
  for (const name of ['state', 'nonce', 'code_challenge']) assert.ok(searchParams.get(name))
  assert.equal(searchParams.get('client_secret'), null)
})

test('binds the account of an invited user, who joins and signs in with it again', async () => {
  const { id, email } = await invite()
  provider.person = account()
  for (const isFirst of [true, false]) {
    const client = testClient(service)
    const shown = await browser.open(await goThere(client.url))
    if (isFirst) assert.match(shown.html, /Join <strong>Lakeside<\/strong> as provider/)
    const question = await joinAll(shown)
    assert.match(question.html, /Do the codes match\?/, question.html)
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
  ['was not invited', { email: 'unknown@lakeside.example' }, /is not invited here/],
]
for (const [what, fields, reason] of REFUSED) {
  test(`refuses an account that ${what}`, async () => {
    await invite()
    provider.person = account(fields)
    const client = testClient(service)
    const refused = await browser.open(await goThere(client.url))
    assert.equal(refused.status, 401)
    assert.match(refused.html, reason)
    assert.equal((await client.poll()).statusCode, 202)
  })
}

test('binds no account by its address to a user who has a password', async () => {
  const { invitationUrl, email } = await invite()
  const page = await browser.open(invitationUrl)
  await browser.send(page, '/auth/invitation/password', { password: PASSWORD })
  for (const taken of [email, ADMIN.email]) {
    provider.person = account({ sub: `attacker of ${taken}`, email: taken })
    const refused = await browser.open(await goThere(testClient(service).url))
    assert.equal(refused.status, 401)
    assert.match(refused.html, /in another way already/)
  }
})

test('lets a user with a password add the provider, and sign in by either', async () => {
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
  const { user } = (await client.poll()).json()
  assert.equal(user.email, email)
  const about = `/api/audit-events?accountId=${accountId}&about=oidcCallback`
  const { items } = (await api('GET', about)).json()
  const came = items.find((event: { target?: string }) => event.target === user.id)
  assert.equal(came?.outcome, 'ok', 'the trail has the callback')
  const other = await signInOnPage(browser, testClient(service).url, { email, password: PASSWORD })
  assert.match(other.html, /Do the codes match\?/)
})

test('joins no account that merely entered the address [V07]', async () => {
  await invite()
  const evil = (await api('POST', '/api/accounts', { name: 'Evil Practice' })).json().id
  const theirs = await invite(evil)
  provider.person = account()
  const memberships = async (token: string) =>
    (await api('GET', '/api/users/me', undefined, token))
      .json()
      .memberships.map(({ account: { name } }: { account: { name: string } }) => name)
  const signInJoining = async (joined: readonly string[]) => {
    const client = testClient(service)
    const page = await browser.open(await goThere(client.url))
    assert.match(page.html, /<h1>Join these accounts\?<\/h1>/, page.html)
    assert.doesNotMatch(page.html, / checked/)
    const boxes = [...page.html.matchAll(/name="(join_\w+)"[^>]*> <span>Join <strong>([^<]+)</g)]
    const chosen = boxes.filter(([, , name = '']) => joined.includes(name))
    const fields = Object.fromEntries(chosen.map(([, box = '']) => [box, 'yes']))
    const question = await browser.send(page, JOINING, fields)
    // The answer counts once: its session is over.
    assert.equal((await browser.send(page, JOINING, fields)).status, 400)
    return { client, question, asked: boxes.map(([, , name]) => name) }
  }
  const first = await signInJoining([])
  assert.deepEqual(first.asked.sort(), ['Evil Practice', 'Lakeside'])
  const again = await signInJoining(['Lakeside'])
  await browser.send(again.question, '/auth/sign-in/approve', { answer: 'yes' })
  const { token } = (await again.client.poll()).json()
  assert.deepEqual(await memberships(token), ['Lakeside'])
  // Asked once more about the other account, which sees an invited person and none of their sign-ins.
  assert.deepEqual((await signInJoining([])).asked, ['Evil Practice'])
  const members = (await api('GET', `/api/accounts/${evil}/members`)).json().items
  assert.deepEqual(
    members.map(({ id, state }: { id: string; state: string }) => [id, state]),
    [[theirs.id, 'invited']],
  )
  const trail = (await api('GET', `/api/accounts/${evil}/audit-events`)).json().items
  assert.deepEqual(
    trail
      .map(({ action }: { action: string }) => action)
      .filter((action: string) => action !== 'listMembers')
      .sort(),
    ['createAccount', 'inviteMember'],
  )
})

test('joins no account by an expired invitation', async () => {
  const { id } = await invite()
  const there = (await api('POST', '/api/accounts', { name: 'Northgate' })).json().id
  await invite(there)
  const { db } = service.service
  const sql = 'UPDATE invitations SET expires_at = ? WHERE account_id = ?'
  await db.write({ sql, args: [service.clock(), there] })
  provider.person = account()
  const question = await browser.open(await goThere(testClient(service).url))
  assert.match(question.html, /Join <strong>Lakeside</)
  assert.doesNotMatch(question.html, /Northgate/)
  const own = await signInWithAccount()
  const me = (await api('GET', '/api/users/me', undefined, own)).json()
  assert.equal(me.id, id)
  assert.deepEqual(
    me.memberships.map((membership: { account: { id: string } }) => membership.account.id),
    [accountId],
  )
})

test('accepts a callback once, in the session that began it [U06]', async () => {
  await invite()
  provider.person = account()
  const victim = testBrowser(service)
  const client = testClient(service)
  const back = await goThere(client.url)
  await victim.open(testClient(service).url)
  assert.equal((await victim.open(back)).status, 410, 'login CSRF: another browser')
  assert.equal((await testBrowser(service).open(back)).status, 410, 'no cookie at all')
  const question = await joinAll(await browser.open(back))
  assert.match(question.html, /Do the codes match\?/)
  assert.equal((await browser.open(back)).status, 410, 'used')
})

test('refuses a callback with code and state of different sign-ins', async () => {
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

test('shows the refusal of the provider, and signs no user in', async () => {
  provider.person = undefined
  const client = testClient(service)
  const refused = await browser.open(await goThere(client.url))
  assert.equal(refused.status, 401)
  assert.equal((await client.poll()).statusCode, 202)
})

test('answers 503 with Retry-After while the provider is unreachable [F01]', async (t) => {
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

test('signs this browser in for the console with an account of the provider [U06]', async () => {
  const { email } = await invite()
  provider.person = account()
  const page = '/auth/sign-in?return_to=%2Fconsole%2Fsettings'
  const shown = await joinAll(await browser.open(await goThere(page)))
  assert.match(shown.url, /\/console\/settings$/, shown.html)
  const { cookie = '' } = browser
  assert.match(cookie, /(^|; )__Host-chartside-session=st_/)
  const me = await service.server.inject({ url: '/api/users/me', headers: { cookie } })
  assert.equal(me.json().email, email)
  assert.equal(me.json().memberships[0].account.id, accountId)
})
