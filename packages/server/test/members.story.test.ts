// Members of an account: invited, joined, given another role, removed; and that an invitation takes
// over no account. Contract §4 (Members), security U06, P02.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { newId, newIdIn, parseBearer } from '../src/kernel/identifiers.ts'
import { partOf } from '../src/kernel/partitions.ts'
import { systemRandomness } from '../src/kernel/randomness.ts'
import { livenessCutoff } from '../src/liveness/liveness.ts'
import { deleteMember } from '../src/members/member-store.ts'
import type { EhrSession } from '../src/sessions/session.ts'
import { findSession, insertSessionStatements } from '../src/sessions/session-store.ts'
import {
  joinAs as accept,
  as,
  beginPeople,
  invite,
  otherAccount,
  PASSWORD,
  person,
  SET_PASSWORD,
} from './people.ts'
import { signInOnPage, testBrowser } from './sign-in-browser.ts'
import {
  administratorApi,
  authorize,
  exchange,
  isActive,
  type Story,
  signIn,
  startStory,
} from './story.ts'
import { ADMIN } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())

test('lets an invited user set a password and join, by a link that works once', async () => {
  const member = await invite()
  assert.deepEqual([member.state, member.role], ['invited', 'provider'])
  assert.match(member.invitationUrl, /^https:\/\/chartside\.test\/auth\/invitation\?token=invite_/)
  const browser = testBrowser(story.service)
  const page = await browser.open(member.invitationUrl)
  assert.match(page.html, /invited to <strong>Lakeside<\/strong>/)
  assert.equal((await browser.open(member.invitationUrl)).status, 200, 'looking uses nothing up')
  assert.match((await browser.send(page, SET_PASSWORD, { password: PASSWORD })).html, /member of/)
  assert.equal((await browser.send(page, SET_PASSWORD, { password: PASSWORD })).status, 410)
  assert.equal((await browser.open(member.invitationUrl)).status, 410)

  const token = await signIn(story.service, { email: member.email, password: PASSWORD })
  const me = (await as(token)('GET', '/api/users/me')).json()
  assert.deepEqual(
    [me.id, me.memberships[0].account.name, me.memberships[0].role],
    [member.id, 'Lakeside', 'provider'],
  )
  const methods = (await as(token)('GET', '/api/users/me/login-methods')).json().items
  assert.deepEqual(
    methods.map(({ kind, label }: { kind: string; label: string }) => [kind, label]),
    [['password', 'Password']],
  )
  assert.ok(methods[0].lastUsedAt)
})

test('shows one member or invited user to the people of the account alone', async () => {
  const account = await otherAccount()
  const admin = await person(account, 'admin')
  const provider = await person(account, 'provider')
  const invited = await invite(account)
  const paths = [admin.id, provider.id, invited.id].map(
    (id) => `/api/accounts/${account}/members/${id}`,
  )
  const listed = (await as(admin.token)('GET', `/api/accounts/${account}/members`)).json().items
  for (const path of paths) {
    for (const { token } of [admin, provider]) {
      const shown = await as(token)('GET', path)
      assert.equal(shown.statusCode, 200, shown.body)
      assert.ok(
        listed.some((one: object) => isDeepStrictEqual(one, shown.json())),
        path,
      )
    }
    const stranger = await person()
    assert.equal((await as(stranger.token)('GET', path)).statusCode, 404)
  }
})

test('sets a password by one of ten parallel uses of a link', async () => {
  const { invitationUrl, email } = await invite()
  const opened = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const browser = testBrowser(story.service)
      return { browser, page: await browser.open(invitationUrl) }
    }),
  )
  const pages = await Promise.all(
    opened.map(({ browser, page }, i) =>
      browser.send(page, SET_PASSWORD, { password: `${PASSWORD} ${i}` }),
    ),
  )
  const statuses = pages.map(({ status }) => status)
  assert.deepEqual([...statuses].sort(), [200, ...Array(9).fill(410)])
  const winner = statuses.indexOf(200)
  await signIn(story.service, { email, password: `${PASSWORD} ${winner}` })
})

test('makes a member only by acceptance, within seven days', async () => {
  const admin = await person(story.accountId, 'admin')
  const there = await otherAccount()
  const invited = await invite(there, { email: admin.email })
  assert.equal((await admin.api('GET', `/api/accounts/${there}`)).statusCode, 404)
  const late = await invite()
  story.service.clock.advance(7 * 24 * 3600)
  assert.equal((await testBrowser(story.service).open(late.invitationUrl)).status, 410)
  assert.equal((await testBrowser(story.service).open(invited.invitationUrl)).status, 410)
  const adminToken = await signIn(story.service, ADMIN)
  Object.assign(story, { adminToken, api: administratorApi(story, adminToken) })
})

test('sets no password of a user who has one: they sign in to join', async () => {
  const victim = await person()
  const there = await otherAccount()
  const { invitationUrl } = await invite(there, { email: victim.email, role: 'developer' })
  const attacker = testBrowser(story.service)
  const page = await attacker.open(invitationUrl)
  assert.match(page.html, /Sign in to join Northgate/)
  const stolen = await attacker.post(SET_PASSWORD, {
    token: new URL(invitationUrl).searchParams.get('token') ?? '',
    form_token: /name="form_token" value="([^"]+)"/.exec(page.html)?.[1] ?? '',
    password: 'the password of an attacker',
  })
  assert.equal(stolen.status, 410)
  assert.equal((await victim.api('GET', `/api/accounts/${there}`)).statusCode, 404)

  const browser = testBrowser(story.service)
  const { email } = victim
  const question = await signInOnPage(browser, invitationUrl, { email, password: PASSWORD })
  assert.match(question.html, /Join Northgate\?/)
  const joined = await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
  assert.match(joined.html, /member of <strong>Northgate/)
  assert.equal((await victim.api('GET', `/api/accounts/${there}`)).statusCode, 200)
})

test('refuses acceptance by another user than the invited one', async () => {
  const other = await person()
  const victim = await person()
  const { invitationUrl } = await invite(await otherAccount(), { email: victim.email })
  const { email } = other
  const browser = testBrowser(story.service)
  const refused = await signInOnPage(browser, invitationUrl, { email, password: PASSWORD })
  assert.equal(refused.status, 403)
})

test('sets one password for a new user whom two accounts invite', async () => {
  const mine = await invite()
  const theirs = await invite(await otherAccount(), { email: mine.email })
  assert.notEqual(mine.id, theirs.id, 'an inviter does not learn that another account invited them')
  await accept(mine.invitationUrl)
  const page = await testBrowser(story.service).open(theirs.invitationUrl)
  assert.match(page.html, /Sign in to join/)
})

test('refuses a short password with a reason, and keeps the invitation', async () => {
  const { invitationUrl } = await invite()
  const browser = testBrowser(story.service)
  const page = await browser.open(invitationUrl)
  const refused = await browser.send(page, SET_PASSWORD, { password: 'short' })
  assert.equal(refused.status, 400)
  assert.match(refused.html, /12 characters or more/)
  await accept(invitationUrl)
})

test('replaces an invitation by a newer one, with its role', async () => {
  const first = await invite()
  const second = await invite(story.accountId, { email: first.email, role: 'developer' })
  assert.equal((await testBrowser(story.service).open(first.invitationUrl)).status, 410)
  await accept(second.invitationUrl)
  const again = await story.api('POST', `/api/accounts/${story.accountId}/members`, {
    email: first.email.toUpperCase(),
    name: 'x',
    role: 'admin',
  })
  assert.deepEqual([again.statusCode, again.json().code], [409, 'conflict'])
})

test('lists members by page, and changes a role at once', async () => {
  const { api, id } = await person(story.accountId, 'provider')
  assert.equal(
    (await api('PATCH', `/api/accounts/${story.accountId}`, { name: 'x' })).statusCode,
    403,
  )
  const url = `/api/accounts/${story.accountId}/members/${id}`
  assert.equal((await story.api('PATCH', url, { role: 'admin' })).json().role, 'admin')
  assert.equal((await api('PATCH', `/api/accounts/${story.accountId}`, {})).statusCode, 200)
  assert.equal((await story.api('PATCH', url, { role: 'owner' })).statusCode, 400)
  const seen = new Set<string>()
  for (let cursor = ''; ; ) {
    const page = (
      await story.api('GET', `/api/accounts/${story.accountId}/members?limit=3&cursor=${cursor}`)
    ).json()
    for (const member of page.items) seen.add(member.id)
    if (!page.nextCursor) break
    cursor = page.nextCursor
  }
  assert.ok(seen.has(id) && seen.size > 5)
})

test('ends EHR sessions, launches and tokens with the membership', async () => {
  const provider = await person()
  const body = { accountId: story.accountId, ehrType: 'meadow', deviceId: 'd' }
  const session = (await provider.api('POST', '/api/sessions', body)).json()
  const launch = (
    await provider.api('POST', `/api/sessions/${session.id}/launches`, {
      appId: story.app.id,
      kind: 'ui',
    })
  ).json()
  const code = (await authorize(story, launch.launchId)).searchParams.get('code') ?? ''
  const token = (await exchange(story, code)).json().access_token
  assert.equal(await isActive(story, token), true)
  const url = `/api/accounts/${story.accountId}/members/${provider.id}`
  assert.equal((await story.api('DELETE', url)).statusCode, 204)
  assert.equal(await isActive(story, token), false)
  const late = await provider.api('POST', `/api/sessions/${session.id}/launches`, {
    appId: story.app.id,
    kind: 'ui',
  })
  assert.equal(late.statusCode, 409)
  assert.equal((await provider.api('POST', '/api/sessions', body)).statusCode, 404)
  assert.equal((await provider.api('GET', '/api/users/me')).statusCode, 200)
  assert.equal((await story.api('DELETE', url)).statusCode, 404)
})

test('leaves no EHR session to a member removed while opening one', async () => {
  const { db, config } = story.service.service
  const { accountId } = story
  const about = { account: { id: accountId, name: 'Lakeside' }, ehrType: 'meadow', deviceId: 'd' }
  const cutoff = livenessCutoff(story.service.clock(), config.sessionIdleSeconds)
  const insertSession = async (session: EhrSession): Promise<boolean> => {
    const [, , rows] = await db.write(...insertSessionStatements(session, cutoff))
    return rows?.length === 1
  }
  const people = await Promise.all(Array.from({ length: 8 }, () => person()))
  const opened = await Promise.all(
    people.map(async ({ id, token }, i) => {
      const session = {
        ...about,
        id: newIdIn(partOf(accountId), 'ses', i, systemRandomness()),
        signInId: parseBearer('st', 'sgn', token) ?? '',
        userId: id,
        collection: undefined,
        ehr: undefined,
        apps: [],
        createdAt: cutoff.now,
        ended: undefined,
      } as const
      const [isStored] = await Promise.all([
        insertSession(session),
        deleteMember(db, accountId, id, cutoff.now),
      ])
      assert.equal(await insertSession({ ...session, id: `${session.id}_late` }), false)
      const live = await findSession(db, session.id, cutoff)
      return [isStored, live !== undefined && live.ended === undefined]
    }),
  )
  assert.ok(opened.every(([, isLive]) => !isLive))
})

test('shows the inviter no name of an existing user before acceptance', async () => {
  const known = await person()
  const there = await otherAccount()
  const name = 'Name given by the inviter'
  const invited = await invite(there, { email: known.email, name })
  const url = `/api/accounts/${there}/members`
  assert.equal(invited.name, name)
  const listed = async () => (await story.api('GET', url)).json().items
  assert.deepEqual(
    (await listed()).map((member: { name: string }) => member.name),
    [name],
  )
  const patched = await story.api('PATCH', `${url}/${invited.id}`, { role: 'developer' })
  assert.equal(patched.json().name, name)
  const browser = testBrowser(story.service)
  const { email } = known
  const question = await signInOnPage(browser, invited.invitationUrl, { email, password: PASSWORD })
  await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
  assert.deepEqual(
    (await listed()).map((member: { name: string }) => member.name),
    [known.name],
  )
})

test('invites a known, a disabled and an unknown address alike [V10]', async () => {
  const there = await otherAccount()
  const known = await person(await otherAccount())
  const gone = await person(await otherAccount())
  assert.equal((await story.api('DELETE', `/api/users/${gone.id}`)).statusCode, 204)
  story.service.clock.advance(1000)
  const now = story.service.clock()
  const fresh = newId('usr', now, story.service.service.randomness).slice(0, 13)
  const listed = async () => (await story.api('GET', `/api/accounts/${there}/members`)).json().items
  for (const email of [known.email, gone.email, 'unknown@hillside.example']) {
    const { invitationUrl, invitationExpiresAt, ...member } = await invite(there, { email })
    assert.ok(invitationUrl.length > 0 && Date.parse(invitationExpiresAt) > now)
    // An id begins with the time of its creation: the id of a user would tell since when they exist.
    assert.equal(member.id.slice(0, 13), fresh)
    assert.notEqual(member.id, known.id)
    assert.deepEqual(
      (await listed()).find(({ id }: { id: string }) => id === member.id),
      { ...member, state: 'invited', createdAt: new Date(now).toISOString() },
    )
    const again = await invite(there, { email, role: 'developer' })
    assert.deepEqual([again.id, again.role], [member.id, 'developer'])
    for (const id of [known.id, gone.id]) {
      const probe = await story.api('PATCH', `/api/accounts/${there}/members/${id}`, {})
      assert.equal(probe.statusCode, 404, 'no member has the id of the user before they accept')
    }
    const removed = await story.api('DELETE', `/api/accounts/${there}/members/${member.id}`)
    assert.equal(removed.statusCode, 204)
  }
})

test('finds an invited person by no name that the inviter does not see [V10]', async () => {
  const { email } = await person(await otherAccount())
  const { name } = (await story.api('GET', `/api/users?q=${encodeURIComponent(email)}`)).json()
    .items[0]
  const path = `/api/accounts/${story.accountId}/members`
  await story.api('POST', path, { email, name: 'As the inviter says', role: 'provider' })
  const find = async (q: string) =>
    (await story.api('GET', `${path}?q=${encodeURIComponent(q)}`)).json().items.length
  assert.deepEqual([await find(name), await find('as the inviter')], [0, 1])
})

test('refuses an invitation of a member of the same account', async () => {
  const { email } = await person()
  const body = { email, name: 'x', role: 'provider' }
  const answer = await story.api('POST', `/api/accounts/${story.accountId}/members`, body)
  assert.deepEqual([answer.statusCode, answer.json().code], [409, 'conflict'])
})
