// What a client must know to recognise an EHR: the definitions of the account's collection version,
// before there is an EHR session. Contract §3, security U01.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertMemberStatement } from '../src/members/member-store.ts'
import { newPerson } from '../src/seed/seed-samples.ts'
import { type Story, signIn, startStory } from './story.ts'

let story: Story
let provider: string
let stranger: string
before(async () => {
  story = await startStory()
  provider = await tokenOf('ehr-provider@test.example', true)
  stranger = await tokenOf('ehr-stranger@test.example', false)
})
after(() => story.close())

async function tokenOf(email: string, isMember: boolean): Promise<string> {
  const { service } = story.service
  const person = { name: 'P', email }
  const { user, statements } = await newPerson(service, person, 'member', 'pass-phrase')
  const now = service.clock()
  const member = insertMemberStatement(story.accountId, user.id, 'provider', now)
  await service.db.write(...statements, ...(isMember ? [member] : []))
  return signIn(story.service, { email, password: 'pass-phrase' })
}

const ask = (token: string, headers: Record<string, string> = {}) =>
  story.request({
    method: 'GET',
    url: `/api/accounts/${story.accountId}/ehrs`,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })

test('shows a provider the EHR definitions of the account, without its apps', async () => {
  const answer = await ask(provider)
  assert.equal(answer.statusCode, 200, answer.body)
  const { collection, ehrs, ...rest } = answer.json()
  assert.equal(collection.version, 1)
  assert.deepEqual(ehrs, [
    { ehrType: 'meadow', name: ehrs[0].name, matches: ['https://ehr.example/*'] },
  ])
  assert.deepEqual(rest, {})
})

test('answers 304 while the version is the one that the caller has', async () => {
  const { etag } = (await ask(provider)).headers
  assert.ok(etag)
  const again = await ask(provider, { 'if-none-match': String(etag) })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
})

test('shows nothing of an account to a person who is no member [U01]', async () => {
  const answer = await ask(stranger)
  assert.equal(answer.statusCode, 404)
  assert.equal(answer.json().code, 'not_found')
})
