// The sign-in pages in a real browser: password and match code without script and with it, light and
// dark, by keyboard, and what the policy of the pages does not let happen. Contract §3, security
// H01, H04, H05.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { type Stage, startStage } from './sign-in-stage.ts'

let stage: Stage
before(async () => {
  stage = await startStage()
})
after(() => stage?.stop())
beforeEach(() => stage.begin())

for (const javaScriptEnabled of [true, false]) {
  test(`a person signs in with a password, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
    await stage.begin({ javaScriptEnabled })
    const client = stage.newClient()
    await stage.page.goto(client.url)
    assert.equal(await stage.page.locator('#match-code').textContent(), client.code)
    await stage.typePassword()
    await stage.heading('Is it the same code?')
    assert.equal(await stage.page.locator('#match-code').textContent(), client.code)
    await stage.agree()
    await stage.heading('You are signed in')
    const answer = await client.poll()
    assert.equal(answer.status, 200)
    const { token } = (await answer.json()) as { token: string }
    const [cookie, ...more] = await stage.context.cookies()
    assert.equal(more.length, 0)
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.name], [true, 'Lax', 'chartside'])
    for (const text of [await stage.page.content(), stage.page.url(), cookie?.value ?? '']) {
      assert.ok(!text.includes(token), 'the browser never has the token [H05]')
    }
    assert.deepEqual(stage.problems, [])
  })
}

test('a wrong password is said beside the form, and the address stays', async () => {
  await stage.page.goto(stage.newClient().url)
  await stage.page.getByLabel('E-mail address').fill('somebody@test.example')
  await stage.page.getByLabel('Password').fill('wrong')
  await stage.page.keyboard.press('Enter')
  await stage.page.locator('p.problem[role="alert"]').first().waitFor()
  assert.equal(await stage.page.getByLabel('E-mail address').inputValue(), 'somebody@test.example')
  assert.equal(await stage.page.getByLabel('Password').inputValue(), '')
})

test('the page can be used with the keyboard alone', async () => {
  const client = stage.newClient()
  await stage.page.goto(client.url)
  await stage.page.locator('input[name=email]:focus').waitFor()
  await stage.page.keyboard.type(ADMIN.email)
  await stage.page.keyboard.press('Tab')
  await stage.page.keyboard.type(ADMIN.password)
  await stage.page.keyboard.press('Enter')
  await stage.heading('Is it the same code?')
  await stage.page.keyboard.press('Enter')
  assert.equal((await client.poll()).status, 202, 'pressing Enter once too often agrees to nothing')
  await stage.page.keyboard.press('Tab')
  await stage.page.keyboard.press('Enter')
  await stage.heading('You are signed in')
  assert.equal((await client.poll()).status, 200)
})

test('where there is no passkey the form stays hidden without script, and the rest works', async () => {
  await stage.begin({ javaScriptEnabled: false })
  await stage.page.goto(stage.newClient().url)
  assert.equal(await stage.page.locator('form[data-passkey]').isVisible(), false)
  assert.equal(
    await stage.page.getByRole('button', { name: 'Sign in', exact: true }).isVisible(),
    true,
  )
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`text and controls stand out enough in ${colorScheme}`, async () => {
    await stage.begin({ colorScheme, viewport: { width: 390, height: 844 } })
    await stage.page.goto(stage.newClient().url)
    const weak = await stage.page.evaluate(() => {
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
    const isWide = await stage.page.evaluate(
      () => document.documentElement.scrollWidth > innerWidth,
    )
    assert.equal(isWide, false, 'nothing sticks out on a phone')
  })
}

test('no page may frame the sign-in page [H01]', async () => {
  const { url } = stage.newClient()
  await stage.page.route('http://other.localhost/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<iframe src="${url}"></iframe>` }),
  )
  await stage.page.goto('http://other.localhost/')
  await stage.page.waitForTimeout(500)
  const texts = await Promise.all(stage.page.frames().map((frame) => frame.content()))
  assert.ok(texts.every((text) => !text.includes('match-code')))
})
