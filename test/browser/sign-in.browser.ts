// The sign-in pages in a real browser: password and match code without script and with it, a passkey
// made at an invitation and used to sign in (virtual authenticator), light and dark, by keyboard,
// and what the policy of the pages does not let happen. Contract §3, security H01, H04, H05.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { buildMatchCode, buildSignInUrl } from '@chartside/protocol/sign-in'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import {
  ADMIN,
  startTestService,
  type TestService,
} from '../../packages/server/test/test-service.ts'
import { launchChromium } from '../../scripts/chromium.ts'

let base: string
let service: TestService
let browser: Browser
let context: BrowserContext
let page: Page
const problems: string[] = []
before(async () => {
  const port = await freePort()
  base = `http://localhost:${port}`
  service = await startTestService({ CHARTSIDE_BASE_URL: base, CHARTSIDE_ENVIRONMENT: 'staging' })
  await service.server.listen({ port, host: '127.0.0.1' })
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  await service?.close()
})
beforeEach(async () => {
  problems.length = 0
  await begin()
})
afterEach(() => context.close())

async function begin(options: Parameters<Browser['newContext']>[0] = {}) {
  await context?.close()
  context = await browser.newContext(options)
  page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  assert.ok(address && typeof address === 'object')
  return address.port
}

function newClient() {
  const sessionId = randomBytes(16).toString('base64url')
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return {
    code: buildMatchCode(challenge),
    url: buildSignInUrl(`${base}/auth/sign-in`, sessionId, challenge),
    poll: () =>
      fetch(`${base}/auth/token/${sessionId}`, {
        headers: { authorization: `Bearer ${verifier}` },
      }),
  }
}

async function api(token: string, method: string, path: string, body?: object) {
  const answer = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
  return answer.status === 204 ? undefined : answer.json()
}

async function adminToken(): Promise<string> {
  const answer = await fetch(`${base}/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  return (await answer.json()).token
}

async function typePassword() {
  await page.getByLabel('E-mail address').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const agree = () => page.getByRole('button', { name: 'Yes, sign me in there' }).click()
const heading = (name: string) => page.getByRole('heading', { name }).waitFor()

for (const javaScriptEnabled of [true, false]) {
  test(`a person signs in with a password, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
    await begin({ javaScriptEnabled })
    const client = newClient()
    await page.goto(client.url)
    assert.equal(await page.locator('#match-code').textContent(), client.code)
    await typePassword()
    await heading('Is it the same code?')
    assert.equal(await page.locator('#match-code').textContent(), client.code)
    await agree()
    await heading('You are signed in')
    const answer = await client.poll()
    assert.equal(answer.status, 200)
    const { token } = (await answer.json()) as { token: string }
    const [cookie, ...more] = await context.cookies()
    assert.equal(more.length, 0)
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.name], [true, 'Lax', 'chartside'])
    for (const text of [await page.content(), page.url(), cookie?.value ?? '']) {
      assert.ok(!text.includes(token), 'the browser never has the token [H05]')
    }
    assert.deepEqual(problems, [])
  })
}

test('a wrong password is said beside the form, and the address stays', async () => {
  await page.goto(newClient().url)
  await page.getByLabel('E-mail address').fill('somebody@test.example')
  await page.getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await page.locator('p.problem[role="alert"]').first().waitFor()
  assert.equal(await page.getByLabel('E-mail address').inputValue(), 'somebody@test.example')
  assert.equal(await page.getByLabel('Password').inputValue(), '')
})

test('the page can be used with the keyboard alone', async () => {
  const client = newClient()
  await page.goto(client.url)
  await page.keyboard.type(ADMIN.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(ADMIN.password)
  await page.keyboard.press('Enter')
  await heading('Is it the same code?')
  await page.keyboard.press('Enter')
  assert.equal((await client.poll()).status, 202, 'pressing Enter once too often agrees to nothing')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await heading('You are signed in')
  assert.equal((await client.poll()).status, 200)
})

interface Authenticator {
  readonly cdp: CDPSession
  readonly id: string
}

async function plugIn(): Promise<Authenticator> {
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, id: authenticatorId }
}

async function invited(): Promise<{ email: string; url: string; accountId: string }> {
  const token = await adminToken()
  const { id: accountId } = await api(token, 'POST', '/api/accounts', { name: 'Lakeside' })
  const email = `p${randomBytes(4).toString('hex')}@lakeside.example`
  const body = { email, name: 'Dr. Mei Tanaka', role: 'provider' }
  const member = await api(token, 'POST', `/api/accounts/${accountId}/members`, body)
  return { email, url: member.invitationUrl, accountId }
}

async function createPasskey(): Promise<{ email: string; accountId: string }> {
  const { email, url, accountId } = await invited()
  await page.goto(url)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await heading('Done')
  return { email, accountId }
}

test('an invited person makes a passkey, and signs in with it without typing anything', async () => {
  const authenticator = await plugIn()
  const { email, accountId } = await createPasskey()
  for (const round of [1, 2]) {
    const client = newClient()
    await page.goto(client.url)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await heading('Is it the same code?')
    await agree()
    await heading('You are signed in')
    const { token, user } = await (await client.poll()).json()
    assert.equal(user.email, email, `round ${round}`)
    const me = await api(token, 'GET', '/api/users/me')
    assert.equal(me.memberships[0].account.id, accountId)
    const { items } = await api(token, 'GET', '/api/users/me/login-methods')
    assert.deepEqual(
      items.map(({ kind }: { kind: string }) => kind),
      ['passkey'],
    )
    assert.ok(items[0].lastUsedAt)
  }
  const { credentials } = await authenticator.cdp.send('WebAuthn.getCredentials', {
    authenticatorId: authenticator.id,
  })
  assert.equal(credentials[0]?.isResidentCredential, true)
  assert.deepEqual(problems, [])
})

test('a copy of a passkey with an older counter is refused', async () => {
  const { cdp, id: authenticatorId } = await plugIn()
  await createPasskey()
  const use = async () => {
    await page.goto(newClient().url)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  }
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
  await use()
  await heading('Is it the same code?')
  // The thief's copy is from before.
  const [copied] = credentials
  assert.ok(copied)
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
  await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: copied })
  await use()
  await heading('This did not sign you in')
})

test('a passkey without verification of the person, or of somebody unknown, signs nobody in', async () => {
  const { cdp, id: authenticatorId } = await plugIn()
  await createPasskey()
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await page.goto(newClient().url)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('No passkey was used.').waitFor()
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await service.service.db.write({
    sql: "DELETE FROM login_methods WHERE kind = 'passkey'",
    args: [],
  })
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await heading('This did not sign you in')
})

test('the answer of a passkey works once', async () => {
  await plugIn()
  await createPasskey()
  await page.goto(newClient().url)
  const sent = page.waitForRequest((request) => request.url().endsWith('/auth/sign-in/passkey'))
  const cookieBefore = (await context.cookies())[0]
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  const body = (await sent).postData() ?? ''
  await heading('Is it the same code?')
  const again = await fetch(`${base}/auth/sign-in/passkey`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: `chartside=${cookieBefore?.value}`,
    },
    body,
    redirect: 'manual',
  })
  assert.equal(again.status, 401)
})

test('where there is no passkey the form stays hidden without script, and the rest works', async () => {
  await begin({ javaScriptEnabled: false })
  await page.goto(newClient().url)
  assert.equal(await page.locator('form[data-passkey]').isVisible(), false)
  assert.equal(await page.getByRole('button', { name: 'Sign in', exact: true }).isVisible(), true)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`text and controls stand out enough in ${colorScheme}`, async () => {
    await begin({ colorScheme, viewport: { width: 390, height: 844 } })
    await page.goto(newClient().url)
    const weak = await page.evaluate(() => {
      const channel = (value: number) =>
        value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
      const luminance = ([r = 0, g = 0, b = 0]: number[]) =>
        0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255)
      const parse = (text: string) => (text.match(/[\d.]+/g) ?? []).map(Number)
      const groundOf = (element: Element | null): number[] => {
        for (let at = element; at; at = at.parentElement) {
          const colour = parse(getComputedStyle(at).backgroundColor)
          if (colour.length === 3 || (colour[3] ?? 0) > 0) return colour
        }
        return [255, 255, 255]
      }
      return [...document.querySelectorAll('h1, p, label, input, button, output, a')]
        .filter((element) => element.getClientRects().length > 0)
        .map((element) => {
          const [ink, ground] = [parse(getComputedStyle(element).color), groundOf(element)]
          const [a, b] = [luminance(ink), luminance(ground)]
          return {
            text: element.outerHTML.slice(0, 60),
            ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05),
          }
        })
        .filter(({ ratio }) => ratio < 4.5)
    })
    assert.deepEqual(weak, [])
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    assert.equal(isWide, false, 'nothing sticks out on a phone')
  })
}

test('no page may frame the sign-in page [H01]', async () => {
  const { url } = newClient()
  await page.route('http://other.localhost/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<iframe src="${url}"></iframe>` }),
  )
  await page.goto('http://other.localhost/')
  await page.waitForTimeout(500)
  const texts = await Promise.all(page.frames().map((frame) => frame.content()))
  assert.ok(texts.every((text) => !text.includes('match-code')))
})
