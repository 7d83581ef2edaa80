// The sign-in pages in a real browser: password and match code without script and with it, light and
// dark, by keyboard, and what the policy of the pages does not let happen. Contract §3, security
// H01, H04, H05.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { DatabaseUnavailable } from '../../packages/server/src/db/database.ts'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { assertNoViolations } from './accessibility.ts'
import { type SignInFixture, startFixture } from './sign-in-fixture.ts'

let fixture: SignInFixture
before(async () => {
  fixture = await startFixture()
})
after(() => fixture?.stop())
beforeEach(() => fixture.begin())

for (const javaScriptEnabled of [true, false]) {
  test(`signs in with a password, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
    await fixture.begin({ javaScriptEnabled })
    const client = fixture.newClient()
    await fixture.page.goto(client.url)
    assert.equal(await fixture.page.locator('#match-code').count(), 0, 'asked once, at the end')
    await fixture.typePassword()
    await fixture.heading('Do the codes match?')
    assert.equal(await fixture.page.locator('#match-code').textContent(), client.code)
    await fixture.agree()
    await fixture.heading('You are signed in')
    const answer = await client.poll()
    assert.equal(answer.status, 200)
    const { token } = (await answer.json()) as { token: string }
    const [cookie, ...more] = await fixture.context.cookies()
    assert.equal(more.length, 0)
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Lax'])
    assert.match(cookie?.name ?? '', /^chartside-\d+$/)
    for (const text of [await fixture.page.content(), fixture.page.url(), cookie?.value ?? '']) {
      assert.ok(!text.includes(token), 'the browser never has the token [H05]')
    }
    assert.deepEqual(fixture.problems, [])
  })
}

test('asks for the same page again after an outage', async () => {
  const { page, service } = fixture
  const { db } = service.service
  const { read } = db
  Object.assign(db, { read: () => Promise.reject(new DatabaseUnavailable(new Error('away'))) })
  try {
    await page.goto(fixture.newClient().url)
    await fixture.heading('Signing in is not possible right now')
    await assertNoViolations(page, 'outage')
  } finally {
    Object.assign(db, { read })
  }
  await page.getByRole('link', { name: 'Try again' }).click()
  await fixture.heading('Sign in')
})

async function typeWrong(email = 'unknown@test.example') {
  await fixture.page.getByLabel('E-mail address').fill(email)
  await fixture.page.getByLabel('Password').fill('wrong')
  await fixture.page.keyboard.press('Enter')
  await fixture.page.locator('#password-problem').waitFor()
}

test('ties a wrong password to its field, keeps the address, and can be loaded again', async () => {
  const { page } = fixture
  await page.goto(fixture.newClient().url)
  await typeWrong()
  const password = page.getByLabel('Password')
  assert.equal(await password.getAttribute('aria-invalid'), 'true')
  const described = await password.getAttribute('aria-describedby')
  assert.match(await page.locator(`#${described}`).innerText(), /password is wrong/)
  const wayBack = page.getByText('An administrator of your practice can reset')
  assert.equal(await wayBack.isVisible(), false)
  await page.getByText('Cannot sign in?').click()
  await wayBack.waitFor()
  await password.focus()
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'password')
  assert.equal(await page.getByLabel('E-mail address').inputValue(), 'unknown@test.example')
  assert.equal(await password.inputValue(), '')
  assert.doesNotMatch(page.url(), /unknown|password/)
  await page.reload()
  await page.locator('#password-problem').waitFor()
  assert.equal(await page.getByLabel('E-mail address').inputValue(), 'unknown@test.example')
})

test('shows and hides the password, and hides it before it is sent', async () => {
  const { page } = fixture
  await page.goto(fixture.newClient().url)
  const password = page.getByLabel('Password')
  await password.fill('a few words')
  const reveal = page.getByRole('button', { name: 'Show what is typed' })
  await reveal.click()
  assert.deepEqual(
    [await password.getAttribute('type'), await reveal.getAttribute('aria-pressed')],
    ['text', 'true'],
  )
  await reveal.click()
  assert.equal(await password.getAttribute('type'), 'password')
})

test('says until when passwords wait, keeps the form, and offers the other ways', async () => {
  const { page } = fixture
  const email = 'many@test.example'
  await page.goto(fixture.newClient().url)
  for (let i = 0; i < 10; i++) await typeWrong(email)
  await page.getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByText('Too many attempts').waitFor()
  const time = page.locator('#password-problem time')
  const at = Date.parse((await time.getAttribute('datetime')) ?? '')
  assert.ok(at > fixture.service.clock() && at <= fixture.service.clock() + 15 * 60_000)
  const local = await page.evaluate(
    (moment) =>
      new Date(moment).toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' }),
    at,
  )
  assert.equal(await time.innerText(), local)
  await page.getByRole('link', { name: 'Sign in with Lakeside Login' }).waitFor()
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  await page.reload()
  await page.getByText('Too many attempts').waitFor()
})

test('works with the keyboard alone', async () => {
  const client = fixture.newClient()
  await fixture.page.goto(client.url)
  await fixture.page.locator('input[name=email]:focus').waitFor()
  await fixture.page.keyboard.type(ADMIN.email)
  await fixture.page.keyboard.press('Tab')
  await fixture.page.keyboard.type(ADMIN.password)
  await fixture.page.keyboard.press('Enter')
  await fixture.heading('Do the codes match?')
  await fixture.page.keyboard.press('Enter')
  assert.equal((await client.poll()).status, 202, 'pressing Enter once too often agrees to nothing')
  await fixture.page.keyboard.press('Tab')
  await fixture.page.keyboard.press('Enter')
  await fixture.heading('You are signed in')
  assert.equal((await client.poll()).status, 200)
})

test('hides the passkey form without script, and works without it', async () => {
  await fixture.begin({ javaScriptEnabled: false })
  await fixture.page.goto(fixture.newClient().url)
  assert.equal(await fixture.page.locator('form[data-passkey]').isVisible(), false)
  assert.equal(
    await fixture.page.getByRole('button', { name: 'Sign in', exact: true }).isVisible(),
    true,
  )
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`has enough contrast of text and controls in ${colorScheme}`, async () => {
    await fixture.begin({ colorScheme, viewport: { width: 390, height: 844 } })
    await fixture.page.goto(fixture.newClient().url)
    const weak = await fixture.page.evaluate(() => {
      const channel = (value: number) =>
        value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
      const luminance = ([r = 0, g = 0, b = 0]: number[]) =>
        0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255)
      const parse = (text: string) => (text.match(/[\d.]+/g) ?? []).map(Number)
      const groundOf = (element: Element | null): number[] => {
        for (let at = element; at; at = at.parentElement) {
          const color = parse(getComputedStyle(at).backgroundColor)
          if (color.length === 3 || (color[3] ?? 0) > 0) return color
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
    const isWide = await fixture.page.evaluate(
      () => document.documentElement.scrollWidth > innerWidth,
    )
    assert.equal(isWide, false, 'nothing sticks out on a phone')
  })
}

test('refuses to be framed [H01]', async () => {
  const { url } = fixture.newClient()
  await fixture.page.route('http://other.localhost/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<iframe src="${url}"></iframe>` }),
  )
  await fixture.page.goto('http://other.localhost/')
  await fixture.page.waitForTimeout(500)
  const texts = await Promise.all(fixture.page.frames().map((frame) => frame.content()))
  assert.ok(texts.every((text) => !text.includes('match-code')))
})

test('axe finds nothing on the pages of sign-in and invitation, in any view', async () => {
  const { page } = fixture
  const findNothing = (what: string) => assertNoViolations(page, what)
  await page.goto(fixture.newClient().url)
  await findNothing('sign-in')
  await typeWrong()
  await findNothing('wrong password')
  await page.goto(fixture.newClient().url)
  await fixture.typePassword()
  await fixture.heading('Do the codes match?')
  await findNothing('match code')
  await fixture.agree()
  await fixture.heading('You are signed in')
  await findNothing('signed in')

  const token = await fixture.adminToken()
  const { id } = await fixture.api(token, 'POST', '/api/accounts', { name: 'Lakeside Clinic' })
  const { invitationUrl } = await fixture.api(token, 'POST', `/api/accounts/${id}/members`, {
    email: 'new@test.example',
    name: 'New Person',
    role: 'provider',
  })
  await page.goto(invitationUrl)
  await findNothing('invitation')
  await page.goto(`${invitationUrl.slice(0, -4)}0000`)
  await findNothing('unknown invitation')
})

test('keeps a network signing in while a page of another site abuses one browser [V26]', async (t) => {
  const evil = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(''))
  evil.listen(0, '127.0.0.1')
  t.after(() => evil.close())
  await once(evil, 'listening')
  let asked = 0
  const count = () => {
    asked += 1
  }
  fixture.service.server.server.on('request', count)
  t.after(() => fixture.service.server.server.off('request', count))
  await fixture.page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`)
  await fixture.page.evaluate(async (target) => {
    const asks = Array.from({ length: 700 }, async (_, i) => {
      const image = new Image()
      image.src = `${target}&n=${i}`
      await image.decode().catch(() => {})
    })
    await Promise.all(asks)
  }, fixture.newClient().url)
  assert.ok(asked >= 700, `the service was asked ${asked} times`)
  await fixture.begin()
  await fixture.page.goto(fixture.newClient().url)
  await fixture.heading('Sign in')
})
