// To which user a provider account is bound, and what an attacker cannot bind. Security U06.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
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
  nextPerson,
  PASSWORD,
  provider,
  service,
  signInWithAccount,
} from './provider-story.ts'
import { testBrowser, testClient } from './sign-in-browser.ts'
import { signIn } from './story.ts'

before(beginProviderStory)
after(endProviderStory)
beforeEach(nextPerson)

test('binds no account with the invitation of another user', async () => {
  const mine = await invite()
  provider.person = account()
  nextPerson()
  const theirs = await invite()
  const page = await browser.open(theirs.invitationUrl)
  await browser.send(page, '/auth/invitation/password', { password: PASSWORD })
  const there = (await api('POST', '/api/accounts', { name: 'Northgate' })).json().id
  const { invitationUrl } = await invite(there)
  assert.equal((await browser.open(await goThere(invitationUrl))).status, 403)
  const ofMine = sql`SELECT id FROM login_methods WHERE user_id = ${mine.id}`
  assert.deepEqual(await service.service.db.read(ofMine), [])
})

test('refuses an account that belongs to another user', async () => {
  await invite()
  provider.person = account()
  await browser.open(await goThere(testClient(service).url))
  const { url } = (await api('POST', '/api/users/me/login-methods')).json()
  assert.equal((await bindAt(url)).status, 409)
})

test('invites a person by no account that belongs to another user [U06]', async () => {
  provider.person = account()
  await invite()
  await signInWithAccount()
  nextPerson()
  const { invitationUrl } = await invite()
  assert.equal((await bindAt(invitationUrl)).status, 409)
})

test('keeps the bound account that redeems a reset, and ends every sign-in', async () => {
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

test('changes nothing when a reset is redeemed with the account of another user', async () => {
  provider.person = account()
  const other = await invite()
  const others = await signInWithAccount()
  nextPerson()
  const { id, invitationUrl, email } = await invite()
  const page = await browser.open(invitationUrl)
  await browser.send(page, '/auth/invitation/password', { password: PASSWORD })
  const own = await signIn(service, { email, password: PASSWORD })
  const { url } = (await api('POST', `/api/users/${id}/reset`)).json()
  assert.equal((await bindAt(url)).status, 409)
  assert.equal((await api('GET', '/api/users/me', undefined, own)).statusCode, 200)
  assert.equal((await api('GET', '/api/users/me', undefined, others)).json().id, other.id)
})

test('refuses login CSRF: a link from an attacker binds nothing without a yes [U06]', async () => {
  const attacker = await invite()
  const { search } = new URL(attacker.invitationUrl)
  provider.person = account({ sub: 'the account of a victim', email: 'victim@lakeside.example' })
  const victim = testBrowser(service)
  const left = await victim.open(`/auth/sign-in/provider${search}`)
  const question = await victim.open(await provider.visit(String(left.headers.location)))
  assert.match(question.html, /victim@lakeside\.example/)
  assert.match(question.html, new RegExp(`<strong>${attacker.name}</strong>,\\s${attacker.email}`))
  const bound = () =>
    service.service.db.read(sql`SELECT id FROM login_methods WHERE user_id = ${attacker.id}`)
  assert.deepEqual(await bound(), [], 'no consent yet')
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

test('binds nothing once the invitation of an open page has expired', async () => {
  const { id, invitationUrl } = await invite()
  provider.person = account()
  const question = await browser.open(await goThere(invitationUrl))
  const url = `/api/accounts/${accountId}/members/${id}`
  assert.equal((await api('DELETE', url)).statusCode, 204)
  const late = await browser.send(question, '/auth/invitation/provider', { answer: 'yes' })
  assert.equal(late.status, 410)
})
