// Sign-in at an OpenID Connect provider in a real browser: an account accepts an invitation, the page
// that names both, and sign-in with it later. The provider is the npm package oidc-provider on
// another port. Contract §3, security U06, H05.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { assertNoViolations } from './accessibility.ts'
import { type SignInFixture, startFixture } from './sign-in-fixture.ts'

let fixture: SignInFixture
before(async () => {
  fixture = await startFixture()
})
after(() => fixture?.stop())
beforeEach(() => fixture.begin())

const ACCOUNT = { sub: 'nia', email: 'nia@lakeside.example', email_verified: true }

async function invite(): Promise<string> {
  const token = await fixture.adminToken()
  const { id } = await fixture.api(token, 'POST', '/api/accounts', { name: 'Lakeside' })
  const body = { email: ACCOUNT.email, name: 'Nia Okafor', role: 'provider' }
  return (await fixture.api(token, 'POST', `/api/accounts/${id}/members`, body)).invitationUrl
}

const redirectToProvider = () => fixture.page.getByRole('link', { name: /Lakeside Login/ }).click()

test('binds a provider account at an invitation, and signs in with it', async () => {
  const invitationUrl = await invite()
  fixture.provider.person = ACCOUNT
  await fixture.page.goto(invitationUrl)
  await redirectToProvider()
  await fixture.heading('Sign in with Lakeside Login from now on?')
  await assertNoViolations(fixture.page, 'binding')
  const question = (await fixture.page.locator('main').textContent()) ?? ''
  assert.match(question, /nia@lakeside\.example[\s\S]* would sign in here as Nia Okafor/)
  await fixture.page.getByRole('button', { name: 'Yes, that is me' }).press('Enter')
  await fixture.page.getByText('You are a member of Lakeside').waitFor()

  await fixture.begin()
  const client = fixture.newClient()
  await fixture.page.goto(client.url)
  await redirectToProvider()
  await fixture.heading('Do the codes match?')
  assert.equal(await fixture.page.locator('#match-code').textContent(), client.code)
  await fixture.agree()
  await fixture.heading('You are signed in')
  const { token } = (await (await client.poll()).json()) as { token: string }
  assert.equal((await fixture.api(token, 'GET', '/api/users/me')).name, 'Nia Okafor')
  assert.deepEqual(fixture.problems, [])
})

test('joins at a first sign-in only the accounts that the user ticks [V07]', async () => {
  const token = await fixture.adminToken()
  const email = 'omar@lakeside.example'
  const invited: Record<string, string> = {}
  for (const name of ['Lakeside', 'Evil Practice']) {
    const { id } = await fixture.api(token, 'POST', '/api/accounts', { name })
    const body = { email, name: 'Omar Haddad', role: 'provider' }
    await fixture.api(token, 'POST', `/api/accounts/${id}/members`, body)
    invited[name] = id
  }
  fixture.provider.person = { sub: 'omar', email, email_verified: true }
  const client = fixture.newClient()
  await fixture.page.goto(client.url)
  await redirectToProvider()
  await fixture.heading('Join these accounts?')
  await assertNoViolations(fixture.page, 'consent')
  const evil = fixture.page.getByLabel('Join Evil Practice as provider')
  assert.equal(await evil.isChecked(), false)
  await fixture.page.getByLabel('Join Lakeside as provider').check()
  await fixture.page.getByRole('button', { name: 'Continue' }).press('Enter')
  await fixture.heading('Do the codes match?')
  await fixture.agree()
  await fixture.heading('You are signed in')
  const signedIn = (await (await client.poll()).json()) as { token: string }
  const me = await fixture.api(signedIn.token, 'GET', '/api/users/me')
  assert.deepEqual(
    me.memberships.map(({ account }: { account: { id: string } }) => account.id),
    [invited.Lakeside],
  )
  assert.deepEqual(fixture.problems, [])
})

test('changes nothing after a no on the page or at the provider', async () => {
  fixture.provider.person = { ...ACCOUNT, sub: 'another account', email: 'else@lakeside.example' }
  const token = await fixture.adminToken()
  const { url } = await fixture.api(token, 'POST', '/api/users/me/login-methods')
  await fixture.page.goto(url)
  await redirectToProvider()
  await fixture.page.getByRole('button', { name: 'No', exact: true }).click()
  await fixture.heading('Nothing was changed')
  await assertNoViolations(fixture.page, 'after a no')

  fixture.provider.person = undefined
  await fixture.begin()
  await fixture.page.goto(url)
  await redirectToProvider()
  await fixture.page.getByText('sign in another way').first().waitFor()
  const { items } = await fixture.api(token, 'GET', '/api/users/me/login-methods')
  assert.deepEqual(
    items.map(({ kind }: { kind: string }) => kind),
    ['password'],
  )
})
