// A reset needs the permission of its issuer when it is redeemed: an old link takes over no account.
// Contract §4 (Members), security U06, P02.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { as, beginPeople, invite, otherAccount, PASSWORD, person, SET_PASSWORD } from './people.ts'
import { hiddenFields, type Shown, signInOnPage, testBrowser } from './sign-in-browser.ts'
import { type Story, signIn, startStory } from './story.ts'

const NEW_PASSWORD = 'another few words'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())

type TestPerson = Awaited<ReturnType<typeof person>>

async function resetBy(
  admin: TestPerson,
  member: { id: string },
  account: string,
): Promise<string> {
  const made = await admin.api('POST', `/api/accounts/${account}/members/${member.id}/reset`)
  assert.equal(made.statusCode, 201, made.body)
  return made.json().url
}

async function join(account: string, { email }: TestPerson): Promise<void> {
  const { invitationUrl } = await invite(account, { email, role: 'admin' })
  const browser = testBrowser(story.service)
  const question = await signInOnPage(browser, invitationUrl, { email, password: PASSWORD })
  const joined = await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
  assert.equal(joined.status, 200, joined.html)
}

/** A page with the form of a reset, opened before the link becomes invalid. */
async function openForm(url: string): Promise<() => Promise<Shown>> {
  const browser = testBrowser(story.service)
  const page = await browser.open(url)
  assert.equal(page.status, 200, page.html)
  return () => browser.send(page, SET_PASSWORD, { password: NEW_PASSWORD })
}

test('lets an account reset only a member who is its alone [U06]', async () => {
  const account = await otherAccount()
  const admin = await person(account, 'admin')
  const ofPlatform = await person(account)
  const { db } = story.service.service
  await db.write(sql`UPDATE users SET role = 'admin' WHERE id = ${ofPlatform.id}`)
  const ofOthers = await person(account)
  await join(await otherAccount(), ofOthers)
  const invited = await invite(account)
  const reset = (by: TestPerson['api'], { id }: { id: string }) =>
    by('POST', `/api/accounts/${account}/members/${id}/reset`)
  for (const member of [ofPlatform, ofOthers, invited]) {
    const refused = await reset(admin.api, member)
    assert.deepEqual([refused.statusCode, refused.json().code], [403, 'not_allowed'], refused.body)
  }
  assert.equal((await reset(story.api, ofPlatform)).statusCode, 409, 'mailed only')
  assert.equal((await reset(story.api, ofOthers)).statusCode, 409, 'an administrator elsewhere')
  const provider = await person(account)
  const own = await story.api('POST', `/api/users/${provider.id}/reset`)
  assert.deepEqual([own.statusCode, own.headers['cache-control']], [201, 'no-store'])
})

test('refuses a reset once its user administers another account', async () => {
  const account = await otherAccount()
  const admin = await person(account, 'admin')
  const victim = await person(account)
  const url = await resetBy(admin, victim, account)
  const send = await openForm(url)
  await join(await otherAccount(), victim)
  assert.equal((await testBrowser(story.service).open(url)).status, 410)
  assert.equal((await send()).status, 410)
  const member = `/api/accounts/${account}/members/${victim.id}`
  assert.equal((await admin.api('DELETE', member)).statusCode, 204)
  assert.equal((await testBrowser(story.service).open(url)).status, 410)
  assert.equal((await send()).status, 410)
  await signIn(story.service, { email: victim.email, password: PASSWORD })
})

test('revokes a reset with the membership of its user, for good', async () => {
  const account = await otherAccount()
  const admin = await person(account, 'admin')
  const victim = await person(account)
  const send = await openForm(await resetBy(admin, victim, account))
  const member = `/api/accounts/${account}/members/${victim.id}`
  assert.equal((await admin.api('DELETE', member)).statusCode, 204)
  assert.equal((await send()).status, 410)
  await join(account, victim)
  assert.equal((await send()).status, 410)
})

test('refuses a reset whose issuer lost the role, or whose user runs the platform', async () => {
  const account = await otherAccount()
  const admin = await person(account, 'admin')
  const first = await openForm(await resetBy(admin, await person(account), account))
  const promoted = await person(account)
  const second = await openForm(await resetBy(admin, promoted, account))
  const { db } = story.service.service
  await db.write(sql`UPDATE users SET role = 'admin' WHERE id = ${promoted.id}`)
  assert.equal((await second()).status, 410)
  const maker = `/api/accounts/${account}/members/${admin.id}`
  assert.equal((await story.api('PATCH', maker, { role: 'developer' })).statusCode, 200)
  assert.equal((await first()).status, 410)
})

test('redeems a reset by the account while one by the platform is open too', async () => {
  const account = await otherAccount()
  const admin = await person(account, 'admin')
  const member = await person(account)
  const theirs = await openForm(await resetBy(admin, member, account))
  assert.equal((await story.api('POST', `/api/users/${member.id}/reset`)).statusCode, 201)
  const done = await theirs()
  assert.equal(done.status, 200)
  assert.doesNotMatch(done.html, /member of/)
  assert.equal((await as(member.token)('GET', '/api/users/me')).statusCode, 401)
  await signIn(story.service, { email: member.email, password: NEW_PASSWORD })
})

test('refuses to redeem a reset by signing in', async () => {
  const { id, email, token } = await person()
  const { url } = (await story.api('POST', `/api/users/${id}/reset`)).json()
  const browser = testBrowser(story.service)
  const fields = hiddenFields((await browser.open(url)).html)
  const { search } = new URL(url)
  assert.equal((await browser.open(`/auth/sign-in${search}`)).status, 410)
  const { form_token = '', token: address = '' } = fields
  const tried = { form_token, token: address, email, password: PASSWORD }
  assert.equal((await browser.post('/auth/sign-in/password', tried)).status, 410)
  assert.equal((await as(token)('GET', '/api/users/me')).statusCode, 200)
  assert.equal((await browser.open(url)).status, 200, 'the reset still stands')
})

test('refuses to join by a login method that a reset deleted meanwhile', async () => {
  const { id, email } = await person()
  const account = await otherAccount()
  const { invitationUrl } = await invite(account, { email })
  const browser = testBrowser(story.service)
  const question = await signInOnPage(browser, invitationUrl, { email, password: PASSWORD })
  const { url } = (await story.api('POST', `/api/users/${id}/reset`)).json()
  assert.equal((await (await openForm(url))()).status, 200)
  const late = await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
  assert.equal(late.status, 410)
  const token = await signIn(story.service, { email, password: NEW_PASSWORD })
  assert.equal((await as(token)('GET', `/api/accounts/${account}`)).statusCode, 404)
})

/** The form for a new login method. */
async function openMethodForm({ api }: Pick<TestPerson, 'api'>): Promise<() => Promise<Shown>> {
  const made = await api('POST', '/api/users/me/login-methods')
  assert.equal(made.statusCode, 201, made.body)
  return openForm(made.json().url)
}

test('revokes links for a new login method with a reset', async () => {
  const owner = await person()
  const attacker = await openMethodForm(owner)
  const { url } = (await story.api('POST', `/api/users/${owner.id}/reset`)).json()
  const browser = testBrowser(story.service)
  const password = 'the new good password'
  const done = await browser.send(await browser.open(url), SET_PASSWORD, { password })
  assert.equal(done.status, 200)
  assert.equal((await attacker()).status, 410)
  await signIn(story.service, { email: owner.email, password })
})

test('revokes links for a new login method with their sign-in, or with all', async () => {
  const owner = await person()
  const alone = await openMethodForm(owner)
  assert.equal((await owner.api('POST', '/auth/sign-out')).statusCode, 204)
  assert.equal((await alone()).status, 410)
  const [mine, other] = await Promise.all(
    [1, 2].map(() => signIn(story.service, { email: owner.email, password: PASSWORD })),
  )
  const everywhere = await openMethodForm({ api: as(mine ?? '') })
  const { url } = (await story.api('POST', `/api/users/${owner.id}/reset`)).json()
  const reset = await openForm(url)
  const ended = await as(other ?? '')('POST', '/auth/sign-out', { everywhere: true })
  assert.equal(ended.statusCode, 204)
  assert.equal((await everywhere()).status, 410)
  assert.equal((await reset()).status, 410)
  await signIn(story.service, { email: owner.email, password: PASSWORD })
})

test('revokes an earlier reset when a later one is redeemed', async () => {
  const account = await otherAccount()
  const admin = await person(account, 'admin')
  const member = await person(account)
  const kept = await openForm(await resetBy(admin, member, account))
  const { url } = (await story.api('POST', `/api/users/${member.id}/reset`)).json()
  assert.equal((await (await openForm(url))()).status, 200)
  assert.equal((await kept()).status, 410)
})

/** An open reset by the platform, and an open link for a new method of another sign-in. */
async function leakedLinks(owner: TestPerson) {
  const token = await signIn(story.service, { email: owner.email, password: PASSWORD })
  const method = await openMethodForm({ api: as(token) })
  const { url } = (await story.api('POST', `/api/users/${owner.id}/reset`)).json()
  return { method, reset: await openForm(url) }
}

test('revokes a leaked reset link when its person changes the password [V06]', async () => {
  const owner = await person()
  const leaked = await leakedLinks(owner)
  // The person has noticed something, and sets a new password.
  const browser = testBrowser(story.service)
  const made = (await owner.api('POST', '/api/users/me/login-methods')).json()
  const password = 'the new good password'
  const changed = await browser.send(await browser.open(made.url), SET_PASSWORD, { password })
  assert.equal(changed.status, 200, changed.html)
  assert.equal((await leaked.reset()).status, 410)
  assert.equal((await leaked.method()).status, 410)
  await signIn(story.service, { email: owner.email, password })
})

test('revokes a leaked reset link when its person removes a login method [V06]', async () => {
  const owner = await person()
  const { db } = story.service.service
  await db.write(
    sql`INSERT INTO login_methods (id, user_id, kind, label, created_at)
      VALUES (${`${owner.id}_lost`}, ${owner.id}, 'passkey', 'The lost one', 0)`,
  )
  const leaked = await leakedLinks(owner)
  const refused = await owner.api('DELETE', '/api/users/me/login-methods/mth_unknown')
  assert.equal(refused.statusCode, 404)
  const removed = await owner.api('DELETE', `/api/users/me/login-methods/${owner.id}_lost`)
  assert.equal(removed.statusCode, 204, removed.body)
  assert.equal((await leaked.reset()).status, 410)
  assert.equal((await leaked.method()).status, 410)
  await signIn(story.service, { email: owner.email, password: PASSWORD })
})

test('revokes a reset with its issuer, whom the platform disables [U06]', async () => {
  const member = await person()
  const issuer = await person()
  const change = (body: object) => story.api('PATCH', `/api/users/${issuer.id}`, body)
  assert.equal((await change({ role: 'admin' })).statusCode, 200)
  const { url } = (await issuer.api('POST', `/api/users/${member.id}/reset`)).json()
  assert.equal((await testBrowser(story.service).open(url)).status, 200)
  assert.equal((await change({ disabled: true })).statusCode, 200)
  assert.equal((await testBrowser(story.service).open(url)).status, 410)
})

test('opens a link for a new login method for ten minutes [U06]', async () => {
  const { api } = await person()
  const { url } = (await api('POST', '/api/users/me/login-methods')).json()
  story.service.clock.advance(599)
  assert.equal((await testBrowser(story.service).open(url)).status, 200)
  story.service.clock.advance(1)
  assert.equal((await testBrowser(story.service).open(url)).status, 410)
})

test('opens a reset for a day, and leaves no other way to sign in [V06]', async () => {
  const { id, email } = await person()
  const { db } = story.service.service
  const now = story.service.clock()
  await db.write(sql`INSERT INTO login_methods (id, user_id, kind, label, subject, created_at)
    VALUES ('mth_provider', ${id}, 'oidc', 'Provider', 'subject of reset', ${now})`)
  const { url } = (await story.api('POST', `/api/users/${id}/reset`)).json()
  const late = (await story.api('POST', `/api/users/${(await person()).id}/reset`)).json()
  await (await openForm(url))()
  const kinds = await db.read(sql`SELECT kind FROM login_methods WHERE user_id = ${id}`)
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['password'],
  )
  await signIn(story.service, { email, password: NEW_PASSWORD })
  story.service.clock.advance(24 * 3600)
  assert.equal((await testBrowser(story.service).open(late.url)).status, 410)
})
