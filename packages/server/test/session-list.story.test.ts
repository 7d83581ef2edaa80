// The list of EHR sessions: who sees which, the filters, the pages; and that the administrator of a practice
// ends a session. Contract §3, security P01, U01.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { mintSignIn } from '../src/sign-in/sign-in.ts'
import { insertSignInByMethodStatement } from '../src/sign-in/sign-in-store.ts'
import { type Actor, EHR } from './account-fixture.ts'
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

test('keeps the first end of a session that is ended again', async () => {
  const { sessionId, id } = await at.launch()
  const { provider, accountAdmin } = at.practice.people
  const end = (token: string) => at.call(token, 'DELETE', `/api/sessions/${sessionId}`)
  const read = async () => {
    const { body } = await at.call(provider.token, 'GET', `/api/sessions/${sessionId}`)
    const launch = await at.call(provider.token, 'GET', `/api/launches/${id}`)
    return [JSON.parse(body).ended, launch.json().ended]
  }
  assert.equal((await end(provider.token)).statusCode, 204)
  const first = await read()
  assert.equal(first[0].reason, 'closed')
  at.node.clock.advance(60)
  assert.equal((await end(accountAdmin.token)).statusCode, 204)
  assert.deepEqual(await read(), first)
})

test('lists nothing of another account beside those of the account asked for', async () => {
  const { platformAdmin } = at.practice.people
  const opening = { accountId: at.practice.accountId, ehrType: EHR.ehrType, deviceId: 'd' }
  const opened = await at.call(platformAdmin.token, 'POST', '/api/sessions', opening)
  assert.equal(opened.statusCode, 201, opened.body)
  const { id } = opened.json()
  assert.ok(has(await list(platformAdmin.token, `accountId=${at.practice.accountId}`), id))
  assert.deepEqual(await list(platformAdmin.token, `accountId=${at.vendor.accountId}`), [])
})
