// Passkeys in a real browser with a virtual authenticator: registered at an invitation, used to sign in,
// and refused when copied, unverified, unknown or repeated. Contract §3, WebAuthn Level 3.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import type { CDPSession } from 'playwright-core'
import { sql } from '../../packages/server/src/db/sql.ts'
import { type SignInFixture, startFixture } from './sign-in-fixture.ts'

let fixture: SignInFixture
before(async () => {
  fixture = await startFixture()
})
after(() => fixture?.stop())
beforeEach(() => fixture.begin())

interface Authenticator {
  readonly cdp: CDPSession
  readonly id: string
}

async function plugIn(): Promise<Authenticator> {
  const cdp = await fixture.context.newCDPSession(fixture.page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, id: authenticatorId }
}

/** Answers when it is asked by a button, not by the list of the e-mail field. */
async function pressPasskey({ cdp, id: authenticatorId }: Authenticator): Promise<void> {
  const answer = (enabled: boolean) =>
    cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  await answer(false)
  await fixture.page.goto(fixture.newClient().url)
  const button = fixture.page.getByRole('button', { name: 'Sign in with a passkey' })
  await button.waitFor()
  await answer(true)
  await button.click()
}

async function invited(): Promise<{ email: string; url: string; accountId: string }> {
  const token = await fixture.adminToken()
  const { id: accountId } = await fixture.api(token, 'POST', '/api/accounts', { name: 'Lakeside' })
  const email = `p${randomBytes(4).toString('hex')}@lakeside.example`
  const body = { email, name: 'Dr. Mei Tanaka', role: 'provider' }
  const member = await fixture.api(token, 'POST', `/api/accounts/${accountId}/members`, body)
  return { email, url: member.invitationUrl, accountId }
}

async function createPasskey(): Promise<{ email: string; accountId: string }> {
  const { email, url, accountId } = await invited()
  await fixture.page.goto(url)
  await fixture.page.getByRole('button', { name: 'Create a passkey' }).click()
  await fixture.heading('Done')
  return { email, accountId }
}

test('registers a passkey for an invited user, who signs in without typing', async () => {
  const authenticator = await plugIn()
  const { email, accountId } = await createPasskey()
  for (const round of [1, 2]) {
    const client = fixture.newClient()
    await fixture.page.goto(client.url)
    // The browser offers the passkey at the e-mail field; the authenticator of the test takes it.
    await fixture.heading('Do the codes match?')
    await fixture.agree()
    await fixture.heading('You are signed in')
    const { token, user } = await (await client.poll()).json()
    assert.equal(user.email, email, `round ${round}`)
    const me = await fixture.api(token, 'GET', '/api/users/me')
    assert.equal(me.memberships[0].account.id, accountId)
    const { items } = await fixture.api(token, 'GET', '/api/users/me/login-methods')
    assert.deepEqual(
      items.map(({ kind }: { kind: string }) => kind),
      ['passkey'],
    )
    assert.ok(items[0].lastUsedAt)
  }
  const { credentials } = await authenticator.cdp.send('WebAuthn.getCredentials', {
    authenticatorId: authenticator.id,
  })
  assert.equal(credentials[0]?.isResidentCredential, true)
  assert.deepEqual(fixture.problems, [])
})

test('refuses a copy of a passkey with an older counter', async () => {
  const authenticator = await plugIn()
  const { cdp, id: authenticatorId } = authenticator
  await createPasskey()
  const use = () => pressPasskey(authenticator)
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
  await use()
  await fixture.heading('Do the codes match?')
  // The attacker's copy has the older counter.
  const [copied] = credentials
  assert.ok(copied)
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
  await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: copied })
  await use()
  await fixture.heading('Sign-in failed')
})

test('refuses a passkey without user verification, and an unknown one', async () => {
  const { cdp, id: authenticatorId } = await plugIn()
  await createPasskey()
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await fixture.page.goto(fixture.newClient().url)
  await fixture.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await fixture.page.getByText('No passkey was used.').waitFor()
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await fixture.service.service.db.write(sql`DELETE FROM login_methods WHERE kind = 'passkey'`)
  await fixture.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await fixture.heading('Sign-in failed')
})

test('accepts the assertion of a passkey once', async () => {
  const authenticator = await plugIn()
  await createPasskey()
  const sent = fixture.page.waitForRequest((request) =>
    request.url().endsWith('/auth/sign-in/passkey'),
  )
  const cookieBefore = (await fixture.context.cookies())[0]
  await pressPasskey(authenticator)
  const body = (await sent).postData() ?? ''
  await fixture.heading('Do the codes match?')
  const again = await fetch(`${fixture.base}/auth/sign-in/passkey`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: `${cookieBefore?.name}=${cookieBefore?.value}`,
    },
    body,
    redirect: 'manual',
  })
  assert.equal(again.status, 401)
})

test('puts the passkey first where one was used, and keeps nothing else of it', async () => {
  const authenticator = await plugIn()
  await createPasskey()
  await pressPasskey(authenticator)
  await fixture.heading('Do the codes match?')
  const kept = await fixture.page.evaluate(() => JSON.stringify(localStorage))
  assert.equal(kept, '{"chartside-passkey":"used"}')
  const { cdp, id: authenticatorId } = authenticator
  await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false })
  await fixture.page.goto(fixture.newClient().url)
  const passkey = fixture.page.getByRole('button', { name: 'Sign in with a passkey' })
  await passkey.waitFor()
  const isFirst = await passkey.evaluate((button) => {
    const password = document.querySelector('input[name=password]') as Element
    return (button.compareDocumentPosition(password) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  })
  assert.equal(isFirst, true)
})
