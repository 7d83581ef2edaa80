// What the pages of the sample apps do when a launch ends, fails or is foreign: no text is lost, the
// page and the timeline name one cause at once, and a clean browser keeps nothing. Each option of the
// specification has a sample, which create-chartside-app writes. Spec §5.1-§5.3, §5.6, §8.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, afterEach, before, beforeEach, type TestContext, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import {
  changeCallback,
  copyWithLateClock,
  delayedBy,
  denyStorage,
  LATE_CLOCK,
  setTokenLifetimes,
} from './app-faults.ts'
import { launchAsAttacker, openAsVictim } from './foreign-launch.ts'
import { type SandboxFixture, startFixture } from './sandbox-fixture.ts'

/** The field of each option's sample in which a person types. */
const FIELDS = {
  'Visit Notes': '#note',
  'Care Gaps': '#draft-message',
  'Referral Desk': '#draft-message',
} as const

let fixture: SandboxFixture
before(async () => {
  fixture = await startFixture({ apps: [await copyWithLateClock()], offered: Object.keys(FIELDS) })
})
after(async () => {
  await fixture?.stop()
  rmSync(LATE_CLOCK, { recursive: true, force: true })
})
beforeEach(() => fixture.begin())
afterEach(() => fixture.end())

test('a foreign launch in a clean browser leaves no cookie and no session [V20]', async () => {
  await fixture.offer()
  const launches = await launchAsAttacker(fixture.sandbox)
  assert.deepEqual([...launches.keys()].sort(), [
    'Care Gaps',
    'Coding Watch',
    'Growth Chart',
    'Late Clock',
    'Referral Desk',
    'Visit Notes',
  ])
  const { browser } = fixture
  await Promise.all(
    [...launches].map(async ([app, launchUrl]) => {
      const { text, cookies, stored, sessions } = await openAsVictim(browser, launchUrl)
      assert.match(text, /not framed/, app)
      assert.doesNotMatch(text, /Okafor|Lakeside/, app)
      assert.deepEqual(cookies, [], app)
      assert.deepEqual(sessions, [], app)
      assert.doesNotMatch(stored, /session|lnch_/, app)
    }),
  )
})

test('shows what was typed just before the end of a token after it, in each option', async () => {
  // Long enough for a busy machine to open an app.
  const seconds = 8
  const restore = await setTokenLifetimes(fixture.sandbox, seconds)
  try {
    await Promise.all(
      Object.entries(FIELDS).map(async ([app, field], index) => {
        const context = await fixture.browser.newContext()
        const { page, opened, frame } = await openIn(context, app)
        // In the last moment, while the server of one app is slow to save.
        if (index === 0) await page.route('**/api/drafts', delayedBy(1_500))
        await page.waitForTimeout(seconds * 1_000 - 450 - (Date.now() - opened))
        await frame.locator(field).fill('BP 128/82, rechec')
        await frame.locator(field).press('k')
        await page
          .locator(`.launch[data-app="${app}"]`, { hasText: 'Replaced' })
          .first()
          .waitFor({ state: 'attached', timeout: 10_000 })
        await frame.locator('#provider').waitFor()
        assert.equal(await frame.locator(field).inputValue(), 'BP 128/82, recheck', app)
        await context.close()
      }),
    )
  } finally {
    await restore()
  }
  const { frame } = await openIn(fixture.context, 'Care Gaps', 'luis.herrera@northgate.example')
  assert.equal(await frame.locator('#draft-message').inputValue(), '', 'of another person')
})

test('keeps what was typed when the app is launched again by hand', async () => {
  await fixture.offer('Visit Notes')
  await fixture.signIn('/meadow')
  const notes = await fixture.open('Visit Notes')
  await fixture.waitUntilReady('Visit Notes')
  const { page } = fixture
  let isSaving = true
  await page.route('**/api/drafts', async (route) => {
    if (isSaving && route.request().method() === 'PUT') return route.abort()
    return route.continue()
  })
  const dialog = page.getByRole('dialog', { name: 'Visit Notes has work that is not saved' })
  await notes.locator('#note').pressSequentially('Follow up', { delay: 5 })
  await page.waitForTimeout(600)
  // The server does not take the draft: launching again would lose it, so the panel asks.
  await fixture.launchAgain('Visit Notes')
  await dialog.getByRole('button', { name: 'Keep working' }).click()
  isSaving = false
  await notes.locator('#note').pressSequentially(' in May', { delay: 5 })
  await page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.waitForTimeout(200)
  await fixture.launchAgain('Visit Notes')
  await page.locator('.launch[data-app="Visit Notes"]', { hasText: 'Replaced' }).waitFor()
  await notes.locator('#provider').waitFor()
  assert.equal(await notes.locator('#note').inputValue(), 'Follow up in May')
})

/** What goes wrong, where, and what page and card both name. */
interface Failure {
  readonly what: string
  readonly app: string
  readonly spoil: (page: Page) => Promise<unknown>
  readonly code: RegExp
  readonly cause: RegExp
}

const FAILURES: readonly Failure[] = [
  {
    what: 'a callback without state',
    app: 'Visit Notes',
    spoil: (page) => changeCallback(page, (query) => query.delete('state')),
    code: /missing_oauth_parameters/i,
    cause: /the callback has no state\./,
  },
  {
    what: 'a callback without code',
    app: 'Care Gaps',
    spoil: (page) => changeCallback(page, (query) => query.delete('code')),
    code: /missing_oauth_parameters/i,
    cause: /the callback has no code\./,
  },
  {
    what: 'a state of another tab',
    app: 'Care Gaps',
    spoil: (page) => changeCallback(page, (query) => query.set('state', `${query.get('state')}x`)),
    code: /csrf_validation_failed/i,
    cause: /state differs from the value that this tab stored/,
  },
  {
    what: 'a blocked SDK script',
    app: 'Visit Notes',
    spoil: (page) => page.route('**/sdk/v1/sdk.js', (route) => route.abort()),
    code: /HOST_NOT_FOUND/,
    cause: /The SDK script .* did not load/,
  },
  {
    what: 'a blocked SDK script, by its tag',
    app: 'Growth Chart',
    spoil: (page) => page.route('**/sdk/**/*.js', (route) => route.abort()),
    code: /script_blocked/i,
    cause: /The SDK script did not load/,
  },
  {
    what: 'storage that the browser denies, option 1',
    app: 'Visit Notes',
    spoil: denyStorage,
    code: /storage_unavailable/i,
    cause: /The browser denies this page sessionStorage/,
  },
  {
    what: 'storage that the browser denies, option 3',
    app: 'Referral Desk',
    spoil: denyStorage,
    code: /storage_unavailable/i,
    cause: /The browser denies this page sessionStorage/,
  },
  {
    what: 'a server whose clock is ten minutes behind, and by how much',
    app: 'Late Clock',
    spoil: async () => undefined,
    code: /token_not_yet_valid/i,
    cause: /the token is valid only in (59\d|60\d) s: the clock of this server is behind/,
  },
  {
    what: 'an ID token that the server does not accept',
    app: 'Visit Notes',
    spoil: (page) =>
      page.route('**/api/session', (route) => {
        const body = route.request().postDataJSON() as { id_token: string }
        const forged = { ...body, id_token: `${body.id_token.slice(0, -8)}AAAAAAAA` }
        return route.continue({ postData: JSON.stringify(forged) })
      }),
    code: /signature_invalid/i,
    cause: /The signature is not of the key it names/,
  },
]

/** Storage that a page is denied, it is denied for good. */
const isLasting = ({ spoil }: Failure) => spoil === denyStorage

test('page and timeline name what went wrong in a launch within 500 ms', (t) =>
  checkFailures(
    FAILURES.filter((failure) => !isLasting(failure)),
    t,
  ))

test('page and timeline name storage that the browser denies within 500 ms', (t) =>
  checkFailures(FAILURES.filter(isLasting), t))

/** One after another in one chart. */
async function checkFailures(failures: readonly Failure[], t: TestContext): Promise<void> {
  const { page } = fixture
  await fixture.offer(...new Set(failures.map(({ app }) => app)))
  for (const [index, failure] of failures.entries()) {
    const { what, app, spoil, code, cause } = failure
    t.diagnostic(what)
    await spoil(page)
    if (index === 0) await fixture.signIn('/meadow')
    await fixture.tab(app).click()
    if (failures.slice(0, index).some((earlier) => earlier.app === app)) await launchAgain(app)
    const frame = fixture.frame(app)
    await frame.getByRole('alert').filter({ hasText: 'could not open' }).waitFor()
    const shownAt = Date.now()
    const failed = fixture.card(app).locator('.failure').filter({ hasText: cause })
    await failed.first().waitFor()
    assert.ok(Date.now() - shownAt < 500, `${what}: ${Date.now() - shownAt} ms`)
    assert.match((await failed.first().textContent()) ?? '', code, what)
    const advice = (await frame.getByRole('alert').textContent()) ?? ''
    assert.match(advice, /The chart is not affected\./, what)
    // The provider reads no code and no fix of a developer; support finds both in the fold.
    assert.doesNotMatch(advice, code, what)
    const support = (await frame.locator('details.support').textContent()) ?? ''
    assert.match(support, code, what)
    assert.match(support, cause, what)
    await page.unrouteAll()
  }
}

/** Of the tab that is open; the page of the launch before is gone afterwards. */
async function launchAgain(app: string): Promise<void> {
  const { page } = fixture
  const frame = await page.locator(`iframe[title*="${app}"]`).elementHandle()
  await fixture.launchAgain(app)
  await page.waitForFunction((old) => !old?.isConnected, frame, { polling: 20 })
}

test('a refused exchange: page and timeline show the trace id, support can copy', async () => {
  await fixture.offer('Visit Notes', 'Care Gaps')
  await fixture.signIn('/meadow?fault=wrong-secret')
  await fixture.tab('Visit Notes').click()
  const support = fixture.frame('Visit Notes').locator('details.support')
  await support.waitFor()
  const [, trace = ''] = /Trace([0-9a-f]{32})/.exec((await support.textContent()) ?? '') ?? []
  assert.ok(trace)
  await fixture.card('Visit Notes').filter({ hasText: trace }).waitFor()
  // Option 2 shows it too, and copies the evidence for support.
  await fixture.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await copyEvidence()
})

async function copyEvidence(): Promise<void> {
  const { page } = fixture
  await fixture.tab('Care Gaps').click()
  const support = fixture.frame('Care Gaps').locator('details.support')
  await support.waitFor()
  assert.match((await support.textContent()) ?? '', /TOKEN_FETCH_ERROR.*\(trace [0-9a-f]{32}\)/)
  // The panel covers an app that failed, and has the evidence too.
  await fixture.cover.getByText('For support', { exact: true }).click()
  await fixture.cover.getByRole('button', { name: 'Copy for support' }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(copied, /App: Care Gaps\nState: failed\nStep: Exchange\nCode: invalid_client/)
}

async function openIn(context: BrowserContext, app: string, provider = '') {
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const who = provider && `&provider=${provider}`
  await fixture.signIn(`/meadow?practice=Northgate+Cardiology${who}`, page)
  const frame = await fixture.open(app, page)
  return { page, frame, opened: Date.now() }
}
