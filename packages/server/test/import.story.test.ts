// The import of practices: idempotent, one refused practice stops no other, its people can join, mails go
// through a real mail server, and only the platform may. Contract §10 (import), security P02.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { linkIn, startMailServer } from './mail-server.ts'
import { as, beginPeople, joinAs, PASSWORD } from './people.ts'
import { type Story, signIn, startStory } from './story.ts'
import { ADMIN } from './test-service.ts'

let story: Story
let mailServer: Awaited<ReturnType<typeof startMailServer>>
before(async () => {
  mailServer = await startMailServer()
  story = await startStory(mailServer.environment)
  beginPeople(story)
})
after(async () => {
  await story.close()
  await mailServer.close()
})

let number = 0
const practice = (fields: object = {}) => ({
  externalId: `NPI-${++number}`,
  name: 'Northgate Clinic',
  people: [{ email: `mei${number}@northgate.example`, name: 'Dr. Mei Tanaka', role: 'provider' }],
  ...fields,
})

/** Accepts the invitation, and signs in. */
async function join({ email, invitationUrl }: { email: string; invitationUrl: string }) {
  await joinAs(invitationUrl)
  return signIn(story.service, { email, password: PASSWORD })
}

const send = (body: object) => story.api('POST', '/api/accounts/import', body)

async function importAll(practices: object[], choices: object = {}) {
  const answer = await send({ practices, ...choices })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

const countOf = async (table: 'accounts' | 'invitations' | 'members' | 'users') => {
  const rows = await story.service.service.db.read({
    sql: `SELECT COUNT(*) AS found FROM ${table}`,
    args: [],
  })
  return Number(rows[0]?.found)
}
const counts = () =>
  Promise.all([countOf('accounts'), countOf('users'), countOf('members'), countOf('invitations')])

test('makes a practice, whose invited person can join by the link', async () => {
  const one = practice({ collection: { id: await collectionOf(), version: 'latest' } })
  const { items } = await importAll([one])
  const [{ outcome, account, people }] = items
  assert.deepEqual([outcome, account.name, people[0].outcome], ['created', one.name, 'invited'])
  const stored = (await story.api('GET', `/api/accounts/${account.id}`)).json()
  assert.deepEqual([stored.externalId, stored.collection.version], [one.externalId, 'latest'])
  const token = await join(people[0])
  const { memberships } = (await as(token)('GET', '/api/users/me')).json()
  assert.deepEqual(
    memberships.map(({ account, role }: { account: { id: string }; role: string }) => [
      account.id,
      role,
    ]),
    [[account.id, 'provider']],
  )
  const again = await importAll([one])
  assert.equal(again.items[0].people[0].outcome, 'member')
})

const collectionOf = async () => {
  const account = (await story.api('GET', `/api/accounts/${story.accountId}`)).json()
  return account.collection.id as string
}

test('importing the same again changes nothing, and a dry run changes nothing', async () => {
  const two = [practice(), practice()]
  const before = await counts()
  const dry = await importAll(two, { dryRun: true })
  assert.deepEqual(await counts(), before)
  assert.deepEqual([dry.items[0].outcome, dry.items[0].people[0].outcome], ['created', 'invited'])
  assert.equal(dry.items[0].account, null)
  await importAll(two)
  const once = await counts()
  assert.deepEqual(
    once,
    before.map((count) => count + 2),
  )
  const again = await importAll(two)
  assert.deepEqual(await counts(), once)
  assert.deepEqual(
    again.items.map(({ outcome, people }: { outcome: string; people: { outcome: string }[] }) => [
      outcome,
      people[0]?.outcome,
    ]),
    [
      ['unchanged', 'waiting'],
      ['unchanged', 'waiting'],
    ],
  )
  const resent = await importAll(two, { resend: true })
  assert.equal(resent.items[0].people[0].outcome, 'invited')
})

test('two imports of a new practice at once make one account', async () => {
  const one = practice()
  const all = await Promise.all(Array.from({ length: 6 }, () => importAll([one])))
  const ids = new Set(all.map(({ items }) => items[0].account.id))
  assert.equal(ids.size, 1)
  assert.equal(all.filter(({ items }) => items[0].outcome === 'created').length, 1)
})

test('a practice that is refused says why, and stops no other', async () => {
  const wrong = practice({ collection: { id: 'col_0000000000000000000000', version: 1 } })
  const { items } = await importAll([wrong, practice()])
  assert.equal(items[0].outcome, 'refused')
  assert.match(items[0].problem, /no published col_0+ version 1\. Publish/)
  assert.deepEqual(items[0].people, [], 'no one is invited to it')
  assert.equal(items[1].outcome, 'created')
})

test('changes the name, and leaves roles, other members and what the file omits', async () => {
  const one = practice({ collection: { id: await collectionOf(), version: 'latest' } })
  const { account, people } = (await importAll([one])).items[0]
  await join(people[0])
  const [person] = one.people
  const { externalId } = one
  const changed = { externalId, name: 'Northgate Family', people: [{ ...person, role: 'admin' }] }
  const [item] = (await importAll([changed])).items
  assert.equal(item.outcome, 'changed')
  assert.match(item.people[0].problem, /is provider and stays so/)
  const stored = (await story.api('GET', `/api/accounts/${account.id}`)).json()
  assert.equal(stored.name, 'Northgate Family')
  assert.ok(stored.collection, 'a practice that names none keeps its collection')
})

test('mails the invitation, whose link works, and shows it to no one else', async () => {
  const one = practice({ name: 'Clinic, Bcc: all@evil.example' })
  const { items } = await importAll([one], { mail: true })
  const [person] = items[0].people
  assert.deepEqual([person.mail, person.invitationUrl], ['sent', undefined])
  const mail = mailServer.mails.at(-1)
  assert.ok(mail)
  assert.deepEqual(mail.to, [one.people[0]?.email], 'a name adds no recipient')
  const [headers = ''] = mail.raw.split('\r\n\r\n', 1)
  assert.doesNotMatch(headers, /^bcc:/im)
  assert.match(headers, /^From: Chartside <apps@chartside\.test>$/m)
  assert.ok(await join({ ...person, invitationUrl: linkIn(mail) }))
})

test('a mail that is not taken leaves the link in the answer, with the cause', async () => {
  mailServer.refuse('no such mailbox')
  const { items } = await importAll([practice()], { mail: true })
  mailServer.refuse(undefined)
  const [person] = items[0].people
  assert.deepEqual([person.outcome, person.mail], ['invited', 'failed'])
  assert.match(person.problem, /mail server 127\.0\.0\.1: 550 .*no such mailbox/)
  assert.match(person.invitationUrl, /^https:\/\/chartside\.test\/auth\/invitation\?token=invite_/)
})

test('an import invites a removed user again, and refuses a disabled one', async () => {
  const one = practice()
  const [person] = (await importAll([one])).items[0].people
  const { id } = (await as(await join(person))('GET', '/api/users/me')).json()
  assert.equal((await story.api('PATCH', `/api/users/${id}`, { disabled: true })).statusCode, 200)
  const [refused] = (await importAll([one])).items[0].people
  assert.equal(refused.outcome, 'refused')
  assert.match(refused.problem, /has disabled this user.*chartside users enable/)
  assert.equal((await story.api('DELETE', `/api/users/${id}`)).statusCode, 204)
  const [again] = (await importAll([one])).items[0].people
  assert.equal(again.outcome, 'invited')
  assert.ok(await join(again))
})

test('each practice and each invitation is an event of the account [P02]', async () => {
  const { account } = (await importAll([practice()])).items[0]
  const trail = (await story.api('GET', `/api/accounts/${account.id}/audit-events`)).json()
  const actions = trail.items.map(({ action }: { action: string }) => action)
  assert.ok(actions.includes('importAccount') && actions.includes('inviteMember'), String(actions))
})

test('refuses what is too much for one request, and the same practice twice', async () => {
  const people = Array.from({ length: 51 }, (_, i) => ({
    email: `p${i}@many.example`,
    name: 'P',
    role: 'provider',
  }))
  const tooMany = await send({ practices: [practice({ people }), practice({ people })] })
  assert.equal(tooMany.statusCode, 400)
  assert.match(tooMany.json().detail, /At most 100 people in one request; these are 102/)
  const one = practice()
  const twice = await send({ practices: [one, one] })
  assert.match(twice.json().detail, /is there twice/)
})

test('invites again whose invitation has expired, and not whose invitation is open', async () => {
  const one = practice()
  const first = (await importAll([one])).items[0].people[0]
  assert.equal((await importAll([one])).items[0].people[0].outcome, 'waiting')
  story.service.clock.advance(8 * 24 * 60 * 60)
  const token = await signIn(story.service, ADMIN)
  const answer = await as(token)('POST', '/api/accounts/import', { practices: [one] })
  const again = answer.json().items[0].people[0]
  assert.equal(again.outcome, 'invited', answer.body)
  assert.notEqual(again.invitationUrl, first.invitationUrl)
})
