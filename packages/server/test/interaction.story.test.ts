// An interaction is redeemed once, by its own session, as its own kind, before it expires.
// Security U06.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../src/kernel/identifiers.ts'
import { INTERACTION_LIFETIME_MS } from '../src/sign-in/interaction/interaction.ts'
import {
  findInteraction,
  insertInteractionStatement,
  redeemInteraction,
} from '../src/sign-in/interaction/interaction-store.ts'
import { createPreAuthSession } from '../src/sign-in/interaction/pre-auth-session.ts'
import { hiddenFields, testBrowser, testClient } from './sign-in-browser.ts'
import { ADMIN, startTestService, type TestService } from './test-service.ts'

const DATA = { invitationId: 'inv_x' }

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

async function insert() {
  const { db, config, randomness } = service.service
  const now = service.clock()
  const session = createPreAuthSession(config.baseUrl, randomness)
  const key = { id: newId('stp', now, randomness), session, kind: 'new_passkey', now } as const
  await db.write(insertInteractionStatement(key, DATA))
  return { db, key, other: createPreAuthSession(config.baseUrl, randomness) }
}

test('redeems an interaction once of twenty parallel attempts', async () => {
  const { db, key } = await insert()
  assert.deepEqual((await findInteraction(db, key))?.data, DATA)
  const redeemed = await Promise.all(Array.from({ length: 20 }, () => redeemInteraction(db, key)))
  assert.deepEqual(
    redeemed.filter((interaction) => interaction !== undefined).map(({ data }) => data),
    [DATA],
  )
  assert.equal(await findInteraction(db, key), undefined)
})

test('refuses another session, another kind and a late time, and keeps the interaction', async () => {
  const { db, key, other } = await insert()
  const late = key.now + INTERACTION_LIFETIME_MS
  assert.equal(await redeemInteraction(db, { ...key, session: other }), undefined)
  assert.equal(await redeemInteraction(db, { ...key, kind: 'approval' }), undefined)
  assert.equal(await redeemInteraction(db, { ...key, now: late }), undefined)
  assert.ok(await redeemInteraction(db, { ...key, now: late - 1 }))
})

test('gives every browser a session of its own when it has authenticated [U06]', async () => {
  const cookies = []
  for (const _ of [1, 2]) {
    const browser = testBrowser(service)
    const page = await browser.open(testClient(service).url)
    const before = browser.cookie
    await browser.send(page, '/auth/sign-in/password', ADMIN)
    assert.notEqual(browser.cookie, before, 'the session changes at the sign-in')
    cookies.push(browser.cookie)
  }
  assert.notEqual(cookies[0], cookies[1])
})

test('refuses a form with a field that stands twice [A09]', async () => {
  const browser = testBrowser(service)
  const page = await browser.open(testClient(service).url)
  const fields = new URLSearchParams({ ...hiddenFields(page.html), ...ADMIN })
  fields.append('email', 'another@test.example')
  const answer = await service.server.inject({
    method: 'POST',
    url: '/auth/sign-in/password',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: browser.cookie ?? '',
      'sec-fetch-site': 'same-origin',
    },
    payload: fields.toString(),
  })
  assert.equal(answer.statusCode, 400)
  assert.match(answer.body, /sent more than once/)
})
