// Every sample app beside the chart in a real browser: each token option launches, knows who is there,
// keeps to its Content-Security-Policy, survives a doubled opening and ends with the session.
// Starts everything that `npm start` starts, on free ports. Spec §5.1-§5.6.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { startSandbox } from '@chartside/example-sandbox'
import type { Browser, BrowserContext, FrameLocator, Locator, Page } from 'playwright-core'
import { launchChromium } from '../../scripts/chromium.ts'

const UI_APPS = ['Visit Notes', 'Care Gaps', 'Referral Desk', 'Growth Chart'] as const

const dataDir = mkdtempSync(join(tmpdir(), 'chartside-examples-'))
let sandbox: Awaited<ReturnType<typeof startSandbox>>
let browser: Browser
let context: BrowserContext
let page: Page
/** What a browser says when a page breaks its own policy, and errors that nobody caught. */
let complaints: string[] = []
before(async () => {
  sandbox = await startSandbox({ port: 0, dataDir })
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  await sandbox?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})
beforeEach(async () => {
  complaints = []
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  context.setDefaultTimeout(15_000)
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI}`)
    })
  })
  page = await context.newPage()
  page.on('console', (message) => {
    if (message.text().startsWith('policy:')) complaints.push(message.text())
  })
  page.on('pageerror', ({ message }) => complaints.push(message))
})
afterEach(async () => {
  await context.close()
  assert.deepEqual(complaints, [])
})

const frame = (app: string, of = page): FrameLocator => of.frameLocator(`iframe[title*="${app}"]`)
const tab = (app: string, of = page): Locator => of.getByRole('tab', { name: app })
const card = (app: string): Locator => page.locator(`.launch[data-app="${app}"]`).first()
const step = (app: string, name: string, state: string): Locator =>
  card(app).locator(`li[data-step="${name}"].${state}`)

const originOf = (app: string): string => sandbox.appUrl(app.toLowerCase().replace(' ', '-'))

async function signIn(path: string, on = page): Promise<void> {
  await on.goto(new URL(path, sandbox.places.ehr.url).href)
  await on.locator('#sign-in .main-button').click()
  await on.locator('[role="tab"]').first().waitFor()
}

async function open(app: string, on = page): Promise<FrameLocator> {
  await tab(app, on).click()
  await frame(app, on).locator('#provider').waitFor()
  return frame(app, on)
}

for (const app of UI_APPS) {
  test(`${app} shows who launched it, and keeps code and tokens out of page and storage [H05]`, async () => {
    const posted: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') posted.push(request.url())
    })
    await signIn('/meadow?practice=Northgate+Cardiology')
    const shown = await open(app)
    assert.equal(await shown.locator('#provider').textContent(), 'Dr. Mei Tanaka')
    assert.equal(await shown.locator('#practice').textContent(), 'Northgate Cardiology')
    await step(app, 'context', 'ok').waitFor()
    // However often an effect runs, code and ticket are posted once.
    const own = posted.filter((url) => url.startsWith(originOf(app)))
    assert.ok(own.length > 0)
    assert.equal(new Set(own).size, own.length)
    for (const inside of page.frames()) {
      const found = await inside.evaluate(() =>
        [
          JSON.stringify(Object.entries(localStorage)),
          JSON.stringify(Object.entries(sessionStorage)),
          document.documentElement.outerHTML,
          document.cookie,
        ].join('\n'),
      )
      assert.doesNotMatch(found, /(at|code|cs|st)_[0-9a-z]{22}[A-Za-z0-9_-]{43}|eyJ[\w-]+\.eyJ/)
      if (inside !== page.mainFrame()) assert.doesNotMatch(inside.url(), /code|ticket|eyJ/)
    }
  })

  test(`${app} opens when its Launch URL is opened again before the code was spent`, async () => {
    await signIn('/meadow?fault=service-down')
    await tab(app).click()
    const problem = frame(app).getByRole('alert').filter({ hasText: 'could not open' })
    await problem.waitFor()
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByRole('button', { name: 'Switch off' }).waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Reload' }).click()
    await frame(app).locator('#provider').waitFor()
    await step(app, 'context', 'ok').waitFor()
  })

  test(`${app} says cause and fix when the exchange is refused, however it sends its secret`, async () => {
    await signIn('/meadow?fault=wrong-secret')
    await tab(app).click()
    await step(app, 'exchange', 'failed').waitFor()
    assert.match((await card(app).textContent()) ?? '', /invalid_client.*secret_wrong/)
    const problem = frame(app).getByRole('alert').filter({ hasText: 'could not open' })
    await problem.waitFor()
    assert.match((await problem.textContent()) ?? '', /Fix/)
  })
}

test('every page is served under a policy without unsafe words', async () => {
  for (const { manifest, port } of sandbox.places.apps) {
    const { headers } = await fetch(`http://127.0.0.1:${port}/callback`)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/, manifest.slug)
    assert.doesNotMatch(policy, /unsafe|\*/, manifest.slug)
  }
})

test('option 3: getIdToken() rejects, until the app’s server passes the ID token too', async () => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await signIn('/meadow')
  const desk = await open('Referral Desk')
  assert.equal(await desk.locator('#id-token').textContent(), 'rejects: ID_TOKEN_UNAVAILABLE')
  await desk.getByRole('link', { name: 'Pass the ID token too' }).click()
  await desk.locator('#id-token', { hasText: /^resolves$/ }).waitFor()
  // A reloaded page goes on with the app's own session, whose cookie the panel lets through.
  await desk.getByRole('link', { name: 'Without the ID token' }).click()
  await desk.locator('#id-token', { hasText: 'rejects: ID_TOKEN_UNAVAILABLE' }).waitFor()
  // The management API is for servers.
  assert.deepEqual(
    asked.filter((url) => url.includes('/api/v2/')),
    [],
  )
  const authorize = asked.filter((url) => /\/app-auth\/authorize\?.*login_hint=/.test(url))
  assert.match(new URL(authorize[0] ?? '').searchParams.get('login_hint') ?? '', /^lnch_/)
})

test('option 3: the provider’s cookies are of the kind that a panel lets through', async () => {
  await signIn('/meadow')
  await open('Referral Desk')
  const cookies = await context.cookies()
  const provider = cookies.filter(({ domain }) => domain.startsWith('provider.referral-desk.'))
  assert.ok(provider.some(({ name }) => name.endsWith('session_token')))
  for (const { name, sameSite, secure, httpOnly, partitionKey } of provider) {
    assert.deepEqual([sameSite, secure, httpOnly], ['None', true, true], name)
    assert.ok(partitionKey, name)
  }
})

test('the worker leaves a line, by the verified token', async () => {
  await signIn('/summit?practice=Northgate+Cardiology')
  await step('Coding Watch', 'context', 'ok').waitFor()
  await page.goto(sandbox.appUrl('coding-watch'))
  const line = page.locator('tbody tr').first()
  assert.match((await line.textContent()) ?? '', /Dr\. Mei Tanaka.*Northgate Cardiology.*summit/)
})

test('a closed care gap is closed for the practice, and for no other', async () => {
  const isClosed = async (practice: string): Promise<boolean> => {
    const other = await context.newPage()
    await signIn(`/meadow?practice=${practice}`, other)
    const gap = (await open('Care Gaps', other)).getByRole('checkbox', { name: 'HbA1c' })
    const checked = await gap.isChecked()
    await other.close()
    return checked
  }
  await signIn('/meadow?practice=Northgate+Cardiology')
  await (await open('Care Gaps')).getByRole('checkbox', { name: 'HbA1c' }).check()
  await frame('Care Gaps').getByRole('status').filter({ hasText: '4 of 5 open' }).waitFor()
  assert.equal(await isClosed('Northgate+Cardiology&provider=luis.herrera@northgate.example'), true)
  assert.equal(await isClosed('Lakeside+Family+Practice'), false)
})

test('a session whose bearer has run out is renewed by its cookie', async () => {
  await signIn('/meadow')
  const notes = await open('Visit Notes')
  let isFirst = true
  await page.route('**/api/notes', async (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    await route.fulfill({ status: 401, json: { error: 'session_ended' } })
  })
  const renewed = page.waitForResponse('**/api/session/renew')
  await notes.locator('#note').fill('Came back with a cookie.')
  await notes.getByRole('button', { name: 'Save note' }).click()
  assert.equal((await renewed).status(), 200)
  await notes.getByText('Came back with a cookie.').last().waitFor()
})

test('every open app is told when the provider signs out', async () => {
  await signIn('/meadow')
  for (const app of UI_APPS) await open(app)
  await page.locator('#sign-out').click()
  for (const app of UI_APPS) {
    await frame(app)
      .locator('h1', { hasText: `${app} is closed` })
      .waitFor({ state: 'attached' })
  }
})

test('a launch that another one followed is shown as replaced, and Back still leaves the chart', async () => {
  await signIn('/meadow')
  await open('Growth Chart')
  await step('Growth Chart', 'context', 'ok').waitFor()
  const length = await page.evaluate(() => history.length)
  await page.getByRole('button', { name: 'Reload' }).click()
  await step('Growth Chart', 'authorize', 'failed').waitFor()
  assert.equal(await page.evaluate(() => history.length), length)
  await tab('Care Gaps').click()
  await frame('Care Gaps').locator('#provider').waitFor()
  await page.getByRole('button', { name: 'Launch again' }).click()
  await page.locator('.launch.replaced[data-app="Care Gaps"]').waitFor()
  await frame('Care Gaps').locator('#provider').waitFor()
})

test('all tabs are in view and can be walked through by keyboard', async () => {
  await signIn('/meadow')
  const panel = await page.locator('#panel').boundingBox()
  for (const app of UI_APPS) {
    const box = await tab(app).boundingBox()
    assert.ok(box && panel && box.x >= panel.x && box.x + box.width <= panel.x + panel.width, app)
  }
  await tab('Visit Notes').focus()
  for (const [key, app] of [
    ['ArrowRight', 'Care Gaps'],
    ['End', 'Growth Chart'],
    ['ArrowRight', 'Visit Notes'],
    ['ArrowLeft', 'Growth Chart'],
    ['Home', 'Visit Notes'],
  ] as const) {
    await page.keyboard.press(key)
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), app)
    assert.equal(await tab(app).getAttribute('aria-selected'), 'true')
  }
})
