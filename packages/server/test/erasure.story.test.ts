// A deleted account is erased with the people who belong to no other one: names, addresses and what its
// directory has sent are gone, ids stay, and people of two accounts lose nothing. docs/operate/compliance.md.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eraseAccount } from '../src/access/account-erasure.ts'
import { PLATFORM } from '../src/audit/audit.ts'
import { listEvents, NEWEST } from '../src/audit/audit-trail.ts'
import { sql } from '../src/db/sql.ts'
import { backgroundJobs } from '../src/jobs/jobs.ts'
import { newId } from '../src/kernel/identifiers.ts'
import { insertMemberStatement } from '../src/members/member-store.ts'
import { beginPeople, invite, otherAccount, PASSWORD, person } from './people.ts'
import { type Story, signIn, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())

const recorded: string[] = []
const record = async (id: string) => void recorded.push(id)

const erase = async (id: string, isDryRun = false) => {
  const { people } = await eraseAccount(story.service.service, id, {
    ...{ now: story.service.clock(), isDryRun, record },
  })
  return people
}

test('erases a deleted account and its people, and no one of another account', async () => {
  const account = await otherAccount()
  const only = await person(account)
  const invited = await invite(account)
  const both = await person(account)
  await story.api('POST', `/api/accounts/${story.accountId}/members`, {
    ...{ email: both.email, name: 'Of Two', role: 'provider' },
  })
  await assert.rejects(erase(account), /Only a deleted account is erased/)
  await assert.rejects(erase('acc_0000000000000000000000'), /There is no account/)
  assert.equal((await story.api('DELETE', `/api/accounts/${account}`)).statusCode, 204)
  const planned = await erase(account, true)
  assert.equal(planned.length, 2)
  await signIn(story.service, { email: only.email, password: PASSWORD })
  assert.deepEqual(recorded, [])
  assert.deepEqual(await erase(account), planned)
  assert.deepEqual(recorded, planned)
  assert.deepEqual(await erase(account), [], 'again it finds nothing')
  const { db } = story.service.service
  const [stored] = await db.read(sql`SELECT name, external_id FROM accounts WHERE id = ${account}`)
  assert.deepEqual([stored?.name, stored?.external_id], [account, null])
  const left = await db.read(sql`SELECT id, email, name FROM users ORDER BY id`)
  const text = JSON.stringify(left)
  for (const { email } of [only, invited]) assert.ok(!text.includes(email), email)
  assert.ok(text.includes(both.email))
  await assert.rejects(signIn(story.service, { email: only.email, password: PASSWORD }))
  await signIn(story.service, { email: both.email, password: PASSWORD })
})

test('the API erases a deleted account, some people at a time, and says who did', async () => {
  const account = await otherAccount()
  const path = `/api/accounts/${account}`
  const { service } = story.service
  const now = service.clock()
  const ids = Array.from({ length: 101 }, () => newId('usr', now, service.randomness))
  await service.db.write(
    ...ids.flatMap((id) => [
      sql`INSERT INTO users (id, email, name, role, created_at, updated_at)
        VALUES (${id}, ${`${id}@left.example`}, ${'Of One'}, ${'member'}, ${now}, ${now})`,
      insertMemberStatement(account, id, 'provider', now),
    ]),
  )
  const erasing = () => story.api('POST', `${path}/erase`)
  const early = await erasing()
  assert.equal(early.statusCode, 409, early.body)
  assert.match(early.json().detail, /Delete it first/)
  assert.equal((await story.api('DELETE', path)).statusCode, 204)
  assert.deepEqual((await erasing()).json(), { people: 100, isComplete: false })
  assert.deepEqual((await erasing()).json(), { people: 1, isComplete: true })
  assert.deepEqual((await erasing()).json(), { people: 0, isComplete: true })
  const [{ left } = { left: undefined }] = await service.db.read(
    sql`SELECT COUNT(*) AS left FROM users WHERE name = ${'Of One'}`,
  )
  assert.equal(Number(left), 0)
  assert.equal(
    (await story.api('POST', '/api/accounts/acc_0000000000000000000000/erase')).statusCode,
    404,
  )
  const page = { accountId: PLATFORM, before: NEWEST, limit: 200 }
  const ofPeople = (await listEvents(service.db, page)).filter(
    ({ action, target }) => action === 'eraseUser' && ids.includes(target),
  )
  assert.equal(ofPeople.length, 101)
  assert.ok(ofPeople.every(({ actor, detail }) => actor.startsWith('usr_') && detail.trace))
})

test('erases who was invited a month ago, is in no account and never came', async () => {
  const account = await otherAccount()
  const withdrawn = await invite(account)
  await story.api('DELETE', `/api/accounts/${account}/members/${withdrawn.id}`)
  const waiting = await invite(account)
  const removed = await person(account)
  await story.api('DELETE', `/api/users/${removed.id}`)
  const guest = await person()
  await story.api('DELETE', `/api/accounts/${story.accountId}/members/${guest.id}`)
  const ofDirectory = await invite(account)
  await story.service.service.db.write(
    sql`INSERT INTO directory_members (account_id, user_id, id, user_name, user_name_key, work_email,
        names, was_accepted, created_at, updated_at)
      SELECT ${account}, id, id, email, email, email, '{}', 0, 1, 1 FROM users
        WHERE email = ${ofDirectory.email}`,
  )
  await story.api('DELETE', `/api/accounts/${account}/members/${ofDirectory.id}`)
  const { service, clock } = story.service
  const job = backgroundJobs(service).find(({ name }) => name === 'uninvited users')
  const run = () => job?.run(new AbortController().signal)
  const emails = async () =>
    (await service.db.read(sql`SELECT email FROM users`)).map(({ email }) => email)
  await run()
  assert.ok((await emails()).includes(withdrawn.email))
  clock.advance(31 * 24 * 60 * 60)
  await run()
  assert.ok(!(await emails()).includes(withdrawn.email))
  for (const { email } of [waiting, removed, guest, ofDirectory])
    assert.ok((await emails()).includes(email), email)
  const page = { accountId: PLATFORM, before: NEWEST, limit: 50 }
  const events = await listEvents(service.db, page)
  assert.ok(events.some(({ action, actor }) => action === 'eraseUser' && actor === 'service'))
})
