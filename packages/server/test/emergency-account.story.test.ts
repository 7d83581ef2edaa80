// The account for emergencies is taken by no route: no reset, login method, second factor or membership, and no
// link that was open before. No stranger can lock it. Security V23.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OPERATOR } from '../src/credentials/invitation.ts'
import { issueReset } from '../src/credentials/reset.ts'
import { sql } from '../src/db/sql.ts'
import { as, beginPeople, invite, otherAccount, PASSWORD, person } from './people.ts'
import { signInOnPage, testBrowser } from './sign-in-browser.ts'
import { type Story, signIn, startStory } from './story.ts'

let story: Story
before(async () => {
  story = await startStory({ CHARTSIDE_TRUSTED_PROXIES: 'loopback' })
  beginPeople(story)
})
after(() => story.close())

/** As chartside emergency create leaves it; test/process/emergency.test.ts plays the command. */
async function emergency() {
  const member = await person()
  const { db } = story.service.service
  await db.write(
    sql`UPDATE users SET role = 'admin', emergency_at = 1 WHERE id = ${member.id}`,
    sql`DELETE FROM members WHERE user_id = ${member.id}`,
  )
  return {
    ...member,
    api: as(await signIn(story.service, { email: member.email, password: PASSWORD })),
  }
}

test('takes no reset, login method or second factor, and says so in the log [V23]', async () => {
  const { id, api } = await emergency()
  story.service.clearLog()
  for (const answer of [
    await story.api('POST', `/api/users/${id}/reset`),
    await api('POST', '/api/users/me/login-methods'),
    await api('POST', '/api/users/me/second-factor'),
  ]) {
    assert.deepEqual([answer.statusCode, answer.json().code], [409, 'conflict'], answer.body)
  }
  assert.equal(story.service.logText().split('ALERT: a change of the emergency').length - 1, 3)
})

test('opens no link for it, whichever route has made it [V23]', async () => {
  const { id } = await emergency()
  const about = { userId: id, accountId: undefined, createdBy: OPERATOR }
  const { url } = await issueReset(story.service.service, about, { now: story.service.clock() })
  assert.equal((await testBrowser(story.service).open(url)).status, 410)
})

test('becomes a member by no invitation, not even at its own sign-in [V23]', async () => {
  const { id, email } = await emergency()
  const account = await otherAccount()
  const { invitationUrl } = await invite(account, { email, role: 'admin' })
  const browser = testBrowser(story.service)
  assert.equal((await browser.open(invitationUrl)).status, 410)
  const page = await signInOnPage(browser, '/auth/sign-in', { email, password: PASSWORD })
  assert.doesNotMatch(page.html, /Northgate/)
  const rows = await story.service.service.db.read(
    sql`SELECT user_id FROM members WHERE user_id = ${id} AND invited_at IS NULL`,
  )
  assert.deepEqual(rows, [])
})

const attempt = (email: string, address: string, password: string) =>
  story.request({
    method: 'POST',
    url: '/auth/sign-in',
    headers: { 'x-forwarded-for': address },
    payload: { email, password },
  })

test('is locked by no wrong passwords of other networks [V23]', async () => {
  const { email } = await emergency()
  for (let network = 1; network <= 6; network++) {
    for (let i = 0; i < 11; i++) await attempt(email, `10.77.${network}.1`, 'a wrong password')
  }
  const limited = await attempt(email, '10.77.1.1', PASSWORD)
  assert.equal(limited.statusCode, 429, 'each network has its own counter')
  const right = await attempt(email, '10.77.99.1', PASSWORD)
  assert.equal(right.statusCode, 200, right.body)
})
