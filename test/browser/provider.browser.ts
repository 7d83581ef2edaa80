// Signing in at an OpenID Connect provider in a real browser: accepting an invitation with an account
// there, the question what it will be bound to, and signing in with it after that. The provider is
// the npm package oidc-provider on another port. Contract §3, security U06, H05.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Stage, startStage } from './sign-in-stage.ts'

let stage: Stage
before(async () => {
  stage = await startStage()
})
after(() => stage?.stop())
beforeEach(() => stage.begin())

const ACCOUNT = { sub: 'nia', email: 'nia@lakeside.example', email_verified: true }

async function invite(): Promise<string> {
  const token = await stage.adminToken()
  const { id } = await stage.api(token, 'POST', '/api/accounts', { name: 'Lakeside' })
  const body = { email: ACCOUNT.email, name: 'Nia Okafor', role: 'provider' }
  return (await stage.api(token, 'POST', `/api/accounts/${id}/members`, body)).invitationUrl
}

const redirectToProvider = () => stage.page.getByRole('link', { name: /Lakeside Login/ }).click()

test('a person binds their account at the provider to an invitation, and signs in with it', async () => {
  const invitationUrl = await invite()
  stage.provider.person = ACCOUNT
  await stage.page.goto(invitationUrl)
  await redirectToProvider()
  await stage.heading('Sign in with Lakeside Login from now on?')
  const question = (await stage.page.locator('main').textContent()) ?? ''
  assert.match(question, /nia@lakeside\.example[\s\S]* would sign in here as Nia Okafor/)
  await stage.page.getByRole('button', { name: 'Yes, that is me' }).press('Enter')
  await stage.page.getByText('You are a member of Lakeside').waitFor()

  await stage.begin()
  const client = stage.newClient()
  await stage.page.goto(client.url)
  await redirectToProvider()
  await stage.heading('Is it the same code?')
  assert.equal(await stage.page.locator('#match-code').textContent(), client.code)
  await stage.agree()
  await stage.heading('You are signed in')
  const { token } = (await (await client.poll()).json()) as { token: string }
  assert.equal((await stage.api(token, 'GET', '/api/users/me')).name, 'Nia Okafor')
  assert.deepEqual(stage.problems, [])
})

test('who says no at the question, or at the provider, has changed nothing', async () => {
  stage.provider.person = { ...ACCOUNT, sub: 'somebody else', email: 'else@lakeside.example' }
  const token = await stage.adminToken()
  const { url } = await stage.api(token, 'POST', '/api/users/me/login-methods')
  await stage.page.goto(url)
  await redirectToProvider()
  await stage.page.getByRole('button', { name: 'No', exact: true }).click()
  await stage.heading('Nothing was changed')

  stage.provider.person = undefined
  await stage.begin()
  await stage.page.goto(url)
  await redirectToProvider()
  await stage.page.getByText('begin again').waitFor()
  const { items } = await stage.api(token, 'GET', '/api/users/me/login-methods')
  assert.deepEqual(
    items.map(({ kind }: { kind: string }) => kind),
    ['password'],
  )
})
