// A vendor narrows its launches to one practice, and chooses among the practices where its apps were launched:
// which launches each caller gets, and that no account is named without a launch that the caller sees.
// Contract §3, security P01, U01, V18.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Launch } from '@chartside/protocol/launch'
import { MAX_BRANCHES } from '../src/launches/list/launch-filter-store.ts'
import { createFixture, EHR, type Fixture } from './account-fixture.ts'
import { checkAnswer } from './answer-check.ts'
import { startTestService, type TestService } from './test-service.ts'

let node: TestService
/** The vendor of the app, and a practice that runs it. */
let vendor: Fixture
/** A practice that runs the vendor's app only. */
let clinic: Fixture
/** Has a vendor and an app of its own. */
let stranger: Fixture
const launches: Record<'vendor' | 'clinic' | 'stranger', string[]> = {
  ...{ vendor: [], clinic: [], stranger: [] },
}
before(async () => {
  node = await startTestService({ CHARTSIDE_SESSION_IDLE_SECONDS: '43200' })
  vendor = await createFixture(node)
  clinic = await createFixture(node)
  stranger = await createFixture(node)
  const admin = vendor.people.platformAdmin.token
  const collection = { id: vendor.collectionId, version: 'latest' }
  const changed = await call(admin, 'PATCH', `/api/accounts/${clinic.accountId}`, { collection })
  assert.equal(changed.statusCode, 200, changed.body)
  const names = { vendor: 'Lakeside', clinic: 'Clinic 100 %', stranger: 'Stranger' }
  for (const [who, fixture] of Object.entries({ vendor, clinic, stranger })) {
    const name = names[who as keyof typeof names]
    await call(admin, 'PATCH', `/api/accounts/${fixture.accountId}`, { name })
  }
  launches.vendor.push(await launchIn(vendor, vendor.app.id))
  launches.clinic.push(await launchIn(clinic, vendor.app.id), await launchIn(clinic, vendor.app.id))
  launches.stranger.push(await launchIn(stranger, stranger.app.id))
})
after(() => node.close())

async function call(token: string, method: 'GET' | 'POST' | 'PATCH', url: string, body?: object) {
  const answer = await node.server.inject({
    ...{ method, url, headers: { authorization: `Bearer ${token}` } },
    ...(body ? { payload: body } : {}),
  })
  checkAnswer(method, url, answer)
  return answer
}

async function launchIn({ accountId, people }: Fixture, appId: string): Promise<string> {
  node.clock.advance(1)
  const { token } = people.provider
  const opening = { accountId, ehrType: EHR.ehrType, deviceId: 'd' }
  const session = (await call(token, 'POST', '/api/sessions', opening)).json()
  const url = `/api/sessions/${session.id}/launches`
  const answer = await call(token, 'POST', url, { appId, kind: 'ui' })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().id
}

async function read(token: string, path: string, query: Record<string, string>) {
  const answer = await call(token, 'GET', `/api/launches${path}?${new URLSearchParams(query)}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

const list = async (token: string, query: Record<string, string>): Promise<string[]> =>
  (await read(token, '', query)).items.map(({ id }: Launch) => id).sort()

const practicesOf = async (token: string, query: Record<string, string> = {}) =>
  (await read(token, '/practices', query)).items.map(
    ({ name, count }: { name: string; count: number }) => `${name} ${count}`,
  )

test('narrows a list, its causes and its summary to one practice [V18]', async () => {
  const practiceId = clinic.accountId
  const expected = launches.clinic.toSorted()
  for (const { token } of [vendor.people.developer, vendor.people.platformAdmin]) {
    assert.deepEqual(await list(token, { practiceId }), expected)
    const both = { practiceId, appId: vendor.app.id }
    assert.deepEqual(await list(token, both), expected)
    assert.deepEqual(await list(token, { practiceId, appId: stranger.app.id }), [])
    assert.deepEqual(await list(token, { practiceId, outcome: 'failed' }), [])
    assert.equal((await read(token, '/summary', { practiceId })).launches, 2)
    assert.equal((await read(token, '/causes', { practiceId })).launches, 0)
  }
  const accountId = vendor.accountId
  const { token } = vendor.people.developer
  assert.deepEqual(await list(token, { practiceId, accountId }), expected)
  assert.deepEqual(await list(token, { practiceId: accountId, accountId }), launches.vendor)
  const first = await read(token, '', { practiceId, limit: '1' })
  const rest = await read(token, '', { practiceId, limit: '1', cursor: first.nextCursor })
  assert.deepEqual(
    [...first.items, ...rest.items].map(({ id }: Launch) => id),
    expected.toReversed(),
  )
})

test('gives no launch of a practice to a caller who sees none of it [P01, U01]', async () => {
  const foreign = { practiceId: stranger.accountId }
  const unknown = { practiceId: 'acc_0000000000000000000000' }
  const { token } = vendor.people.developer
  // An account without a launch of its apps is the same to a vendor as none.
  for (const path of ['', '/summary', '/causes', '/practices']) {
    const [one, other] = [await read(token, path, foreign), await read(token, path, unknown)]
    assert.deepEqual(one, other, path)
  }
  assert.deepEqual(await list(token, foreign), [])
  // A provider of the practice sees their own launches there, and no other's.
  const mine = await list(clinic.people.provider.token, { practiceId: clinic.accountId })
  assert.deepEqual(mine, launches.clinic.toSorted())
  assert.deepEqual(await list(clinic.people.developer.token, { practiceId: clinic.accountId }), [])
  assert.deepEqual(
    await list(clinic.people.accountAdmin.token, { practiceId: clinic.accountId }),
    launches.clinic.toSorted(),
  )
})

test('names to a vendor the practices of its launches only [P01, U01]', async () => {
  const { developer, platformAdmin, otherAdmin } = vendor.people
  const { token } = developer
  assert.deepEqual(await practicesOf(token), ['Clinic 100 % 2', 'Lakeside 1'])
  assert.deepEqual(await practicesOf(token, { q: 'clinic' }), ['Clinic 100 % 2'])
  assert.deepEqual(await practicesOf(token, { q: '%' }), ['Clinic 100 % 2'])
  assert.deepEqual(await practicesOf(token, { q: 'stranger' }), [])
  assert.deepEqual(await practicesOf(token, { appId: stranger.app.id }), [])
  assert.deepEqual(await practicesOf(token, { to: '2020-01-01T00:00:00Z' }), [])
  assert.deepEqual(await practicesOf(clinic.people.developer.token), [])
  assert.deepEqual(await practicesOf(otherAdmin.token), [])
  assert.deepEqual(await practicesOf(stranger.people.developer.token), ['Stranger 1'])
  assert.equal((await practicesOf(platformAdmin.token)).length, 3)
  const foreign = `/api/launches/practices?accountId=${stranger.accountId}`
  assert.equal((await call(token, 'GET', foreign)).statusCode, 404)
})

test('lists to a provider of the vendor no launch of another practice [P01, V18]', async () => {
  assert.deepEqual(await list(vendor.people.provider.token, {}), launches.vendor)
})

test('lists early launches beside a new one to a vendor of many apps', async () => {
  const { developer, platformAdmin } = vendor.people
  for (let i = 0; i < MAX_BRANCHES; i++) {
    const app = { accountId: vendor.accountId, name: `app ${i}` }
    assert.equal((await call(platformAdmin.token, 'POST', '/api/apps', app)).statusCode, 201)
  }
  node.clock.advance(2 * 3600)
  launches.clinic.push(await launchIn(clinic, vendor.app.id))
  const all = [...launches.vendor, ...launches.clinic].toSorted()
  assert.deepEqual(await list(developer.token, {}), all)
})

test('gives the administrator of a vendor no launch by its user [V18]', async () => {
  const userId = clinic.people.provider.id
  assert.deepEqual(await list(vendor.people.accountAdmin.token, { userId }), [])
  assert.deepEqual(
    await list(clinic.people.accountAdmin.token, { userId }),
    launches.clinic.toSorted(),
  )
  const refused = await call(vendor.people.developer.token, 'GET', `/api/launches?userId=${userId}`)
  assert.equal(refused.json().code, 'not_allowed')
})
