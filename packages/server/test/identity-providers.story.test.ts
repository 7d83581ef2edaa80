// The identity providers of an account: registered, changed and deleted by its administrators alone, with a
// secret that goes in and never comes out; and the short name by which its people find them. Contract §13.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { masterKeysOf, unseal } from '../src/keys/master-key.ts'
import { beginPeople, otherAccount, person } from './people.ts'
import { type Story, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())

const SECRET = 'a-secret-that-no-answer-holds'
const PROVIDER = {
  name: 'Lakeside Entra ID',
  issuer: 'https://login.lakeside.example/tenant/v2.0',
  clientId: 'client-1',
  clientSecret: SECRET,
}
const pathOf = (accountId: string) => `/api/accounts/${accountId}/identity-providers`

const storedSecret = async (id: string) => {
  const { config, db, randomness } = story.service.service
  const [row] = await db.read(sql`SELECT sealed FROM identity_providers WHERE id = ${id}`)
  return unseal(masterKeysOf(config, randomness), id, String(row?.sealed)).toString()
}

test('keeps the secret of a provider sealed, and gives an account three [K01]', async () => {
  const accountId = await otherAccount()
  const admin = await person(accountId, 'admin')
  const made = await admin.api('POST', pathOf(accountId), PROVIDER)
  assert.equal(made.statusCode, 201, made.body)
  const { id, redirectUri, scopes, hasClientSecret } = made.json()
  assert.equal(redirectUri, `https://chartside.test/auth/callback/${id}`)
  assert.deepEqual([scopes, hasClientSecret], ['openid email profile', true])
  const more = [1, 2, 3, 4].map(() => admin.api('POST', pathOf(accountId), PROVIDER))
  const codes = (await Promise.all(more)).map(({ statusCode }) => statusCode)
  assert.deepEqual(codes.sort(), [201, 201, 409, 409])
  const list = await admin.api('GET', pathOf(accountId))
  assert.equal(list.json().items.length, 3)
  const trail = await admin.api('GET', `/api/accounts/${accountId}/audit-events`)
  const rows = await story.service.service.db.read(sql`SELECT * FROM identity_providers`)
  const seen = [made.body, list.body, trail.body, JSON.stringify(rows), story.service.logText()]
  for (const text of seen) assert.doesNotMatch(text, new RegExp(SECRET))
  assert.match(trail.body, /createIdentityProvider/)
  assert.equal(await storedSecret(id), SECRET)

  const other = await otherAccount()
  const elsewhere = await person(other, 'admin')
  const one = `${pathOf(accountId)}/${id}`
  assert.equal((await elsewhere.api('PATCH', one, { name: 'x' })).statusCode, 404)
  const own = `${pathOf(other)}/${id}`
  assert.equal((await elsewhere.api('DELETE', own)).statusCode, 404)
  assert.equal((await elsewhere.api('PATCH', own, { name: 'x' })).statusCode, 404)
  assert.equal((await elsewhere.api('POST', `${own}/check`)).statusCode, 404)
  const developer = await person(accountId, 'developer')
  assert.equal((await developer.api('GET', pathOf(accountId))).statusCode, 403)
  assert.equal((await admin.api('DELETE', one)).statusCode, 204)
  assert.equal((await admin.api('DELETE', one)).statusCode, 404)
  story.service.clock.advance(11 * 60)
  for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
    const url = method === 'POST' ? pathOf(accountId) : one
    const late = await admin.api(method, url, method === 'DELETE' ? undefined : PROVIDER)
    assert.deepEqual([late.statusCode, late.json().code], [403, 'sign_in_again'], method)
  }
})

test('sends the secret of one issuer to no other, and keeps it in other changes', async () => {
  const accountId = await otherAccount()
  const admin = await person(accountId, 'admin')
  const { id } = (await admin.api('POST', pathOf(accountId), PROVIDER)).json()
  const patch = (body: object) => admin.api('PATCH', `${pathOf(accountId)}/${id}`, body)
  assert.equal((await patch({ issuer: 'https://attacker.example' })).statusCode, 400)
  assert.equal((await patch({ name: 'Entra', scopes: 'openid' })).json().hasClientSecret, true)
  assert.equal(await storedSecret(id), SECRET)
  const moved = await patch({ issuer: 'https://other.example', clientSecret: 'another' })
  assert.equal(moved.json().issuer, 'https://other.example', moved.body)
  assert.equal(await storedSecret(id), 'another')
  assert.equal((await patch({ clientSecret: null })).json().hasClientSecret, false)
})

test('refuses what no provider of OpenID Connect can be', async () => {
  const admin = await person(story.accountId, 'admin')
  const refused = [
    { issuer: 'http://login.example' },
    { issuer: 'https://login.example/?tenant=1' },
    { issuer: 'https://login.example/.well-known/openid-configuration' },
    { issuer: 'https://user:password@login.example' },
    { scopes: 'profile email' },
    { authorizeParams: { redirect_uri: 'https://attacker.example' } },
    { authorizeParams: { state: 'x' } },
    { clientSecret: 'two\nlines' },
    { required: 'yes' },
  ]
  for (const fields of refused) {
    const answer = await admin.api('POST', pathOf(story.accountId), { ...PROVIDER, ...fields })
    assert.equal(answer.statusCode, 400, JSON.stringify(fields))
  }
})

test('gives a short name to one account only, and frees it with the account', async () => {
  const [first, second] = [await otherAccount(), await otherAccount()]
  const patch = (id: string, shortName: unknown) =>
    story.api('PATCH', `/api/accounts/${id}`, { shortName })
  assert.equal((await patch(first, 'lakeside-2')).json().shortName, 'lakeside-2')
  assert.equal((await patch(second, 'lakeside-2')).json().code, 'conflict')
  for (const name of ['a', 'Lakeside', 'lake--side', '-lake', 'läke', 'x'.repeat(80)]) {
    assert.equal((await patch(second, name)).statusCode, 400, name)
  }
  const provider = (await story.api('POST', pathOf(first), PROVIDER)).json()
  await story.api('DELETE', `/api/accounts/${first}`)
  const rows = await story.service.service.db.read(
    sql`SELECT sealed FROM identity_providers WHERE id = ${provider.id}`,
  )
  assert.equal(rows[0]?.sealed, null, 'its secrets go with it')
  assert.equal((await patch(second, 'lakeside-2')).statusCode, 200)
  assert.equal((await patch(second, null)).json().shortName, undefined)
})
