// What guards a change of the second factor: a recent sign-in, a right code, and codes that belong to
// one person, one secret and one use. Contract §3, security P08.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { codeAt, readSecret } from './authenticator.ts'
import { as, beginPeople, PASSWORD, person, SET_PASSWORD } from './people.ts'
import { testBrowser } from './sign-in-browser.ts'
import { type Story, signIn, startStory } from './story.ts'

const FACTOR = '/api/users/me/second-factor'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())

type TestPerson = Awaited<ReturnType<typeof person>>

async function setUp({ api }: Pick<TestPerson, 'api'>): Promise<Buffer> {
  const made = await api('POST', FACTOR)
  assert.equal(made.statusCode, 201, made.body)
  return readSecret(made.json().secret)
}

const confirm = ({ api }: Pick<TestPerson, 'api'>, secret: Buffer) =>
  api('POST', `${FACTOR}/confirm`, { code: codeAt(secret, story.service.clock()) })

/** A person whose factor is on, the step of its confirmation past. */
async function owner() {
  const member = await person()
  const secret = await setUp(member)
  const confirmed = await confirm(member, secret)
  assert.equal(confirmed.statusCode, 200, confirmed.body)
  assert.equal(confirmed.headers['cache-control'], 'no-store')
  const recoveryCodes: string[] = confirmed.json().recoveryCodes
  const enter = (totp: string) =>
    story.request({
      method: 'POST',
      url: '/auth/sign-in',
      payload: { email: member.email, password: PASSWORD, totp },
    })
  const code = () => codeAt(secret, story.service.clock())
  return { ...member, secret, recoveryCodes, enter, code }
}

test('does not take the code of the confirmation again at sign-in [P08]', async () => {
  const { enter, code } = await owner()
  assert.equal((await enter(code())).statusCode, 401)
  story.service.clock.advance(30)
  assert.equal((await enter(code())).statusCode, 200)
})

test('confirms the newest secret only, and once [P08]', async () => {
  const member = await person()
  const first = await setUp(member)
  const second = await setUp(member)
  assert.equal((await confirm(member, first)).statusCode, 400)
  assert.equal((await confirm(member, second)).statusCode, 200)
  story.service.clock.advance(30)
  const again = await confirm(member, second)
  assert.deepEqual([again.statusCode, again.json().code], [409, 'conflict'])
})

test('gives new recovery codes for a right code only, and voids the earlier ones [P08]', async () => {
  const mine = await owner()
  const other = await owner()
  const url = `${FACTOR}/recovery-codes`
  assert.equal((await mine.api('POST', url, { code: '000000' })).statusCode, 400)
  story.service.clock.advance(30)
  const renewed = await mine.api('POST', url, { code: mine.code() })
  assert.equal(renewed.statusCode, 200, renewed.body)
  assert.equal(renewed.headers['cache-control'], 'no-store')
  assert.equal((await mine.enter(mine.recoveryCodes[0] ?? '')).statusCode, 401)
  assert.equal((await mine.enter(other.recoveryCodes[0] ?? '')).statusCode, 401, 'of another')
  assert.equal((await mine.enter(renewed.json().recoveryCodes[0])).statusCode, 200)
  assert.equal((await other.enter(other.recoveryCodes[0] ?? '')).statusCode, 200, 'theirs stay')
})

test('asks for a recent sign-in before each change of the factor [P08]', async () => {
  const mine = await owner()
  const without = await person()
  const body = { email: without.email, password: PASSWORD }
  story.service.clock.advance(11 * 60)
  for (const [member, path] of [
    [without, ''],
    [mine, '/recovery-codes'],
    [mine, '/remove'],
  ] as const) {
    const payload = path === '' ? undefined : { code: mine.code() }
    const refused = await member.api('POST', FACTOR + path, payload)
    assert.deepEqual([refused.statusCode, refused.json().code], [403, 'sign_in_again'], path)
  }
  const api = as(await signIn(story.service, body))
  await setUp({ api })
})

test('lets no old session turn an abandoned second factor on by guessing [V32]', async () => {
  const victim = await person()
  const secret = await setUp(victim)
  story.service.clock.advance(9 * 60)
  for (let i = 0; i < 5; i++) {
    const wrong = await victim.api('POST', `${FACTOR}/confirm`, { code: '000000' })
    assert.equal(wrong.statusCode, 400, wrong.body)
  }
  assert.equal((await confirm(victim, secret)).statusCode, 429, 'a right code, too late')
  story.service.clock.advance(2 * 60)
  assert.equal((await confirm(victim, secret)).json().code, 'sign_in_again')
  const api = as(await signIn(story.service, { email: victim.email, password: PASSWORD }))
  const late = await confirm({ api }, secret)
  assert.deepEqual([late.statusCode, late.json().code], [409, 'conflict'], late.body)
  assert.equal((await api('GET', FACTOR)).json().state, 'unconfirmed')
})

test('leaves the factor and the codes of others alone when one person is reset [P08]', async () => {
  const [mine, other] = [await owner(), await owner()]
  const { url } = (await story.api('POST', `/api/users/${mine.id}/reset`)).json()
  const browser = testBrowser(story.service)
  const password = 'another few words'
  const shown = await browser.send(await browser.open(url), SET_PASSWORD, { password })
  assert.equal(shown.status, 200, shown.html)
  assert.equal((await mine.api('GET', FACTOR)).statusCode, 401)
  const state = (await other.api('GET', FACTOR)).json()
  assert.deepEqual([state.state, state.recoveryCodesLeft], ['on', 10])
})
