// Sign-in of a client without cookies: match code, consent, polling and one delivery; and what an
// attacker and an early or late client get instead. Contract §3, security U06, U07, H04.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { buildMatchCode } from '@chartside/protocol/sign-in'
import { sql } from '../src/db/sql.ts'
import { LIMITS } from '../src/http/admission/rate-limit-rules.ts'
import { deleteExpiredFlowsStatement } from '../src/sign-in/client-flow/sign-in-flow-store.ts'
import { deleteExpiredInteractionsStatement } from '../src/sign-in/interaction/interaction-store.ts'
import {
  hiddenFields,
  signInOnPage,
  type TestBrowser,
  testBrowser,
  testClient,
} from './sign-in-browser.ts'
import { ADMIN, startTestService, type TestService } from './test-service.ts'

const APPROVE = '/auth/sign-in/approve'

let service: TestService
let browser: TestBrowser
before(async () => {
  service = await startTestService()
})
after(() => service.close())
beforeEach(() => {
  browser = testBrowser(service)
})

async function approvedClient() {
  const client = testClient(service)
  const page = await signInOnPage(browser, client.url, ADMIN)
  assert.equal((await browser.send(page, APPROVE, { answer: 'yes' })).status, 200)
  return client
}

const me = (token: string) =>
  service.server.inject({ url: '/api/users/me', headers: { authorization: `Bearer ${token}` } })

test('gives the polling client 404, 202, 200 with the token once, then 410 [U06]', async () => {
  const client = testClient(service)
  assert.equal((await client.poll()).statusCode, 404)
  const page = await browser.open(client.url)
  assert.ok(!page.html.includes(buildMatchCode(client.challenge)), 'asked once, at the end')
  const waiting = await client.poll()
  assert.deepEqual([waiting.statusCode, waiting.headers['retry-after']], [202, '2'])

  const question = await browser.send(page, '/auth/sign-in/password', ADMIN)
  assert.ok(question.html.includes(buildMatchCode(client.challenge)))
  assert.match(question.html, /Do the codes match\?/)
  assert.ok(question.html.includes(buildMatchCode(client.challenge)))
  assert.equal((await client.poll()).statusCode, 202, 'nothing is given before the person agrees')
  const done = await browser.send(question, APPROVE, { answer: 'yes' })
  assert.match(done.html, /You are signed in/)

  const delivered = await client.poll()
  assert.equal(delivered.statusCode, 200, delivered.body)
  assert.equal(delivered.headers['cache-control'], 'no-store')
  assert.equal(delivered.json().user.email, ADMIN.email)
  assert.equal((await me(delivered.json().token)).statusCode, 200)
  const late = await client.poll()
  assert.deepEqual([late.statusCode, late.json().code], [410, 'used_already'])
})

test('delivers the token to one of 50 parallel polls, with one sign-in [U06]', async () => {
  const client = await approvedClient()
  const answers = await Promise.all(Array.from({ length: 50 }, () => client.poll()))
  const codes = answers.map(({ statusCode }) => statusCode).sort()
  assert.deepEqual(codes, [200, ...Array(49).fill(410)])
})

test('answers 404 to a poll with the session id and a wrong verifier [U06]', async () => {
  const client = await approvedClient()
  for (const verifier of [client.challenge, 'x'.repeat(43), '', client.sessionId]) {
    assert.equal((await client.poll(verifier)).statusCode, 404)
  }
  assert.equal((await client.poll()).statusCode, 200, 'and that has spoilt nothing')
})

test('refuses the same session id with another challenge', async () => {
  const client = testClient(service)
  await browser.open(client.url)
  const other = await browser.open(
    client.url.replace(/challenge=.*/, `challenge=${'A'.repeat(43)}`),
  )
  assert.equal(other.status, 410)
  assert.equal((await browser.open(`/auth/sign-in?challenge=${'A'.repeat(43)}`)).status, 400)
  assert.equal((await browser.open('/auth/sign-in?session_id=short&challenge=x')).status, 400)
})

test('expires a flow after ten minutes, for the page and for the client', async () => {
  const client = testClient(service)
  const page = await browser.open(client.url)
  service.clock.advance(10 * 60)
  assert.equal((await client.poll()).statusCode, 404)
  assert.equal((await browser.send(page, '/auth/sign-in/password', ADMIN)).status, 410)
  const approved = await approvedClient()
  service.clock.advance(10 * 60)
  assert.equal((await approved.poll()).statusCode, 404)
})

test('signs no user in after a refused consent, and ends the flow of the client', async () => {
  const client = testClient(service)
  const question = await signInOnPage(browser, client.url, ADMIN)
  assert.match(
    (await browser.send(question, APPROVE, { answer: 'no' })).html,
    /No one was signed in/,
  )
  assert.equal((await client.poll()).statusCode, 404)
  assert.equal((await browser.send(question, APPROVE, { answer: 'yes' })).status, 410)
  assert.equal((await client.poll()).statusCode, 404)
})

test('shows the same page for a wrong password and an unknown address [U07]', async () => {
  const pages = []
  for (const email of [ADMIN.email, 'unknown@test.example']) {
    const client = testClient(service)
    const page = await signInOnPage(browser, client.url, { email, password: 'wrong' })
    assert.equal(page.status, 401)
    assert.match(page.html, /role="alert"/)
    // What is random in a page, and what was typed.
    const html = page.html
      .replaceAll(buildMatchCode(client.challenge), '…')
      .replace(/[\w-]{22,}/g, '…')
      .replaceAll(email, '…')
    pages.push({
      html,
      headers: { ...page.headers, 'content-length': '', date: '' },
    })
  }
  assert.deepEqual(pages[0], pages[1])
})

test('refuses login CSRF: a cross-site form, or one without the CSRF token', async () => {
  const client = testClient(service)
  const page = await browser.open(client.url)
  const fields = { ...hiddenFields(page.html), ...ADMIN }
  const url = '/auth/sign-in/password'
  const attacks: [string, Record<string, string>, object][] = [
    ['from another origin', fields, { origin: 'https://evil.example' }],
    ['marked as cross-site', fields, { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['marked as same-site', fields, { origin: 'null', 'sec-fetch-site': 'same-site' }],
    ['with a made-up token', { ...fields, form_token: 'A'.repeat(43) }, {}],
    [
      'with the attacker’s own token',
      { ...fields, form_token: await attackersToken(client.url) },
      {},
    ],
    [
      'without a token',
      { ...ADMIN, session_id: client.sessionId, challenge: client.challenge },
      {},
    ],
  ]
  for (const [what, sent, headers] of attacks) {
    assert.equal((await browser.post(url, sent, headers)).status, 400, what)
  }
  browser.cookie = undefined
  assert.equal((await browser.post(url, fields)).status, 400, 'without the cookie')
  assert.equal((await client.poll()).statusCode, 202)
})

async function attackersToken(url: string): Promise<string> {
  return hiddenFields((await testBrowser(service).open(url)).html).form_token ?? ''
}

test('refuses session fixation: the cookie changes after the password [U06]', async () => {
  const attacker = testBrowser(service)
  const client = testClient(service)
  await attacker.open(client.url)
  browser.cookie = attacker.cookie
  const question = await signInOnPage(browser, client.url, ADMIN)
  assert.notEqual(browser.cookie, attacker.cookie)
  const { step = '' } = hiddenFields(question.html)
  assert.equal((await attacker.open(`${APPROVE}?step=${step}`)).status, 410)
  const stolen = { ...hiddenFields(question.html), form_token: await attackersToken(client.url) }
  assert.notEqual((await attacker.post(APPROVE, { ...stolen, answer: 'yes' })).status, 200)
  assert.equal((await client.poll()).statusCode, 202)
})

test('sets one host-only, HttpOnly cookie on pages that run no script [H01] [H04]', async () => {
  const page = await browser.open(testClient(service).url)
  assert.match(
    String(page.headers['set-cookie']),
    /^__Host-chartside=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  )
  const policy = String(page.headers['content-security-policy'])
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.match(policy, /form-action 'self'/)
  assert.doesNotMatch(policy, /unsafe/)
  assert.equal(page.headers['referrer-policy'], 'no-referrer')
  assert.equal(page.headers['x-content-type-options'], 'nosniff')
  assert.equal(page.headers['cross-origin-opener-policy'], 'same-origin')
})

test('escapes what the user typed [A21]', async () => {
  const email = '"><script>alert(1)</script>@x'
  const page = await signInOnPage(browser, testClient(service).url, { email, password: 'x' })
  assert.doesNotMatch(page.html, /<script>alert/)
  assert.match(page.html, /&#34;&#62;&#60;script&#62;/)
})

test('redeems an interaction once, in its own browser, of many parallel requests', async () => {
  const client = testClient(service)
  const question = await signInOnPage(browser, client.url, ADMIN)
  const fields = { ...hiddenFields(question.html), answer: 'yes' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => browser.post(APPROVE, fields)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(410)])
})

test('logs no session token, verifier or cookie', async () => {
  const client = await approvedClient()
  const { token } = (await client.poll()).json()
  const log = service.logText()
  for (const secret of [token, client.verifier, client.sessionId, browser.cookie?.split('=')[1]]) {
    assert.ok(secret && !log.includes(secret))
  }
})

test('limits the sign-in pages that one network opens', async () => {
  const { most } = LIMITS.signInPage
  service.clock.advance(3600)
  await Promise.all(Array.from({ length: most }, () => browser.open(testClient(service).url)))
  const refused = await browser.open(testClient(service).url)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.match(refused.html, /Try again in a minute/)
  assert.match(refused.html, /<a class="button" href="">Try again<\/a>/)
  service.clock.advance(61)
  assert.equal((await browser.open(testClient(service).url)).status, 200)
})

test('deletes expired sign-in flows and interactions', async () => {
  const { db } = service.service
  const client = await approvedClient()
  await browser.open(testClient(service).url)
  assert.equal((await client.poll()).statusCode, 200)
  const rows = async () => {
    const now = service.clock()
    await db.write(deleteExpiredFlowsStatement(now), deleteExpiredInteractionsStatement(now))
    const flows = await db.read(sql`SELECT * FROM sign_in_flows`)
    return [flows.length, (await db.read(sql`SELECT * FROM browser_steps`)).length]
  }
  service.clock.advance(10 * 60 + 1)
  assert.deepEqual(await rows(), [await deliveredCount(), 0])
  assert.equal((await client.poll()).statusCode, 410, 'a late poll still gets 410')
  service.clock.advance(13 * 60 * 60)
  assert.deepEqual(await rows(), [0, 0])
})

async function deliveredCount(): Promise<number> {
  const { db } = service.service
  return (await db.read(sql`SELECT * FROM sign_in_flows WHERE delivered_at IS NOT NULL`)).length
}
