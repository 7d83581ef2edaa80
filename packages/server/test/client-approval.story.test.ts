// An approval goes to the browser in which it was given: who sent a link to another person gets no token.
// And the codes that are compared once in a working day. Contract §3, security V31, U06.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import {
  type Shown,
  signInOnPage,
  type TestBrowser,
  type TestClient,
  testBrowser,
  testClient,
} from './sign-in-browser.ts'
import { ADMIN, startTestService, type TestService } from './test-service.ts'

const APPROVE = '/auth/sign-in/approve'
const HOST = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop'
const OTHER_HOST = 'chrome-extension://bcdefghijklmnopabcdefghijklmnopa'
const WORKING_DAY_SECONDS = 12 * 60 * 60

let service: TestService
let browser: TestBrowser
before(async () => {
  service = await startTestService({ CHARTSIDE_HOST_ORIGINS: `${HOST},${OTHER_HOST}` })
})
after(() => service.close())
beforeEach(() => {
  browser = testBrowser(service)
})

const proofOf = ({ headers }: Shown): string =>
  new RegExp(`^0; url=${HOST}/signed-in.html#([A-Za-z0-9_-]{43})$`).exec(
    String(headers.refresh),
  )?.[1] ?? ''

const pollWith = (client: TestClient, proof: string) => client.poll(`${client.verifier}/${proof}`)

/** Through the consent page, when there is one. */
async function approve(client: TestClient, isAsked = true): Promise<Shown> {
  const page = await signInOnPage(browser, client.url, ADMIN)
  assert.equal(page.html.includes('Do the codes match?'), isAsked)
  return isAsked ? browser.send(page, APPROVE, { answer: 'yes' }) : page
}

async function signIn(isAsked = true): Promise<string> {
  const client = testClient(service, HOST)
  const answer = await pollWith(client, proofOf(await approve(client, isAsked)))
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().token
}

test('gives no token to who made the link, only to the browser that approved [V31]', async () => {
  const client = testClient(service, HOST)
  const done = await approve(client)
  assert.equal((await client.poll()).statusCode, 202, 'the verifier alone')
  const guesses = ['', 'A'.repeat(43), `${proofOf(done)}A`]
  for (const guess of guesses) assert.equal((await pollWith(client, guess)).statusCode, 202)
  const mine = await pollWith(client, proofOf(done))
  assert.equal(mine.statusCode, 200, mine.body)
  assert.equal((await pollWith(client, proofOf(done))).statusCode, 410)
})

test('leads an approval to no origin that the service does not know [V31]', async () => {
  for (const origin of ['https://evil.example', 'chrome-extension://evil', '']) {
    const page = await browser.open(testClient(service, origin).url)
    assert.equal(page.status, 400, origin)
  }
  const client = testClient(service, HOST)
  await browser.open(client.url)
  const moved = await browser.open(client.url.replace(encodeURIComponent(HOST), OTHER_HOST))
  assert.ok(moved.html.includes('This sign-in is over'))
  const dropped = await browser.open(client.url.replace(/&host_origin=[^&]*/, ''))
  assert.ok(dropped.html.includes('This sign-in is over'))
})

test('fills in the address and asks for no second comparison in the same browser', async () => {
  await signIn()
  const client = testClient(service, HOST)
  assert.ok((await browser.open(client.url)).html.includes(`value="${ADMIN.email}"`))
  await signIn(false)
  const wrong = { email: ADMIN.email, password: 'wrong' }
  const refused = await signInOnPage(browser, testClient(service, HOST).url, wrong)
  assert.equal(refused.status, 401, 'the password is asked for all the same')
})

test('asks again in another browser, for another extension and for a program [V31]', async () => {
  await signIn()
  const strangers = [testClient(service, OTHER_HOST), testClient(service)]
  for (const client of strangers) {
    const page = await browser.open(client.url)
    assert.ok(!page.html.includes(`value="${ADMIN.email}"`))
    const question = await signInOnPage(browser, client.url, ADMIN)
    assert.ok(question.html.includes('Do the codes match?'))
  }
  browser = testBrowser(service)
  await signIn()
})

test('asks again after a sign-out, and once the working day is over [V31]', async () => {
  const first = await signIn()
  const authorization = `Bearer ${first}`
  await service.server.inject({
    method: 'POST',
    url: '/auth/sign-out',
    headers: { authorization },
  })
  await signIn()
  await signIn(false)
  service.clock.advance(WORKING_DAY_SECONDS + 1)
  await signIn()
})

test('stores the proof and the cookie of the browser as hashes only [C14]', async () => {
  const client = testClient(service, HOST)
  const proof = proofOf(await approve(client))
  const cookie = /chartside-compared=stp_\w+\.([\w-]{43})/.exec(browser.cookie ?? '')?.[1]
  assert.ok(cookie)
  const rows = await service.service.db.read(sql`SELECT * FROM sign_in_flows`)
  const steps = await service.service.db.read(sql`SELECT * FROM browser_steps`)
  const stored = JSON.stringify([rows, steps])
  assert.ok(!stored.includes(proof) && !stored.includes(cookie))
})
