// The list of EHR sessions: who sees which, the filters, the pages; and that the administrator of a practice
// ends a session. Contract §3, security P01, U01.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { mintSignIn } from '../src/sign-in/sign-in.ts'
import { insertSignInByMethodStatement } from '../src/sign-in/sign-in-store.ts'
import type { Actor } from './account-fixture.ts'
import { type PracticeWithVendor, startPracticeWithVendor } from './practice-fixture.ts'

let at: PracticeWithVendor
before(async () => {
  at = await startPracticeWithVendor()
})
after(() => at.node.close())

interface Listed {
  readonly id: string
  readonly userName: string
  readonly state: string
  readonly launchCount: number
  readonly ended?: { readonly reason: string }
}

async function list(token: string, query = ''): Promise<Listed[]> {
  const answer = await at.call(token, 'GET', `/api/sessions?${query}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().items
}

/** The session token of another sign-in of the person. */
async function signInAgain({ id, methodId }: Actor): Promise<string> {
  const { service, clock } = at.node
  const { config, db, randomness } = service
  const signIn = mintSignIn(config.sessionLifetimeSeconds, clock(), randomness)
  await db.write(insertSignInByMethodStatement(signIn, id, methodId))
  return signIn.token
}

const has = (items: readonly Listed[], id: string) => items.some((item) => item.id === id)

test('shows a session to its person, its practice and the platform only [P01]', async () => {
  const { sessionId } = await at.launch()
  const { provider, accountAdmin, platformAdmin, developer, otherAdmin } = at.practice.people
  for (const { token } of [provider, accountAdmin, platformAdmin]) {
    const [item] = await list(token)
    assert.deepEqual(
      [item?.id, item?.userName, item?.state, item?.launchCount],
      [sessionId, 'Provider', 'live', 1],
    )
  }
  const { developer: vendorDeveloper, accountAdmin: vendorAdmin } = at.vendor.people
  for (const { token } of [developer, otherAdmin, vendorDeveloper, vendorAdmin]) {
    assert.equal(has(await list(token), sessionId), false)
  }
  const query = `accountId=${at.practice.accountId}`
  assert.ok(has(await list(accountAdmin.token, query), sessionId))
  assert.deepEqual(await list(developer.token, query), [])
  for (const { token } of [otherAdmin, vendorAdmin]) {
    assert.equal((await at.call(token, 'GET', `/api/sessions?${query}`)).statusCode, 404)
  }
})

test('ends a session as administrator of the practice, and says that it was revoked', async () => {
  const { sessionId, id } = await at.launch()
  const { accountAdmin, developer, provider } = at.practice.people
  const url = `/api/sessions/${sessionId}`
  for (const { token } of [developer, at.vendor.people.accountAdmin]) {
    assert.equal((await at.call(token, 'DELETE', url)).statusCode, 404)
  }
  assert.equal((await at.call(accountAdmin.token, 'GET', url)).statusCode, 200)
  assert.equal((await at.call(accountAdmin.token, 'DELETE', url)).statusCode, 204)
  assert.equal(has(await list(provider.token, 'state=live'), sessionId), false)
  const [ended] = await list(accountAdmin.token, 'state=ended')
  assert.deepEqual([ended?.id, ended?.ended?.reason], [sessionId, 'revoked'])
  const launch = (await at.call(provider.token, 'GET', `/api/launches/${id}`)).json()
  assert.deepEqual([launch.state, launch.ended.reason], ['ended', 'revoked'])
})

test('lists those of the own sign-in only, also to the platform', async () => {
  const { sessionId } = await at.launch()
  const { platformAdmin, provider } = at.practice.people
  const query = 'signIn=this&state=live'
  assert.deepEqual(await list(platformAdmin.token, query), [])
  assert.ok(has(await list(provider.token, query), sessionId))
  const other = await signInAgain(provider)
  assert.deepEqual(await list(other, query), [])
  assert.ok(has(await list(other), sessionId))
})

test('pages through the sessions newest first, live or ended', async () => {
  for (let i = 0; i < 3; i++) await at.launch()
  const { token } = at.practice.people.accountAdmin
  const all = await list(token)
  assert.ok(all.length >= 5)
  const found: string[] = []
  let cursor = ''
  do {
    const answer = await at.call(token, 'GET', `/api/sessions?limit=2&cursor=${cursor}`)
    found.push(...answer.json().items.map(({ id }: Listed) => id))
    cursor = answer.json().nextCursor ?? ''
  } while (cursor)
  assert.deepEqual(
    found,
    all.map(({ id }) => id),
  )
  const [live, ended] = [await list(token, 'state=live'), await list(token, 'state=ended')]
  assert.equal(live.length + ended.length, all.length)
  assert.ok(live.every(({ state }) => state === 'live'))
  const refused = await at.call(token, 'GET', '/api/sessions?state=gone')
  assert.equal(refused.statusCode, 400)
})
