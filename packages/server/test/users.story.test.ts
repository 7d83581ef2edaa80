// The users of the platform: listed, invited, promoted, disabled, enabled, removed and taken back by its
// administrators, who can never be none. Contract §9, security P01, P02.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PLATFORM } from '../src/audit/audit.ts'
import { listEvents } from '../src/audit/audit-trail.ts'
import { sql } from '../src/db/sql.ts'
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

test('takes a removed person back as if they were new', async () => {
  const account = await otherAccount()
  const { id, email } = await person(account)
  assert.equal((await story.api('DELETE', `/api/users/${id}`)).statusCode, 204)
  assert.equal((await story.api('DELETE', `/api/users/${id}`)).statusCode, 404)
  const invited = await story.api('POST', '/api/users', { email, name: 'Back Again' })
  assert.equal(invited.statusCode, 201, invited.body)
  assert.equal(invited.json().id, id, 'the trail knows them')
  await assert.rejects(signIn(story.service, { email, password: PASSWORD }))
  await setPassword(invited.json().invitationUrl)
  const token = await signIn(story.service, { email, password: NEW_PASSWORD })
  assert.deepEqual((await as(token)('GET', '/api/users/me')).json().memberships, [])
})

test('lets only the platform invite a removed person into an account again', async () => {
  const account = await otherAccount()
  const admin = await person(account, 'admin')
  const { id, email } = await person()
  await story.api('DELETE', `/api/users/${id}`)
  const body = { email, name: 'Dr. Back', role: 'provider' }
  const theirs = await as(admin.token)('POST', `/api/accounts/${account}/members`, body)
  assert.equal(theirs.statusCode, 201, 'an inviter does not learn who is disabled')
  assert.equal((await testBrowser(story.service).open(theirs.json().invitationUrl)).status, 410)
  const { invitationUrl } = await invite(account, { email })
  await setPassword(invitationUrl)
  const token = await signIn(story.service, { email, password: NEW_PASSWORD })
  const { memberships } = (await as(token)('GET', '/api/users/me')).json()
  assert.deepEqual(
    memberships.map((one: { account: { id: string } }) => one.account.id),
    [account],
  )
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
