// The users of member stories: invited, joined with a password, signed in, each with own API calls. Owns
// no expectation beyond a successful set-up.
import assert from 'node:assert/strict'
import { type Shown, testBrowser } from './sign-in-browser.ts'
import { type Story, signIn } from './story.ts'

export const PASSWORD = 'a few words, well chosen'
export const SET_PASSWORD = '/auth/invitation/password'

let story: Story
let count = 0

/** Sets the story whose service all functions use. */
export function beginPeople(about: Story): void {
  story = about
}

export const as =
  (token: string): Story['api'] =>
  (method, url, payload) =>
    story.request({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(payload ? { payload } : {}),
    })

export async function invite(accountId = story.accountId, fields: object = {}) {
  count += 1
  const body = {
    email: `p${count}@lakeside.example`,
    name: `Person ${count}`,
    role: 'provider',
    ...fields,
  }
  const answer = await story.api('POST', `/api/accounts/${accountId}/members`, body)
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json()
}

/** Sets PASSWORD by the link of an invitation. */
export async function joinAs(url: string): Promise<Shown> {
  const browser = testBrowser(story.service)
  const done = await browser.send(await browser.open(url), SET_PASSWORD, { password: PASSWORD })
  assert.equal(done.status, 200, done.html)
  return done
}

/** A member of an account who is signed in. */
export async function person(accountId = story.accountId, role = 'provider') {
  const member = await invite(accountId, { role })
  await joinAs(member.invitationUrl)
  const token = await signIn(story.service, { email: member.email, password: PASSWORD })
  return { ...member, token, api: as(token) }
}

export async function otherAccount(): Promise<string> {
  return (await story.api('POST', '/api/accounts', { name: 'Northgate' })).json().id
}
