// Phishing of the match code of a program: an attacker makes the link, a victim signs in behind it, and the attacker's
// program waits on another network. The user types the code then, and reads from where it is asked. Security V31.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { buildMatchCode } from '@chartside/protocol/sign-in'
import {
  type Shown,
  signInOnPage,
  type TestClient,
  testBrowser,
  testClient,
} from './sign-in-browser.ts'
import { ADMIN, startTestService, type TestService } from './test-service.ts'

const APPROVE = '/auth/sign-in/approve'
const ELSEWHERE = '77.77.77.77'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

/** The browser of these tests is at 127.0.0.1. */
const pollFrom = (remoteAddress: string, { sessionId, verifier }: TestClient) =>
  service.server.inject({
    url: `/auth/token/${sessionId}`,
    headers: { authorization: `Bearer ${verifier}` },
    remoteAddress,
  })

const textOf = ({ html }: Shown) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

test('gives a token to no program of another network by one click [V31]', async () => {
  const client = testClient(service)
  const browser = testBrowser(service)
  const question = await signInOnPage(browser, client.url, ADMIN)
  const done = await browser.send(question, APPROVE, { answer: 'yes' })
  assert.match(done.html, /You are signed in/)
  assert.equal((await pollFrom(ELSEWHERE, client)).statusCode, 202)
  assert.equal((await pollFrom('127.0.0.1', client)).statusCode, 200)
})

test('asks for the typed code when the program waits on another network [V31]', async () => {
  const client = testClient(service)
  const browser = testBrowser(service)
  await browser.open(client.url)
  assert.equal((await pollFrom(ELSEWHERE, client)).statusCode, 202)
  const question = await signInOnPage(browser, client.url, ADMIN)
  const code = buildMatchCode(client.challenge)
  assert.ok(!question.html.includes(code), 'the page shows the code that it asks for')
  assert.match(textOf(question), /asks from another network than this browser: 77\.77\.77\.77/)
  for (const typed of ['', 'AAAA-AAAA', undefined]) {
    const fields = { answer: 'yes', ...(typed === undefined ? {} : { match_code: typed }) }
    const again = await browser.send(question, APPROVE, fields)
    assert.match(textOf(again), typed === undefined ? /Type the code/ : /is not the code/)
    assert.ok(!again.html.includes(code))
    assert.equal((await pollFrom(ELSEWHERE, client)).statusCode, 202)
  }
  const typed = ` ${code.toLowerCase().replace('-', ' ')} `
  const done = await browser.send(question, APPROVE, { answer: 'yes', match_code: typed })
  assert.match(done.html, /You are signed in/)
  assert.equal((await pollFrom(ELSEWHERE, client)).statusCode, 200)
})

test('asks for the typed code also of a program that polls after the page [V31]', async () => {
  const client = testClient(service)
  const browser = testBrowser(service)
  const question = await signInOnPage(browser, client.url, ADMIN)
  assert.equal((await pollFrom(ELSEWHERE, client)).statusCode, 202)
  const asked = await browser.send(question, APPROVE, { answer: 'yes' })
  assert.match(textOf(asked), /asks from another network than this browser/)
  const refused = await browser.send(asked, APPROVE, { answer: 'no' })
  assert.match(refused.html, /No one was signed in/)
  assert.equal((await pollFrom(ELSEWHERE, client)).statusCode, 404)
})
