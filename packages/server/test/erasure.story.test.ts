// A deleted account is erased with the people who belong to no other one: names, addresses and what its
// directory has sent are gone, ids stay, and people of two accounts lose nothing. docs/operate/compliance.md.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eraseAccount } from '../src/access/account-erasure.ts'
import { sql } from '../src/db/sql.ts'
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

const erase = (id: string, isDryRun = false) =>
  eraseAccount(story.service.service, id, { now: story.service.clock(), isDryRun, record })

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
