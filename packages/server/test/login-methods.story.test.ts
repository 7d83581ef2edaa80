// What replaces or ends the login methods and sign-ins of a user: a reset, sign-out everywhere,
// removal, a new password. Contract §3 and §4, security P02, P08.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { mintInvitation } from '../src/credentials/invitation.ts'
import {
  acceptInvitation,
  insertInvitationStatements,
  isAccepted,
} from '../src/credentials/invitation-store.ts'
import { deleteLoginMethod, listLoginMethods } from '../src/credentials/login-method-store.ts'
import { sql } from '../src/db/sql.ts'
import {
  approveFlow,
  deliverFlow,
  insertFlow,
} from '../src/sign-in/client-flow/sign-in-flow-store.ts'
import { endEverySignInStatements } from '../src/sign-in/sign-in-store.ts'
import { as, beginPeople, invite, otherAccount, PASSWORD, person, SET_PASSWORD } from './people.ts'
import { signInOnPage, testBrowser, testClient } from './sign-in-browser.ts'
import { type Story, signIn, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())

test('replaces the password and ends every sign-in when a reset is redeemed', async () => {
  const { id, email, api } = await person()
  const { url } = (await story.api('POST', `/api/users/${id}/reset`)).json()
  assert.equal((await api('GET', '/api/users/me')).statusCode, 200)
  // A sign-in with the old password is under way.
  const browser = testBrowser(story.service)
  const client = testClient(story.service)
  const question = await signInOnPage(browser, client.url, { email, password: PASSWORD })

  const fresh = testBrowser(story.service)
  const page = await fresh.open(url)
  assert.match(page.html, /an administrator has reset/)
  await fresh.send(page, SET_PASSWORD, { password: 'another few words' })
  assert.equal((await api('GET', '/api/users/me')).statusCode, 401)
  assert.equal(
    (await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })).status,
    410,
  )
  const old = await story.request({
    method: 'POST',
    url: '/auth/sign-in',
    payload: { email, password: PASSWORD },
  })
  assert.equal(old.statusCode, 401)
  await signIn(story.service, { email, password: 'another few words' })
})

test('signs no user in whose consent races a reset [P08]', async () => {
  const { db, config, randomness } = story.service.service
  const now = story.service.clock()
  const issuer = (await story.api('GET', '/api/users/me')).json().id
  const { id: userId, api } = await person()
  for (let i = 0; i < 30; i++) {
    const about = { userId, accountId: undefined, createdBy: issuer, signInId: undefined }
    const reset = mintInvitation(config.baseUrl, { ...about, purpose: 'reset' }, now, randomness)
    await db.write(...insertInvitationStatements(reset))
    const sessionHash = `flow ${i}`
    await insertFlow(db, { sessionHash, challenge: 'c', createdAt: now, expiresAt: now + 1000 })
    const [{ id: methodId } = assert.fail()] = await listLoginMethods(db, userId)
    const method = { id: `mth_new_${i}`, kind: 'oidc', label: 'L', subject: `new ${i}` } as const
    const more = endEverySignInStatements(
      userId,
      { at: now, reason: 'revoked' },
      {
        where: isAccepted(reset.invitation.id, method.id),
      },
    )
    await Promise.all([
      acceptInvitation(db, { invitation: reset.invitation, method, now, more }),
      approveFlow(db, { sessionHash, userId, methodId, now }),
    ])
    const times = { createdAt: now, lastSeenAt: now, expiresAt: now + 1000 }
    const minted = { id: `sgn_${i}`, tokenHash: `hash ${i}`, ...times }
    assert.equal(await deliverFlow(db, sessionHash, 'c', minted), undefined, `round ${i}`)
  }
  assert.equal((await api('GET', '/api/users/me')).statusCode, 401)
})

test('lets an account administrator reset only members of no other account', async () => {
  const admin = await person(story.accountId, 'admin')
  const mine = await person()
  const shared = await person()
  const theirs = await invite(await otherAccount(), { email: shared.email })
  assert.equal(theirs.state, 'invited')
  const reset = (id: string) =>
    admin.api('POST', `/api/accounts/${story.accountId}/members/${id}/reset`)
  assert.equal((await reset(mine.id)).statusCode, 201)
  assert.equal((await reset(shared.id)).statusCode, 403)
  assert.equal((await admin.api('POST', `/api/users/${mine.id}/reset`)).statusCode, 403)
  assert.equal(
    (await mine.api('POST', `/api/accounts/${story.accountId}/members/${admin.id}/reset`))
      .statusCode,
    403,
  )
})

test('ends every sign-in of the user, and no other, by sign-out everywhere', async () => {
  const { email, api } = await person()
  const others = await Promise.all(
    [1, 2].map(() => signIn(story.service, { email, password: PASSWORD })),
  )
  const client = testClient(story.service)
  const browser = testBrowser(story.service)
  const question = await signInOnPage(browser, client.url, { email, password: PASSWORD })
  await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
  assert.equal((await api('POST', '/auth/sign-out', { everywhere: true })).statusCode, 204)
  for (const token of others)
    assert.equal((await as(token)('GET', '/api/users/me')).statusCode, 401)
  assert.equal((await client.poll()).statusCode, 404, 'what was approved is not collected any more')
  assert.equal((await story.api('GET', '/api/users/me')).statusCode, 200)
})

test('signs a disabled user out at once, and refuses sign-in and invitation', async () => {
  const { id, email, api } = await person()
  assert.equal((await api('DELETE', `/api/users/${id}`)).statusCode, 403)
  const disabled = await story.api('PATCH', `/api/users/${id}`, { disabled: true })
  assert.equal(disabled.statusCode, 200, disabled.body)
  assert.equal((await api('GET', '/api/users/me')).statusCode, 401)
  const refused = await story.request({
    method: 'POST',
    url: '/auth/sign-in',
    payload: { email, password: PASSWORD },
  })
  assert.equal(refused.statusCode, 401)
  const again = await story.api('POST', `/api/accounts/${story.accountId}/members`, {
    email,
    name: 'x',
    role: 'admin',
  })
  assert.equal(again.statusCode, 409)
})

test('adds a password by a one-time link, after a recent sign-in only', async () => {
  const { email, api } = await person()
  const { url } = (await api('POST', '/api/users/me/login-methods')).json()
  const browser = testBrowser(story.service)
  await browser.send(await browser.open(url), SET_PASSWORD, { password: 'my new long password' })
  await signIn(story.service, { email, password: 'my new long password' })
  const { items } = (await api('GET', '/api/users/me/login-methods')).json()
  assert.equal(items.length, 1)
  const last = await api('DELETE', `/api/users/me/login-methods/${items[0].id}`)
  assert.deepEqual([last.statusCode, last.json().code], [409, 'conflict'])
  story.service.clock.advance(10 * 60)
  const late = await api('POST', '/api/users/me/login-methods')
  assert.deepEqual([late.statusCode, late.json().code], [403, 'sign_in_again'])
})

test('keeps one of two login methods that are removed at once', async () => {
  for (let i = 0; i < 5; i++) {
    const { id, api } = await person()
    const { db } = story.service.service
    const sql = `INSERT INTO login_methods (id, user_id, kind, label, subject, created_at)
      VALUES (?, ?, 'oidc', 'Lakeside Login', ?, 0)`
    await db.write({ sql, args: [`mth_two_${i}`, id, `subject ${i}`] })
    const { items } = (await api('GET', '/api/users/me/login-methods')).json()
    const removed = await Promise.all(
      items.map((item: { id: string }) => deleteLoginMethod(db, id, item.id)),
    )
    assert.equal(removed.filter((rows) => rows !== undefined).length, 1)
  }
})

test('keeps one of several resets that are issued at once', async () => {
  const { id } = await person()
  const { db, config, randomness } = story.service.service
  const issuer = (await story.api('GET', '/api/users/me')).json().id
  const about = { userId: id, accountId: undefined, createdBy: issuer, signInId: undefined }
  const mint = () =>
    mintInvitation(
      config.baseUrl,
      { ...about, purpose: 'reset' },
      story.service.clock(),
      randomness,
    )
  const made = Array.from({ length: 12 }, mint)
  await Promise.all(made.map((minted) => db.write(...insertInvitationStatements(minted))))
  const openings = made.map(({ url }) => testBrowser(story.service).open(url))
  const statuses = (await Promise.all(openings)).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [200, ...Array(11).fill(410)])
})

test('refuses an empty answer of a passkey', async () => {
  const { id } = await person()
  const sql = `INSERT INTO login_methods (id, user_id, kind, label, subject, details, created_at)
    VALUES ('mth_passkey', ?, 'passkey', 'Passkey', 'credential', ?, 0)`
  const details = JSON.stringify({ publicKey: '', counter: 0 })
  await story.service.service.db.write({ sql, args: [id, details] })
  for (const said of [null, {}, 'x', []]) {
    const browser = testBrowser(story.service)
    const page = await browser.open(testClient(story.service).url)
    const response = JSON.stringify({ id: 'credential', response: said })
    const refused = await browser.send(page, '/auth/sign-in/passkey', { response })
    assert.equal(refused.status, 401, JSON.stringify(said))
  }
})

test('ends every other sign-in for a new password and a removed login method', async () => {
  const { id, email, api } = await person()
  const credentials = { email, password: PASSWORD }
  const statusOf = async (token: string) => (await as(token)('GET', '/api/users/me')).statusCode
  const other = await signIn(story.service, credentials)
  const { url } = (await api('POST', '/api/users/me/login-methods')).json()
  const browser = testBrowser(story.service)
  await browser.send(await browser.open(url), SET_PASSWORD, { password: 'my new long password' })
  assert.equal(await statusOf(other), 401)
  assert.equal((await api('GET', '/api/users/me')).statusCode, 200)

  const another = await signIn(story.service, { email, password: 'my new long password' })
  const sql = `INSERT INTO login_methods (id, user_id, kind, label, subject, created_at)
    VALUES ('mth_removed', ?, 'oidc', 'Lakeside Login', 'a subject to remove', 0)`
  await story.service.service.db.write({ sql, args: [id] })
  const path = '/api/users/me/login-methods'
  assert.equal((await api('DELETE', `${path}/mth_unknown`)).statusCode, 404)
  assert.equal(await statusOf(another), 200, 'nothing was removed')
  assert.equal((await api('DELETE', `${path}/mth_removed`)).statusCode, 204)
  assert.equal(await statusOf(another), 401)
  assert.equal((await api('GET', '/api/users/me')).statusCode, 200)
})

test('removes a login method of the caller only, and soon after a sign-in only [U01]', async () => {
  const [owner, stranger] = [await person(), await person()]
  const { db } = story.service.service
  for (const { id } of [owner, stranger]) {
    await db.write(sql`INSERT INTO login_methods (id, user_id, kind, label, subject, created_at)
      VALUES (${`mth_${id.slice(4)}`}, ${id}, 'oidc', 'Provider', ${`of ${id}`}, 0)`)
  }
  const own = `/api/users/me/login-methods/mth_${owner.id.slice(4)}`
  assert.equal((await stranger.api('DELETE', own)).statusCode, 404)
  assert.equal((await listLoginMethods(db, owner.id)).length, 2)
  story.service.clock.advance(601)
  const late = await owner.api('DELETE', own)
  assert.deepEqual([late.statusCode, late.json().code], [403, 'sign_in_again'])
  assert.equal((await listLoginMethods(db, owner.id)).length, 2)
})
