// Signing in on the page, as the audit trail tells it: the wrong try, the right one, the approval, and
// the client that got its token; polls that wait and guesses without end are not in it. P02, P06.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listEvents } from '../src/audit/audit-trail.ts'
import { signInOnPage, testBrowser, testClient } from './sign-in-browser.ts'
import { ADMIN, startTestService, type TestService } from './test-service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

async function listPlatformEvents() {
  const page = { accountId: 'platform', before: 'evt_~', limit: 200 }
  const events = await listEvents(service.service.db, page)
  return events.reverse()
}

test('audits each step of a sign-in page with its outcome and the user once known', async () => {
  const browser = testBrowser(service)
  const client = testClient(service)
  const wrong = { ...ADMIN, password: 'not the right one at all' }
  await signInOnPage(browser, client.url, wrong)
  service.clock.advance(1)
  const question = await signInOnPage(browser, client.url, ADMIN)
  assert.equal((await client.poll()).statusCode, 202)
  service.clock.advance(1)
  await browser.send(question, '/auth/sign-in/approve', { answer: 'yes' })
  service.clock.advance(1)
  const { user } = (await client.poll()).json()
  await client.poll()

  const events = await listPlatformEvents()
  assert.deepEqual(
    events.map(({ action, outcome }) => `${action} ${outcome}`),
    ['signInWithPassword refused', 'signInWithPassword ok', 'approve ok', 'pollToken ok'],
  )
  assert.deepEqual(
    events.map(({ target }) => target),
    [user.id, user.id, user.id, user.id],
  )
  assert.equal(events.at(-1)?.actor, user.id)
  const text = JSON.stringify(events)
  for (const secret of [ADMIN.password, wrong.password, ADMIN.email, client.verifier]) {
    assert.equal(text.includes(secret), false)
  }
})

test('form input can neither put other users into the trail nor flood it', async () => {
  const before = (await listPlatformEvents()).length
  const browser = testBrowser(service)
  const name = 'x'.repeat(2000)
  for (const action of [
    '/auth/sign-in/password',
    '/auth/sign-in/approve',
    '/auth/invitation/password',
  ]) {
    for (let i = 0; i < 5; i++) {
      const fields = { email: ADMIN.email, accountId: 'acc_0123456789abcdefghjkmn', [name]: '1' }
      const shown = await browser.post(action, fields)
      assert.ok(shown.status >= 400)
    }
  }
  assert.equal((await listPlatformEvents()).length, before)
})

test('audits no guesses beyond the rate limit', async () => {
  const payload = { email: 'guess@test.example', password: 'wrong wrong wrong' }
  const answers: number[] = []
  for (let i = 0; i < 60 && answers.filter((status) => status === 429).length < 5; i++) {
    const answer = await service.server.inject({ method: 'POST', url: '/auth/sign-in', payload })
    answers.push(answer.statusCode)
  }
  const refused = answers.filter((status) => status === 401).length
  assert.ok(answers.includes(429))
  const events = (await listPlatformEvents()).filter(({ action }) => action === 'signIn')
  assert.equal(events.length, refused)
})

test('audits a wrong password by the stored address, however it was typed [P10]', async () => {
  service.clock.advance(1)
  const before = (await listPlatformEvents()).length
  const payload = { email: ` ${ADMIN.email.toUpperCase()} `, password: 'wrong wrong wrong' }
  const answer = await service.server.inject({ method: 'POST', url: '/auth/sign-in', payload })
  assert.equal(answer.statusCode, 401)
  const [event] = (await listPlatformEvents()).slice(before)
  assert.match(event?.target ?? '', /^usr_/)
})
