// The e-mail domains of an account: proved by DNS, held by one account, proved again every day, and what they lead to
// at the sign-in page. Real providers; DNS is a table here. Contract §13.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import type { TxtAnswer } from '../src/domains/domain.ts'
import { proveDueDomains } from '../src/domains/domain-proof.ts'
import { as, invite, joinAs, person } from './people.ts'
import {
  answerFor,
  beginPracticeStory,
  endPracticeStory,
  linkOf,
  memberOf,
  type Practice,
  practice,
  story,
  visit,
} from './practice-provider-story.ts'
import { type Shown, testBrowser, testClient } from './sign-in-browser.ts'

const DAY_SECONDS = 24 * 60 * 60
const dns = new Map<string, TxtAnswer>()
let lakeside: Practice
let northgate: Practice
before(async () => {
  await beginPracticeStory()
  Object.assign(story.service.service, {
    lookupTxt: async (name: string) => dns.get(name) ?? [],
  })
  lakeside = await practice()
  northgate = await practice()
})
after(endPracticeStory)

interface Shape {
  id: string
  domain: string
  state: string
  record: { name: string; value: string }
  finding?: { code: string; cause: string; fix?: string }
}
const pathOf = (at: Practice) => `/api/accounts/${at.accountId}/domains`

async function add(at: Practice, domain: string): Promise<Shape> {
  const made = await story.api('POST', pathOf(at), { domain })
  assert.equal(made.statusCode, 201, made.body)
  return made.json()
}

async function check(at: Practice, { id }: Shape): Promise<Shape> {
  const checked = await story.api('POST', `${pathOf(at)}/${id}/check`, {})
  assert.equal(checked.statusCode, 200, checked.body)
  return checked.json()
}

/** With its record in DNS. */
async function prove(at: Practice, domain: string): Promise<Shape> {
  const made = await add(at, domain)
  dns.set(made.record.name, [made.record.value])
  const proved = await check(at, made)
  assert.equal(proved.state, 'verified')
  return proved
}

const stateOf = async (at: Practice, { id }: Shape) =>
  (await story.api('GET', pathOf(at))).json().items.find((one: Shape) => one.id === id).state

/** The page after the person has typed this at "Sign in with your practice". */
async function typed(text: string, client = testClient(story.service)) {
  const browser = testBrowser(story.service)
  const asked = await browser.open(linkOf(await browser.open(client.url), 'practice'))
  const page = await browser.open(`${asked.url}&practice=${encodeURIComponent(text)}`)
  return { page, browser, client }
}

test('adds a domain, says what is missing, and proves it by its own record', async () => {
  const made = await add(lakeside, 'Clinic.Example.')
  assert.deepEqual(
    [made.domain, made.state, made.record.name],
    ['clinic.example', 'pending', '_chartside.clinic.example'],
  )
  const missing = await check(lakeside, made)
  assert.deepEqual([missing.state, missing.finding?.code], ['pending', 'record_missing'])
  assert.match(missing.finding?.fix ?? '', /enter _chartside alone/)
  dns.set(made.record.name, ['chartside-domain=another'])
  assert.equal((await check(lakeside, made)).finding?.code, 'record_differs')
  dns.set(made.record.name, 'unreachable')
  assert.equal((await check(lakeside, made)).finding?.code, 'dns_unreachable')
  dns.set(made.record.name, ['v=spf1 -all', made.record.value])
  const proved = await check(lakeside, made)
  assert.deepEqual([proved.state, proved.finding?.code], ['verified', 'proved'])
  const twice = await story.api('POST', pathOf(lakeside), { domain: 'CLINIC.example' })
  assert.deepEqual([twice.statusCode, twice.json().code], [409, 'conflict'])
  const wrong = await story.api('POST', pathOf(lakeside), { domain: 'amy@clinic.example' })
  assert.equal(wrong.json().errors[0].field, '/domain', wrong.body)
  const trail = await story.api('GET', `/api/accounts/${lakeside.accountId}/audit-events?limit=50`)
  assert.match(trail.body, /"domainVerified"/)
})

test('shows and changes the domains of its own account only', async () => {
  const one = await add(lakeside, 'own.example')
  const admin = await person(northgate.accountId, 'admin')
  assert.equal((await admin.api('GET', pathOf(lakeside))).statusCode, 404)
  assert.equal((await admin.api('POST', `${pathOf(lakeside)}/${one.id}/check`, {})).statusCode, 404)
  for (const [method, end] of [
    ['POST', '/check'],
    ['DELETE', ''],
  ] as const) {
    const foreign = await admin.api(
      method,
      `${pathOf(northgate)}/${one.id}${end}`,
      method === 'POST' ? {} : undefined,
    )
    assert.equal(foreign.statusCode, 404, foreign.body)
  }
  const provider = await person(lakeside.accountId)
  assert.equal((await provider.api('GET', pathOf(lakeside))).statusCode, 403)
  assert.equal((await story.api('DELETE', `${pathOf(lakeside)}/${one.id}`)).statusCode, 204)
  assert.equal((await story.api('DELETE', `${pathOf(lakeside)}/${one.id}`)).statusCode, 404)
})

test('leads a person of a proved domain to the provider of the practice, and no other', async () => {
  const waiting = await add(lakeside, 'waiting.example')
  await prove(lakeside, 'leads.example')
  const led = await typed('Amy@LEADS.example')
  assert.equal(led.page.status, 200, led.page.html)
  assert.match(led.page.html, new RegExp(`id="${lakeside.providerId}"`))
  for (const other of [
    'amy@waiting.example',
    'amy@sub.leads.example',
    'leads.example',
    'amy@',
    'x@y',
  ]) {
    const { page } = await typed(other)
    assert.equal(page.status, 404, other)
    assert.match(page.html, /No practice with a sign-in of its own has this short name/)
    assert.doesNotMatch(page.html, /idp_/)
  }
  dns.set(waiting.record.name, [waiting.record.value])
  await check(lakeside, waiting)
  assert.equal((await typed('amy@waiting.example')).page.status, 200)
})

test('one account holds a domain; the record decides who, at once', async () => {
  const first = await prove(lakeside, 'shared.example')
  const second = await add(northgate, 'shared.example')
  dns.set(first.record.name, [first.record.value, second.record.value])
  const held = await check(northgate, second)
  assert.deepEqual([held.state, held.finding?.code], ['pending', 'held_by_another'])
  assert.equal(await stateOf(lakeside, first), 'verified')
  dns.set(first.record.name, [second.record.value])
  assert.equal((await check(northgate, second)).state, 'verified')
  assert.equal(await stateOf(lakeside, first), 'lapsed')
  const { page } = await typed('amy@shared.example')
  assert.match(page.html, new RegExp(`id="${northgate.providerId}"`))
  const trail = await story.api('GET', `/api/accounts/${lakeside.accountId}/audit-events?limit=50`)
  assert.match(trail.body, /"domainLapsed"/)
})

test('of two accounts that prove a domain at once one holds it', async () => {
  const [first, second] = [
    await add(lakeside, 'race.example'),
    await add(northgate, 'race.example'),
  ]
  dns.set(first.record.name, [first.record.value, second.record.value])
  const both = await Promise.all([check(lakeside, first), check(northgate, second)])
  assert.deepEqual(both.map(({ state }) => state).sort(), ['pending', 'verified'])
  const codes = both.map(({ finding }) => finding?.code).sort()
  assert.deepEqual(codes, ['held_by_another', 'proved'])
})

test('proves again every day: a record that is gone ends it, silence after three', async () => {
  const { service, clock } = story.service
  const [gone, silent] = [
    await prove(lakeside, 'gone.example'),
    await prove(lakeside, 'silent.example'),
  ]
  dns.set(gone.record.name, [])
  dns.set(silent.record.name, 'unreachable')
  await proveDueDomains(service)
  assert.deepEqual(
    [await stateOf(lakeside, gone), await stateOf(lakeside, silent)],
    ['verified', 'verified'],
    'not due yet',
  )
  clock.advance(DAY_SECONDS)
  // Two nodes look at once: one event.
  await Promise.all([proveDueDomains(service), proveDueDomains(service)])
  assert.deepEqual(
    [await stateOf(lakeside, gone), await stateOf(lakeside, silent)],
    ['lapsed', 'verified'],
  )
  assert.equal((await typed('amy@gone.example')).page.status, 404)
  const trail = `/api/accounts/${lakeside.accountId}/audit-events?limit=50&about=domainLapsed`
  const events = (await story.api('GET', trail))
    .json()
    .items.filter(({ detail }: { detail: Record<string, string> }) => detail.domain === gone.domain)
  assert.equal(events.length, 1)
  dns.set(gone.record.name, [gone.record.value])
  for (let day = 0; day < 2; day += 1) {
    clock.advance(DAY_SECONDS)
    await proveDueDomains(service)
  }
  assert.deepEqual(
    [await stateOf(lakeside, gone), await stateOf(lakeside, silent)],
    ['verified', 'lapsed'],
  )
})

/** The question whether to join, or the refusal. */
async function comeTo(at: Practice, address: string, claims: object = {}) {
  at.provider.person = { sub: `sub of ${address}`, email: address, ...claims }
  const [browser, client] = [testBrowser(story.service), testClient(story.service)]
  const page = await browser.open(await answerFor(at, client.url, browser))
  return { page, browser, client }
}

const allow = (at: Practice, joinByDomain: string) =>
  story.api('PATCH', `/api/accounts/${at.accountId}`, { joinByDomain })

const answer = (of: { page: Shown; browser: ReturnType<typeof testBrowser> }, answer: string) =>
  of.browser.send(of.page, '/auth/invitation/provider', { answer })

test('lets a person of a proved domain join without an invitation, if allowed', async () => {
  await prove(lakeside, 'join.example')
  const refused = await comeTo(lakeside, 'amy@join.example')
  assert.equal(refused.page.status, 401, 'off by default')
  assert.equal((await allow(lakeside, 'provider')).json().joinByDomain, 'provider')
  const asked = await comeTo(lakeside, 'amy@join.example', { name: 'Amy Reyes' })
  assert.match(asked.page.html, /would become a member of/, asked.page.html)
  assert.match(asked.page.html, /Amy Reyes/)
  const no = await answer(asked, 'no')
  assert.match(no.html, /Nothing was changed/)
  const rows = await story.service.service.db.read(
    sql`SELECT id FROM users WHERE email = 'amy@join.example'`,
  )
  assert.equal(rows.length, 0, 'nothing is stored before the answer')

  const again = await comeTo(lakeside, 'amy@join.example', { name: 'Amy Reyes' })
  const consent = await answer(again, 'yes')
  await again.browser.send(consent, '/auth/sign-in/approve', { answer: 'yes' })
  const collected = await again.client.poll()
  assert.equal(collected.statusCode, 200, consent.html)
  const me = (await as(collected.json().token)('GET', '/api/users/me')).json()
  assert.deepEqual([me.name, me.email], ['Amy Reyes', 'amy@join.example'])
  assert.deepEqual(
    me.memberships.map((one: { role: string; account: { id: string } }) => [
      one.role,
      one.account.id,
    ]),
    [['provider', lakeside.accountId]],
  )
  // Who was removed is known here, and does not come back by the domain.
  assert.equal(
    (await story.api('DELETE', `/api/accounts/${lakeside.accountId}/members/${me.id}`)).statusCode,
    204,
  )
  const back = await comeTo(lakeside, 'amy@join.example')
  assert.doesNotMatch(back.page.html, /would become a member of/)
  await allow(lakeside, 'off')
})

test('takes no person over by an address, and none of another domain [U06]', async () => {
  await prove(lakeside, 'strict.example')
  await add(lakeside, 'claimed.example')
  await allow(lakeside, 'provider')
  const victim = await invite(northgate.accountId, { email: 'victim@strict.example' })
  await joinAs(victim.invitationUrl)
  const boss = await invite(lakeside.accountId, { email: 'boss@strict.example', role: 'admin' })
  const bound = await memberOf(northgate)
  const attempts = [
    [victim.email, {}],
    [boss.email, {}],
    [bound.email, {}],
    ['amy@strict.example', { email_verified: false }],
    ['amy@strict.example', { email_verified: 'true' }],
    ['amy@sub.strict.example', {}],
    ['amy@strict.example.evil.example', {}],
    ['amy@elsewhere.example', {}],
    ['amy@claimed.example', {}],
  ] as const
  for (const [address, claims] of attempts) {
    const { page, client } = await comeTo(lakeside, address, claims)
    assert.equal(page.status, 401, `${address} ${JSON.stringify(claims)} ${page.html}`)
    assert.match(page.html, /Open your invitation/)
    assert.equal((await client.poll()).statusCode, 202)
  }
  // The domain of one account lets no one into another.
  await allow(northgate, 'provider')
  assert.equal((await comeTo(northgate, 'amy@strict.example')).page.status, 401)
  await allow(northgate, 'off')
})

test('judges again at the answer: what changed since the question counts', async () => {
  const domain = await prove(lakeside, 'late.example')
  await allow(lakeside, 'provider')
  const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['switched off', () => allow(lakeside, 'off')],
    [
      'known meanwhile',
      async () => {
        await joinAs((await invite(northgate.accountId, { email: 'b@late.example' })).invitationUrl)
      },
    ],
    ['domain removed', () => story.api('DELETE', `${pathOf(lakeside)}/${domain.id}`)],
  ]
  for (const [i, [what, change]] of changes.entries()) {
    await allow(lakeside, 'provider')
    const asked = await comeTo(lakeside, `${'abc'[i]}@late.example`)
    assert.match(asked.page.html, /would become a member of/, what)
    await change()
    const refused = await answer(asked, 'yes')
    assert.equal(refused.status, 410, `${what}: ${refused.html}`)
    assert.equal((await asked.client.poll()).statusCode, 202)
  }
  await allow(lakeside, 'off')
})

test('forgets the domains of a deleted account', async () => {
  const closed = await practice()
  const domain = await prove(closed, 'closed.example')
  assert.equal((await story.api('DELETE', `/api/accounts/${closed.accountId}`)).statusCode, 204)
  const moved = await add(northgate, 'closed.example')
  dns.set(domain.record.name, [moved.record.value])
  assert.equal((await check(northgate, moved)).state, 'verified')
})

test('shows the providers of the practice first that the policy of the extension names', async () => {
  const open = async (accountId: string) =>
    testBrowser(story.service).open(`${testClient(story.service).url}&account_id=${accountId}`)
  const named = await open(lakeside.accountId)
  const at = (text: string) => named.html.indexOf(text)
  assert.ok(at(`id="${lakeside.providerId}"`) > 0, named.html)
  assert.ok(at(`id="${lakeside.providerId}"`) < at('name="password"'))
  assert.ok(!named.html.includes(northgate.providerId))
  const browser = testBrowser(story.service)
  const client = testClient(story.service)
  const page = await browser.open(`${client.url}&account_id=${lakeside.accountId}`)
  const question = await browser.open(await visit(lakeside, page, browser))
  assert.doesNotMatch(question.html, /This page is opened by the extension/)
  for (const other of [story.accountId, 'acc_01jnye6xw8q2v5n0m4r7ta', 'nothing', '"><b>']) {
    const plain = await open(encodeURIComponent(other))
    assert.doesNotMatch(plain.html, /idp_/, other)
    assert.equal(plain.status, 200)
  }
})
