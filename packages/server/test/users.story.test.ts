// The users of the platform: listed, invited, promoted, disabled, enabled, removed and taken back by its
// administrators, who can never be none. Contract §9, security P01, P02.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PLATFORM } from '../src/audit/audit.ts'
import { listEvents } from '../src/audit/audit-trail.ts'
import { sql } from '../src/db/sql.ts'
import { runBeforeWrite } from './before-write.ts'
import { as, beginPeople, invite, otherAccount, PASSWORD, person, SET_PASSWORD } from './people.ts'
import { testBrowser } from './sign-in-browser.ts'
import { type Story, signIn, startStory } from './story.ts'
import { ADMIN } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())

const NEW_PASSWORD = 'a password after the link'

async function setPassword(url: string, password = NEW_PASSWORD): Promise<void> {
  const browser = testBrowser(story.service)
  const page = await browser.open(url)
  assert.equal(page.status, 200, page.html)
  assert.equal((await browser.send(page, SET_PASSWORD, { password })).status, 200)
}

const patch = (id: string, body: object) => story.api('PATCH', `/api/users/${id}`, body)

const find = async (email: string) =>
  (await story.api('GET', `/api/users?email=${encodeURIComponent(email)}`)).json().items

const rootId = async (): Promise<string> => (await story.api('GET', '/api/users/me')).json().id

async function administrator() {
  const made = await person()
  assert.equal((await patch(made.id, { role: 'admin' })).statusCode, 200)
  return made
}

test('makes a second administrator, who does what the first one does [P01]', async () => {
  const second = await person()
  const api = as(second.token)
  assert.equal((await api('GET', '/api/users')).statusCode, 403)
  const changed = await patch(second.id, { role: 'admin' })
  assert.equal(changed.statusCode, 200, changed.body)
  assert.equal(changed.json().role, 'admin')
  assert.equal((await api('GET', '/api/users')).statusCode, 200)
  assert.equal((await patch(second.id, { role: 'member' })).statusCode, 200)
  assert.equal((await api('GET', '/api/users')).statusCode, 403)
})

test('disables a person with every sign-in at once, and enables them as before', async () => {
  const { id, email, token } = await person()
  const disabled = await patch(id, { disabled: true })
  assert.equal(disabled.json().disabled, true, disabled.body)
  assert.equal((await as(token)('GET', '/api/users/me')).statusCode, 401)
  await assert.rejects(signIn(story.service, { email, password: PASSWORD }))
  assert.equal((await find(email))[0].disabled, true)
  assert.equal((await patch(id, { disabled: false })).json().disabled, false)
  await signIn(story.service, { email, password: PASSWORD })
  assert.equal((await as(token)('GET', '/api/users/me')).statusCode, 401, 'the old one is over')
})

test('revokes the reset link of a person whom it disables, for good [V06]', async () => {
  const { id } = await person()
  const { url } = (await story.api('POST', `/api/users/${id}/reset`)).json()
  await patch(id, { disabled: true })
  await patch(id, { disabled: false })
  assert.equal((await testBrowser(story.service).open(url)).status, 410)
})

test('invites a user of the platform, who sets a password by the link', async () => {
  const email = 'second.admin@chartside.example'
  const body = { email: ' Second.Admin@chartside.example', name: 'Second Admin', role: 'admin' }
  assert.equal((await story.api('POST', '/api/users', body)).statusCode, 400, 'a space')
  const invited = await story.api('POST', '/api/users', { ...body, email: body.email.trim() })
  assert.equal(invited.statusCode, 201, invited.body)
  assert.equal(invited.json().email, email)
  assert.equal(invited.json().lastSignInAt, null)
  await setPassword(invited.json().invitationUrl)
  const token = await signIn(story.service, { email, password: NEW_PASSWORD })
  assert.equal((await as(token)('GET', '/api/users')).statusCode, 200)
  const again = await story.api('POST', '/api/users', { email, name: 'Twice' })
  assert.equal(again.statusCode, 409, again.body)
  assert.ok((await find(email))[0].lastSignInAt)
})

test('refuses to take the only administrator away, and says what to do', async () => {
  const root = await rootId()
  const others = (await story.api('GET', '/api/users?role=admin&disabled=false')).json().items
  for (const { id } of others) if (id !== root) await patch(id, { role: 'member' })
  const tries = [
    patch(root, { role: 'member' }),
    patch(root, { disabled: true }),
    story.api('DELETE', `/api/users/${root}`),
  ]
  for (const refused of await Promise.all(tries)) {
    assert.equal(refused.statusCode, 409, refused.body)
    assert.match(refused.json().detail, /only administrator .* chartside users promote/)
  }
  await administrator()
  const self = await story.api('DELETE', `/api/users/${root}`)
  assert.match(self.json().detail, /Ask another platform administrator/)
  const off = await patch(root, { disabled: true })
  assert.match(off.json().detail, /Ask another platform administrator/)
})

test('counts no disabled and no emergency account as an administrator left [P02, P03]', async () => {
  const root = await rootId()
  const made = [await administrator(), await administrator()]
  const [disabled, emergency] = made.map(({ id }) => id)
  const listed = (await story.api('GET', '/api/users?role=admin&disabled=false')).json().items
  for (const { id } of listed) {
    if (id !== root && id !== emergency) await patch(id, { disabled: true })
  }
  const { db } = story.service.service
  await db.write(sql`UPDATE users SET emergency_at = 1 WHERE id = ${emergency ?? ''}`)
  const refused = await patch(root, { role: 'member' })
  assert.match(refused.json().detail, /only administrator/, refused.body)
  const shown = (await story.api('GET', '/api/users?disabled=true&limit=200')).json().items
  const ids = shown.map(({ id }: { id: string }) => id)
  assert.deepEqual([ids.includes(disabled), ids.includes(emergency)], [true, false])
})

test('leaves one administrator when two demote each other at once', async () => {
  const root = await rootId()
  for (let round = 0; round < 5; round++) {
    const second = await administrator()
    const admins = (await story.api('GET', '/api/users?role=admin&disabled=false')).json().items
    for (const { id } of admins)
      if (id !== root && id !== second.id) await patch(id, { role: 'member' })
    const [mine, theirs] = await Promise.all([
      patch(second.id, { role: 'member' }),
      as(second.token)('PATCH', `/api/users/${root}`, { role: 'member' }),
    ])
    const left = [mine.statusCode, theirs.statusCode].filter((status) => status === 200)
    assert.equal(left.length, 1, `${mine.body} ${theirs.body}`)
    if (theirs.statusCode !== 200) continue
    const back = await as(second.token)('PATCH', `/api/users/${root}`, { role: 'admin' })
    assert.equal(back.statusCode, 200, back.body)
  }
})

const membersOf = async (account: string) =>
  (await story.api('GET', `/api/accounts/${account}/members`)).json().items

const remove = async (id: string) =>
  assert.equal((await story.api('DELETE', `/api/users/${id}`)).statusCode, 204)

/** Rows that could give the person access. */
async function countAccess(id: string): Promise<number> {
  const [row] = await story.service.service.db.read(
    sql`SELECT (SELECT COUNT(*) FROM login_methods WHERE user_id = ${id})
      + (SELECT COUNT(*) FROM second_factors WHERE user_id = ${id})
      + (SELECT COUNT(*) FROM recovery_codes WHERE user_id = ${id})
      + (SELECT COUNT(*) FROM members WHERE user_id = ${id})
      + (SELECT COUNT(*) FROM invitations WHERE user_id = ${id} AND used_at IS NULL)
      + (SELECT COUNT(*) FROM sign_ins WHERE user_id = ${id} AND ended_at IS NULL) AS rows_left`,
  )
  return Number(row?.rows_left)
}

test('removes a person with all that gave them access, which no command revives', async () => {
  const account = await otherAccount()
  const { id, email, api } = await person(account)
  const { db } = story.service.service
  await db.write(
    sql`INSERT INTO second_factors (user_id, sealed, created_at, confirmed_at, last_step)
      VALUES (${id}, 'x', 1, 1, 1)`,
    sql`INSERT INTO recovery_codes (user_id, code_hash, created_at) VALUES (${id}, 'x', 1)`,
  )
  await invite(story.accountId, { email })
  await remove(id)
  assert.equal((await story.api('DELETE', `/api/users/${id}`)).statusCode, 404)
  assert.equal((await api('GET', '/api/users/me')).statusCode, 401)
  assert.equal(await countAccess(id), 0)
  assert.deepEqual(await membersOf(account), [])
  const [{ disabled, removed }] = await find(email)
  assert.deepEqual([disabled, removed], [true, true])
  for (const change of [{ disabled: false }, { role: 'admin' }]) {
    const refused = await patch(id, change)
    assert.equal(refused.statusCode, 409, refused.body)
    assert.match(refused.json().detail, /was removed\. Invite them again/)
  }
})

test('erases name and address of a removed person, whom no invitation finds again', async () => {
  const { id, email } = await person()
  const { db } = story.service.service
  const erase = () => story.api('POST', `/api/users/${id}/erase`)
  const early = await erase()
  assert.equal(early.statusCode, 409, early.body)
  assert.match(early.json().detail, /Remove them first/)
  await remove(id)
  const erased = await erase()
  assert.deepEqual([erased.json().email, erased.json().name], [id, id], erased.body)
  assert.equal((await erase()).statusCode, 200, 'again changes nothing')
  assert.deepEqual(await find(email), [])
  const left = await db.read(
    sql`SELECT user_agent, address FROM sign_ins WHERE user_id = ${id}
      AND (user_agent IS NOT NULL OR address IS NOT NULL)`,
  )
  assert.deepEqual(left, [])
  const events = await listEvents(db, { accountId: PLATFORM, before: 'evt_~', limit: 200 })
  const about = events.filter(({ action, target }) => action === 'eraseUser' && target === id)
  assert.deepEqual(about.map(({ outcome }) => outcome).sort(), ['ok', 'ok', 'refused'])
  assert.doesNotMatch(JSON.stringify(about), new RegExp(email))
  const again = await invite(story.accountId, { email })
  const [{ id: newId }] = await find(email)
  assert.notEqual(newId, id)
  await setPassword(again.invitationUrl)
})

test('makes a user of the platform of a removed person, as if they were new', async () => {
  const { id, email } = await person()
  await remove(id)
  const invited = await story.api('POST', '/api/users', { email, name: 'Back Again' })
  assert.equal(invited.statusCode, 201, invited.body)
  assert.equal(invited.json().id, id, 'the trail knows them')
  await assert.rejects(signIn(story.service, { email, password: PASSWORD }))
  await setPassword(invited.json().invitationUrl)
  const token = await signIn(story.service, { email, password: NEW_PASSWORD })
  assert.deepEqual((await as(token)('GET', '/api/users/me')).json().memberships, [])
})

test('shows the accounts of a person to the platform, with the role in each', async () => {
  const account = await otherAccount()
  const { id, email } = await person(account, 'developer')
  const shown = await story.api('GET', `/api/users/${id}`)
  const rolesIn = ({ memberships }: { memberships: { account: { id: string }; role: string }[] }) =>
    memberships.map((one) => [one.account.id, one.role])
  assert.deepEqual(rolesIn(shown.json()), [[account, 'developer']])
  assert.deepEqual(rolesIn((await find(email))[0]), [[account, 'developer']])
  assert.deepEqual(rolesIn((await patch(id, { role: 'viewer' })).json()), [[account, 'developer']])
  await remove(id)
  assert.deepEqual(rolesIn((await story.api('GET', `/api/users/${id}`)).json()), [])
})

test('takes a removed person back into the account that they were in', async () => {
  const account = await otherAccount()
  const admin = await person(account, 'admin')
  const { id, email } = await person(account, 'admin')
  await remove(id)
  const body = { email, name: 'Dr. Back', role: 'provider' }
  const invited = await as(admin.token)('POST', `/api/accounts/${account}/members`, body)
  assert.equal(invited.statusCode, 201, invited.body)
  assert.equal(invited.json().state, 'invited')
  await setPassword(invited.json().invitationUrl)
  const token = await signIn(story.service, { email, password: NEW_PASSWORD })
  const { name, memberships } = (await as(token)('GET', '/api/users/me')).json()
  assert.deepEqual(
    [
      name,
      memberships.map((one: { account: { id: string }; role: string }) => [
        one.account.id,
        one.role,
      ]),
    ],
    ['Dr. Back', [[account, 'provider']]],
  )
})

test('withdraws the invitation of a removed person, who leaves the list of members', async () => {
  const account = await otherAccount()
  const { email, invitationUrl } = await invite(account)
  const [{ id }] = await find(email)
  await remove(id)
  assert.deepEqual(await membersOf(account), [])
  const page = await testBrowser(story.service).open(invitationUrl)
  assert.equal(page.status, 410)
  assert.match(page.html, /This link was withdrawn/)
})

test('removes a person who accepts an invitation meanwhile', async () => {
  const open = async () => {
    const { email, invitationUrl } = await invite()
    const [{ id }] = await find(email)
    const browser = testBrowser(story.service)
    const page = await browser.open(invitationUrl)
    return { id, accept: () => browser.send(page, SET_PASSWORD, { password: PASSWORD }) }
  }
  const { id, accept } = await open()
  const ran = runBeforeWrite(story.service.service.db, /^UPDATE invitations AS i/, () => remove(id))
  assert.equal((await accept()).status, 410)
  assert.deepEqual([ran(), await countAccess(id)], [true, 0])
  for (let round = 0; round < 5; round++) {
    const other = await open()
    await Promise.all([other.accept(), remove(other.id)])
    assert.equal(await countAccess(other.id), 0)
  }
})

test('invites a person who is removed meanwhile', async () => {
  const { id, email } = await person()
  await story.api('DELETE', `/api/accounts/${story.accountId}/members/${id}`)
  const ran = runBeforeWrite(story.service.service.db, /^INSERT INTO members/, () => remove(id))
  const { invitationUrl } = await invite(story.accountId, { email })
  assert.ok(ran())
  await setPassword(invitationUrl)
})

test('lets only the platform see that a person is disabled, and invites none', async () => {
  const account = await otherAccount()
  const admin = await person(account, 'admin')
  const { id, email } = await person()
  await patch(id, { disabled: true })
  const body = { email, name: 'Dr. Off', role: 'provider' }
  const theirs = await as(admin.token)('POST', `/api/accounts/${account}/members`, body)
  assert.equal(theirs.statusCode, 201, 'an inviter does not learn who is disabled')
  assert.equal((await testBrowser(story.service).open(theirs.json().invitationUrl)).status, 410)
  const ours = await story.api('POST', `/api/accounts/${account}/members`, body)
  assert.equal(ours.statusCode, 409, ours.body)
  assert.match(ours.json().detail, /disabled this person\. Enable them first/)
})

test('writes who gave and took which role into the trail of the platform [P02]', async () => {
  const { id } = await administrator()
  const events = await listEvents(story.service.service.db, {
    accountId: PLATFORM,
    before: 'evt_~',
    limit: 200,
  })
  const event = events.find((one) => one.action === 'patchUser' && one.target === id)
  assert.equal(event?.actor, await rootId())
  assert.match(JSON.stringify(event?.detail), /role.*member.*admin/)
})

test('asks for a fresh sign-in before it gives the role of an administrator [P01]', async () => {
  const { id } = await person()
  const old = as(await signIn(story.service, ADMIN))
  story.service.clock.advance(11 * 60)
  const refused = await old('PATCH', `/api/users/${id}`, { role: 'admin' })
  assert.equal(refused.json().code, 'sign_in_again', refused.body)
  const disabled = await old('PATCH', `/api/users/${id}`, { disabled: true })
  assert.equal(disabled.statusCode, 200, 'to disable is urgent')
  const enabled = await old('PATCH', `/api/users/${id}`, { disabled: false })
  assert.equal(enabled.json().code, 'sign_in_again', 'to enable gives access')
})

test('changes nothing of the account for emergencies [P03]', async () => {
  const { id, email } = await person()
  const { db } = story.service.service
  await db.write(sql`UPDATE users SET emergency_at = 1 WHERE id = ${id}`)
  const refused = await patch(id, { disabled: true })
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'conflict'])
  await db.write(sql`UPDATE users SET disabled_at = 1 WHERE id = ${id}`)
  await story.api('POST', '/api/users', { email, name: 'Taken Back' })
  const [row] = await db.read(sql`SELECT disabled_at, name FROM users WHERE id = ${id}`)
  assert.equal(Number(row?.disabled_at), 1, 'an invitation enables it no more')
})
