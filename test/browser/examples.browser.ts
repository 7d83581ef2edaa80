// Every sample app beside the chart in a real browser: each token option launches, shows its user,
// keeps its Content-Security-Policy, survives a second opening and ends with the session.
// Starts everything that `npm start` starts, on free ports. Spec §5.1-§5.6.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { testAccess } from './sandbox-access.ts'
import { readLeftovers, type SandboxFixture, SECRET, startFixture } from './sandbox-fixture.ts'

const UI_APPS = ['Visit Notes', 'Care Gaps', 'Referral Desk', 'Growth Chart'] as const

let fixture: SandboxFixture
let page: Page
before(async () => {
  fixture = await startFixture({ offered: UI_APPS })
})
after(() => fixture?.stop())
beforeEach(async () => {
  await fixture.begin()
  fixture.context.setDefaultTimeout(15_000)
  page = fixture.page
})
afterEach(() => fixture.end())

const originOf = (app: string): string =>
  fixture.sandbox.appUrl(app.toLowerCase().replace(' ', '-'))

test('each app shows its user, keeps no code or token, and closes at sign-out [H05]', async () => {
  const posted: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') posted.push(request.url())
  })
  await fixture.signIn('/meadow?practice=Northgate+Cardiology')
  for (const app of UI_APPS) {
    const shown = await fixture.open(app)
    assert.equal(await shown.locator('#provider').textContent(), 'Dr. Mei Tanaka', app)
    assert.equal(await shown.locator('#practice').textContent(), 'Northgate Cardiology', app)
    await fixture.waitUntilReady(app)
    // Code and ticket are posted once, also when an effect runs twice.
    const own = posted.filter((url) => url.startsWith(originOf(app)))
    assert.ok(own.length > 0, app)
    assert.equal(new Set(own).size, own.length, app)
    for (const inside of page
      .frames()
      .filter((one) => UI_APPS.some((name) => one.url().startsWith(originOf(name))))) {
      assert.doesNotMatch(await readLeftovers(inside), SECRET)
      assert.doesNotMatch(inside.url(), /code|ticket|eyJ/)
    }
  }
  for (const app of UI_APPS) {
    await fixture.endLaunch(app)
    await fixture
      .frame(app)
      .locator('h1', { hasText: `${app} is closed` })
      .waitFor({ state: 'attached' })
  }
})

test('each app opens when its Launch URL is opened again before the exchange', async () => {
  await fixture.signIn('/meadow?fault=service-down')
  for (const app of UI_APPS) {
    await fixture.tab(app).click()
    const problem = fixture.frame(app).getByRole('alert').filter({ hasText: 'could not open' })
    await problem.waitFor()
  }
  await fixture.startFault('')
  for (const app of UI_APPS) {
    await fixture.tab(app).click()
    await fixture.startFault('reload-frame')
    await fixture.frame(app).locator('#provider').waitFor()
    await fixture.waitUntilReady(app)
  }
})

test('each app shows cause and fix of a refused exchange', async () => {
  await fixture.signIn('/meadow?fault=wrong-secret')
  for (const app of UI_APPS) {
    await fixture.tab(app).click()
    await fixture.step(app, 'exchange', 'failed').waitFor()
    assert.match((await fixture.card(app).textContent()) ?? '', /invalid_client.*secret_wrong/, app)
    const problem = fixture.frame(app).getByRole('alert').filter({ hasText: 'could not open' })
    await problem.waitFor()
    const support = fixture.frame(app).locator('details.support')
    assert.match((await support.textContent()) ?? '', /Code.*Cause.*Fix/, app)
  }
})

test('serves every page under a policy without unsafe sources', async () => {
  for (const { manifest, port } of fixture.sandbox.places.apps) {
    const { headers } = await fetch(`http://127.0.0.1:${port}/callback`)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/, manifest.slug)
    assert.doesNotMatch(policy, /unsafe|\*/, manifest.slug)
  }
})

test('option 3: getIdToken() rejects, and no page calls the management API', async () => {
  await fixture.offer('Referral Desk')
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await fixture.signIn('/meadow')
  const desk = await fixture.open('Referral Desk')
  assert.equal(await desk.locator('#id-token').textContent(), 'rejects: ID_TOKEN_UNAVAILABLE')
  assert.deepEqual(
    urls.filter((url) => url.includes('/api/v2/')),
    [],
  )
  const authorize = urls.filter((url) => /\/app-auth\/authorize\?.*login_hint=/.test(url))
  assert.match(new URL(authorize[0] ?? '').searchParams.get('login_hint') ?? '', /^lnch_/)
})

test('option 3: sets provider cookies that work in a panel, and leaves none [V20]', async () => {
  await fixture.offer('Referral Desk')
  const lines: Promise<string>[] = []
  page.on('response', (response) => {
    if (!response.url().includes('//provider.referral-desk.')) return
    lines.push(response.headerValue('set-cookie').then((value) => value ?? ''))
  })
  await fixture.signIn('/meadow')
  await fixture.open('Referral Desk')
  const cookies = (await Promise.all(lines)).flatMap((value) => value.split('\n')).filter(Boolean)
  assert.ok(cookies.some((cookie) => /session_token=[^;]/.test(cookie)))
  for (const cookie of cookies) {
    for (const part of [/;\s*SameSite=None/i, /;\s*Secure/i, /;\s*HttpOnly/i, /;\s*Partitioned/i]) {
      assert.match(cookie, part)
    }
  }
  const left = await fixture.context.cookies()
  assert.deepEqual(
    left.filter(({ domain }) => domain.startsWith('provider.')),
    [],
  )
})

test('option 3: returns two frames of one page to their own launches [X09]', async () => {
  const desk = originOf('Referral Desk')
  const posted: Record<string, string>[] = []
  // Without the provider: the frames return in the other order, and the route records what they
  // send.
  await page.route('**/sign-in?*', (route) => route.fulfill({ body: 'Signing in.' }))
  await page.route('**/api/exchange', (route) => {
    posted.push(route.request().postDataJSON() as Record<string, string>)
    return route.fulfill({
      status: 409,
      json: { error: 'recorded', cause: 'Recorded.', fix: 'None.' },
    })
  })
  // Only the sample EHR may frame the app.
  await page.goto(fixture.sandbox.places.ehr.url)
  await page.evaluate((desk) => {
    for (const name of ['1', '2']) {
      const frame = document.createElement('iframe')
      Object.assign(frame, { name, src: `${desk}/launch?launch_id=lnch_${name}` })
      document.body.append(frame)
    }
  }, desk)
  for (const name of ['1', '2']) {
    await page.frameLocator(`iframe[name="${name}"]`).getByText('Signing in.').waitFor()
  }
  for (const name of ['2', '1']) {
    const query = `ticket=ticket_lnch_${name}&launch_id=lnch_${name}`
    await page.frame({ name })?.goto(`${desk}/callback?${query}`)
    await page
      .frameLocator(`iframe[name="${name}"]`)
      .getByText('Recorded.')
      .waitFor({ state: 'attached' })
  }
  const proofs = ['lnch_2', 'lnch_1'].map((id) => ({ ticket: `ticket_${id}`, launch_id: id }))
  assert.deepEqual(
    posted.map(({ proof: _, ...rest }) => rest),
    proofs,
  )
  // Each tab has a secret of its own for each launch.
  assert.equal(new Set(posted.map(({ proof }) => proof)).size, 2)
})

test('option 3: does not send a ticket for a launch of another tab [L03]', async () => {
  const posted: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posted.push(request.url()))
  await page.goto(`${originOf('Referral Desk')}/callback?ticket=ticket_1&launch_id=lnch_1`)
  await page.getByText('This tab did not begin the launch.').waitFor({ state: 'attached' })
  assert.deepEqual(posted, [])
  assert.doesNotMatch(page.url(), /ticket|lnch_/)
})

test('option 3: shows a failure of the provider with cause and fix', async () => {
  const [, provider = ''] = fixture.sandbox.places.apps
    .flatMap(({ origins }) => Object.entries(origins))
    .find(([name]) => name === 'origin.provider') ?? ['', '']
  await page.goto(`${provider}/signed-in?launch_id=lnch_1`)
  await page.getByRole('alert').getByText('The chart is not affected.').waitFor()
  assert.match(
    (await page.locator('details.support').textContent()) ?? '',
    /provider_session_missing.*The browser sent no session cookie.*Allow cookies/,
  )
})

test('the worker records the user of the verified token', async () => {
  await fixture.offer('Coding Watch', 'Visit Notes')
  // Its page tells its server after the host has seen the context.
  const recorded = page.waitForResponse('**/presence')
  await fixture.signIn('/summit?practice=Northgate+Cardiology')
  await fixture.waitUntilReady('Coding Watch')
  assert.equal((await recorded).ok(), true)
  await page.goto(fixture.sandbox.appUrl('coding-watch'))
  const line = page.locator('tbody tr').first()
  assert.match((await line.textContent()) ?? '', /Dr\. Mei Tanaka.*Northgate Cardiology.*summit/)
  await page.setViewportSize({ width: 360, height: 740 })
  const over = await page.locator('main').evaluate((one) => one.scrollWidth - one.clientWidth)
  assert.equal(over, 0, 'the record is as wide as a narrow window')
})

test('closes a care gap for its practice only', async () => {
  await fixture.offer('Care Gaps')
  const isClosed = async (practice: string): Promise<boolean> => {
    const other = await fixture.context.newPage()
    await fixture.signIn(`/meadow?practice=${practice}`, other)
    const gap = (await fixture.open('Care Gaps', other)).getByRole('checkbox', { name: 'HbA1c' })
    const checked = await gap.isChecked()
    await other.close()
    return checked
  }
  await fixture.signIn('/meadow?practice=Northgate+Cardiology')
  await (await fixture.open('Care Gaps')).getByRole('checkbox', { name: 'HbA1c' }).check()
  await fixture.frame('Care Gaps').getByRole('status').filter({ hasText: '4 of 5 open' }).waitFor()
  assert.equal(await isClosed('Northgate+Cardiology&provider=luis.herrera@northgate.example'), true)
  assert.equal(await isClosed('Lakeside+Family+Practice'), false)
})

test('renews a session with an expired bearer token by its cookie', async () => {
  await fixture.offer('Visit Notes')
  await fixture.signIn('/meadow')
  const notes = await fixture.open('Visit Notes')
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

test('shows a launch as replaced by the next one, and keeps the Back button', async () => {
  await fixture.offer('Growth Chart', 'Care Gaps')
  await fixture.signIn('/meadow')
  await fixture.open('Growth Chart')
  await fixture.waitUntilReady('Growth Chart')
  const length = await page.evaluate(() => history.length)
  await fixture.startFault('reload-frame')
  await fixture.step('Growth Chart', 'authorize', 'failed').waitFor()
  assert.equal(await page.evaluate(() => history.length), length)
  await fixture.tab('Care Gaps').click()
  await fixture.frame('Care Gaps').locator('#provider').waitFor()
  await fixture.launchAgain('Care Gaps')
  await page.locator('.launch[data-app="Care Gaps"]', { hasText: 'Replaced' }).waitFor()
  await fixture.frame('Care Gaps').locator('#provider').waitFor()
})

test('shows all tabs; arrow keys move focus and launch nothing, Enter opens', async () => {
  await fixture.offer()
  await fixture.signIn('/meadow')
  const panel = await page.locator('#panel').boundingBox()
  for (const app of UI_APPS) {
    const box = await fixture.tab(app).boundingBox()
    assert.ok(box && panel && box.x >= panel.x && box.x + box.width <= panel.x + panel.width, app)
  }
  await fixture.tab('Visit Notes').focus()
  for (const [key, app] of [
    ['ArrowRight', 'Care Gaps'],
    ['End', 'Growth Chart'],
    ['ArrowRight', 'Visit Notes'],
    ['ArrowLeft', 'Growth Chart'],
    ['Home', 'Visit Notes'],
    ['ArrowRight', 'Care Gaps'],
  ] as const) {
    await page.keyboard.press(key)
    assert.equal(await fixture.tab(app).evaluate((tab) => tab === document.activeElement), true)
    assert.equal(await fixture.tab('Visit Notes').getAttribute('aria-selected'), 'true')
  }
  assert.equal(await page.locator('#frames iframe').count(), 1)
  await page.keyboard.press('Enter')
  assert.equal(await fixture.tab('Care Gaps').getAttribute('aria-selected'), 'true')
  await fixture.frame('Care Gaps').locator('#provider').waitFor()
})

testAccess(() => fixture, UI_APPS)
