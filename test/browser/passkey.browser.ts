// Passkeys in a real browser with a virtual authenticator: made at an invitation, used to sign in without
// typing anything, and what a copied, unverified, unknown or repeated one gets. Contract §3, WebAuthn
// Level 3.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import type { CDPSession } from 'playwright-core'
import { sql } from '../../packages/server/src/db/sql.ts'
import { type Stage, startStage } from './sign-in-stage.ts'

let stage: Stage
before(async () => {
  stage = await startStage()
})
after(() => stage?.stop())
beforeEach(() => stage.begin())

interface Authenticator {
  readonly cdp: CDPSession
  readonly id: string
}

async function plugIn(): Promise<Authenticator> {
  const cdp = await stage.context.newCDPSession(stage.page)
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

async function invited(): Promise<{ email: string; url: string; accountId: string }> {
  const token = await stage.adminToken()
  const { id: accountId } = await stage.api(token, 'POST', '/api/accounts', { name: 'Lakeside' })
  const email = `p${randomBytes(4).toString('hex')}@lakeside.example`
  const body = { email, name: 'Dr. Mei Tanaka', role: 'provider' }
  const member = await stage.api(token, 'POST', `/api/accounts/${accountId}/members`, body)
  return { email, url: member.invitationUrl, accountId }
}

async function createPasskey(): Promise<{ email: string; accountId: string }> {
  const { email, url, accountId } = await invited()
  await stage.page.goto(url)
  await stage.page.getByRole('button', { name: 'Create a passkey' }).click()
  await stage.heading('Done')
  return { email, accountId }
}

test('an invited person makes a passkey, and signs in with it without typing anything', async () => {
  const authenticator = await plugIn()
  const { email, accountId } = await createPasskey()
  for (const round of [1, 2]) {
    const client = stage.newClient()
    await stage.page.goto(client.url)
    await stage.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await stage.heading('Is it the same code?')
    await stage.agree()
    await stage.heading('You are signed in')
    const { token, user } = await (await client.poll()).json()
    assert.equal(user.email, email, `round ${round}`)
    const me = await stage.api(token, 'GET', '/api/users/me')
    assert.equal(me.memberships[0].account.id, accountId)
    const { items } = await stage.api(token, 'GET', '/api/users/me/login-methods')
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
  assert.deepEqual(stage.problems, [])
})

test('a copy of a passkey with an older counter is refused', async () => {
  const { cdp, id: authenticatorId } = await plugIn()
  await createPasskey()
  const use = async () => {
    await stage.page.goto(stage.newClient().url)
    await stage.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  }
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
  await use()
  await stage.heading('Is it the same code?')
  // The thief's copy is from before.
  const [copied] = credentials
  assert.ok(copied)
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
  await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: copied })
  await use()
  await stage.heading('This did not sign you in')
})

test('a passkey without verification of the person, or of somebody unknown, signs nobody in', async () => {
  const { cdp, id: authenticatorId } = await plugIn()
  await createPasskey()
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await stage.page.goto(stage.newClient().url)
  await stage.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await stage.page.getByText('No passkey was used.').waitFor()
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await stage.service.service.db.write(sql`DELETE FROM login_methods WHERE kind = 'passkey'`)
  await stage.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await stage.heading('This did not sign you in')
})

test('the answer of a passkey works once', async () => {
  await plugIn()
  await createPasskey()
  await stage.page.goto(stage.newClient().url)
  const sent = stage.page.waitForRequest((request) =>
    request.url().endsWith('/auth/sign-in/passkey'),
  )
  const cookieBefore = (await stage.context.cookies())[0]
  await stage.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  const body = (await sent).postData() ?? ''
  await stage.heading('Is it the same code?')
  const again = await fetch(`${stage.base}/auth/sign-in/passkey`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: `chartside=${cookieBefore?.value}`,
    },
    body,
    redirect: 'manual',
  })
  assert.equal(again.status, 401)
})
