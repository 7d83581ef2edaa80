// What a passkey must say to sign in: the challenge of this page, the origin and the host of the service,
// its own user, a verified person, a counter above the last. Contract §3, security U06.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { beginPeople, invite } from './people.ts'
import { type Shown, testBrowser, testClient } from './sign-in-browser.ts'
import { type Said, softPasskey } from './soft-passkey.ts'
import { type Story, startStory } from './story.ts'

const SIGN_IN = '/auth/sign-in/passkey'
const ADD = '/auth/invitation/passkey'
const BASE = 'https://chartside.test'

let story: Story
before(async () => {
  story = await startStory()
  beginPeople(story)
})
after(() => story.close())

interface Options {
  readonly challenge: string
  readonly user?: { readonly id: string }
}

/** What the script of the page would read. */
function optionsOf({ html }: Shown): Options {
  const [, text = ''] = html.match(/data-passkey="([^"]*)"/) ?? []
  return JSON.parse(text.replaceAll('&#34;', '"').replaceAll('&quot;', '"'))
}

const honest = (type: string, challenge: string, userHandle: string): Said => ({
  challenge,
  origin: BASE,
  rpId: 'chartside.test',
  userHandle,
  counter: 1,
  isVerified: true,
  type,
})

/** Adds a passkey by a link of an invitation; `said` is what its registration says differently. */
async function register(url: string, said: Partial<Said> = {}) {
  const passkey = softPasskey()
  const browser = testBrowser(story.service)
  const page = await browser.open(url)
  const { challenge, user } = optionsOf(page)
  const userHandle = user?.id ?? ''
  const response = passkey.register({
    ...honest('webauthn.create', challenge, userHandle),
    ...said,
  })
  return { passkey, userHandle, shown: await browser.send(page, ADD, { response }) }
}

/** A person with a passkey only, and a try to sign in with it. */
async function owner() {
  const { id, email, invitationUrl } = await invite()
  const { passkey, userHandle, shown } = await register(invitationUrl)
  assert.equal(shown.status, 200, shown.html)
  let counter = 1
  const signIn = async (said: Partial<Said> = {}) => {
    const browser = testBrowser(story.service)
    const page = await browser.open(testClient(story.service).url)
    counter += 1
    const usual = honest('webauthn.get', optionsOf(page).challenge, userHandle)
    const response = passkey.assert({ ...usual, counter, ...said })
    return browser.send(page, SIGN_IN, { response })
  }
  return { id, email, signIn, userHandle }
}

test('signs in with a passkey that says everything right [U06]', async () => {
  const { signIn } = await owner()
  for (const round of [1, 2]) {
    const shown = await signIn()
    assert.match(shown.html, /Do the codes match\?/, `round ${round}`)
  }
})

test('refuses a passkey that says one thing wrong, and stays usable [U06]', async () => {
  const { signIn } = await owner()
  const other = await owner()
  const wrong: readonly Partial<Said>[] = [
    { origin: 'https://evil.example' },
    { origin: 'https://sub.chartside.test' },
    { rpId: 'evil.example' },
    { challenge: Buffer.alloc(32, 1).toString('base64url') },
    { type: 'webauthn.create' },
    { isVerified: false },
    { userHandle: other.userHandle },
    { userHandle: '' },
    { counter: 1 },
  ]
  for (const said of wrong) {
    const refused = await signIn(said)
    assert.equal(refused.status, 401, JSON.stringify(said))
    assert.doesNotMatch(refused.html, /Do the codes match\?/, JSON.stringify(said))
  }
  assert.match((await signIn()).html, /Do the codes match\?/)
})

test('refuses the counter of the last sign-in once more [U06]', async () => {
  const { signIn } = await owner()
  assert.equal((await signIn({ counter: 9 })).status, 200)
  assert.equal((await signIn({ counter: 9 })).status, 401)
  assert.equal((await signIn({ counter: 10 })).status, 200)
})

test('refuses the challenge of the page of another browser [U06]', async () => {
  const { signIn } = await owner()
  const theirs = await testBrowser(story.service).open(testClient(story.service).url)
  assert.equal((await signIn({ challenge: optionsOf(theirs).challenge })).status, 401)
})

test('refuses the passkey of a disabled person [U06]', async () => {
  const { id, signIn } = await owner()
  assert.equal((await story.api('PATCH', `/api/users/${id}`, { disabled: true })).statusCode, 200)
  assert.equal((await signIn()).status, 401)
})

test('registers no passkey that says one thing wrong, and keeps the link [U06]', async () => {
  const wrong: readonly Partial<Said>[] = [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { challenge: Buffer.alloc(32, 1).toString('base64url') },
    { type: 'webauthn.get' },
    { isVerified: false },
  ]
  for (const said of wrong) {
    const { invitationUrl } = await invite()
    const { shown } = await register(invitationUrl, said)
    assert.equal(shown.status, 401, JSON.stringify(said))
    assert.equal((await register(invitationUrl)).shown.status, 200, 'the link works on')
  }
})

test('registers no passkey by the step of another invitation [U06]', async () => {
  const browser = testBrowser(story.service)
  const [first, second] = [await invite(), await invite()]
  const page = await browser.open(first.invitationUrl)
  const other = await browser.open(second.invitationUrl)
  const { challenge, user } = optionsOf(page)
  const response = softPasskey().register(honest('webauthn.create', challenge, user?.id ?? ''))
  const [, step = ''] = page.html.match(/name="step" value="([^"]+)"/) ?? []
  const refused = await browser.send(other, ADD, { response, step })
  assert.equal(refused.status, 401, refused.html)
})
