// One page for each cause for which a one-time link does nothing, shown to its holder only; and the forms of
// sign-in, whose answers stand at addresses that can be loaded again. Security P09, U06, V10.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { beginPeople, invite, joinAs, SET_PASSWORD } from './people.ts'
import { testBrowser, testClient } from './sign-in-browser.ts'
import { type Story, startStory } from './story.ts'
import { ADMIN } from './test-service.ts'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())

const WEEK_SECONDS = 7 * 24 * 60 * 60

async function assertOver(url: string, title: RegExp) {
  const shown = await testBrowser(story.service).open(url)
  assert.equal(shown.status, 410)
  assert.match(shown.html, title)
  assert.match(shown.html, /href="https:\/\/chartside\.test\/console">Sign in</)
  return shown.html
}

test('tells nothing of an invitation to who has its identifier alone [V10]', async () => {
  const member = await invite()
  await joinAs(member.invitationUrl)
  const token = new URL(member.invitationUrl).searchParams.get('token') ?? ''
  const wrong = token.slice(0, -20) + 'A'.repeat(20)
  const known = await assertOver(`/auth/invitation?token=${wrong}`, /not known here/)
  const cut = (html: string) => html.replace(/[\w-]{16,}/g, '…')
  assert.equal(cut(known), cut(await assertOver('/auth/invitation?token=y', /not known here/)))
})

test('answers a password that is refused at the address of the link', async () => {
  const { email, invitationUrl } = await invite()
  const browser = testBrowser(story.service)
  const page = await browser.open(invitationUrl)
  const own = await browser.send(page, SET_PASSWORD, { password: email.toUpperCase() })
  assert.match(own.html, /Your e-mail address is the first thing that is tried/)
  const shown = await browser.send(page, SET_PASSWORD, { password: 'short' })
  assert.equal(shown.status, 400)
  assert.match(shown.html, /aria-invalid="true" aria-describedby="password-problem"/)
  assert.match(shown.url, /\/auth\/invitation\?token=[\w-]+&problem=short$/)
  assert.equal((await browser.open(shown.url)).status, 400)
})

test('takes a password of 1024 characters, and of none more', async () => {
  const { invitationUrl } = await invite()
  const browser = testBrowser(story.service)
  const page = await browser.open(invitationUrl)
  const refused = await browser.send(page, SET_PASSWORD, { password: 'a'.repeat(1025) })
  assert.equal(refused.status, 400)
  assert.match(refused.html, /This password is too long/)
  const longest = await browser.send(page, SET_PASSWORD, { password: 'a'.repeat(1024) })
  assert.equal(longest.status, 200, longest.html)
})

test('keeps the typed address for this browser, and out of every URL [P09]', async () => {
  const browser = testBrowser(story.service)
  const url = '/auth/sign-in/password'
  const typed = { email: 'typed@test.example', password: 'wrong' }
  const page = await browser.open(testClient(story.service).url)
  const shown = await browser.send(page, url, typed)
  assert.equal(shown.status, 401)
  assert.doesNotMatch(shown.url, /typed/)
  assert.match(shown.html, /value="typed@test\.example"/)
  assert.doesNotMatch((await testBrowser(story.service).open(shown.url)).html, /typed@test/)
  const question = await browser.send(shown, url, ADMIN)
  assert.match(question.html, /Do the codes match/)
})

test('takes no time to wait from an address that it did not write', async () => {
  const { url } = testClient(story.service)
  const now = story.service.clock()
  for (const [wait, status] of [
    [String(now + 60_000), 429],
    [String(now - 1), 200],
    [String(now + 40 * 60 * 60_000), 200],
    ['<b>', 200],
    ['1e13', 200],
  ] as const) {
    const shown = await testBrowser(story.service).open(`${url}&wait_until=${wait}`)
    assert.equal(shown.status, status, wait)
  }
})

test('names why a link does nothing: used, replaced, expired, withdrawn, unknown', async () => {
  const used = await invite()
  await joinAs(used.invitationUrl)
  await assertOver(used.invitationUrl, /<h1>This link was used already/)

  const first = await invite()
  await invite(story.accountId, { email: first.email })
  await assertOver(first.invitationUrl, /<h1>A newer link has taken the place/)

  const old = await invite()
  story.service.clock.advance(WEEK_SECONDS)
  await assertOver(old.invitationUrl, /<h1>This link is too old/)

  const gone = await invite()
  await story.api('DELETE', `/api/accounts/${story.accountId}/members/${gone.id}`)
  await assertOver(gone.invitationUrl, /<h1>This link was withdrawn/)

  const cut = old.invitationUrl.slice(0, -4)
  await assertOver(`${cut}AAAA`, /<h1>This link is not known here/)
  await assertOver('/auth/invitation?token=x', /<h1>This link is not known here/)
  await assertOver('/auth/invitation', /<h1>This link is not known here/)
})
