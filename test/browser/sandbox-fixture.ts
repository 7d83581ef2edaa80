// The fixture of the browser tests of the sandbox: everything that `npm start` starts, on free
// ports, one fresh profile at a time, and the actions of the sample EHR. Asserts only that the
// set-up worked and that no page violated its own policy.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, type SandboxOptions, startSandbox } from '@chartside/example-sandbox'
import type { LaunchSpanName } from '@chartside/protocol/launch'
import { STEP_NAMES } from '@chartside/protocol/launch-steps'
import type { Browser, BrowserContext, Frame, FrameLocator, Locator, Page } from 'playwright-core'
import { launchChromium } from '../../scripts/chromium.ts'
import { copySampleData } from '../process/sample-data.ts'
import { OfferedApps } from './offered-apps.ts'

/** A bearer value of the service, or a JWT. */
export const SECRET = /(at|code|cs|st)_[0-9a-z]{22}[A-Za-z0-9_-]{43}|eyJ[\w-]+\.eyJ/

export interface SandboxFixture {
  readonly sandbox: Sandbox
  readonly browser: Browser
  readonly context: BrowserContext
  readonly page: Page
  /** A fresh profile with one page, and the apps of the options beside its charts. */
  begin(): Promise<void>
  /** Only these apps are beside the charts that are opened from now on, until the next `begin`. */
  offer(...apps: readonly string[]): Promise<void>
  /** @throws AssertionError when a page violated its own policy, or had an uncaught error */
  end(): Promise<void>
  /** Signs in at the sample EHR, and waits for the tabs of the panel. */
  signIn(path: string, on?: Page): Promise<void>
  tab(app: string, on?: Page): Locator
  frame(app: string, on?: Page): FrameLocator
  /** Selects the app's tab, and waits until the app shows its user. */
  open(app: string, on?: Page): Promise<FrameLocator>
  /** The newest launch of the app in the timeline. */
  card(app: string): Locator
  /** Opens the card: a card of an app whose tab is not selected is folded, and a folded card has no waterfall. */
  unfold(app: string): Promise<void>
  /** A step of the waterfall of an open card. */
  step(app: string, name: LaunchSpanName, state: 'ok' | 'failed'): Locator
  /** Waits until the newest launch of the app is ready. */
  waitUntilReady(app: string): Promise<void>
  /** A new launch of the open app, by the menu of the panel. */
  launchAgain(app: string): Promise<void>
  /** Ends the launch at the service, as an administrator can; its frame stays. */
  endLaunch(app: string): Promise<void>
  /** What lies over the app in the panel. */
  readonly cover: Locator
  /** The EHR beside the panel. */
  readonly ehr: FrameLocator
  /** Starts a fault of the menu above the timeline; an empty name switches it off. */
  startFault(name: string): Promise<void>
  stop(): Promise<void>
}

export interface FixtureOptions extends Omit<SandboxOptions, 'port' | 'dataDir'> {
  /** Names of the apps beside a chart where a test asks for no others; none: every app that runs. */
  readonly offered?: readonly string[]
}

export async function startFixture({
  offered = [],
  ...options
}: FixtureOptions = {}): Promise<SandboxFixture> {
  const dataDir = mkdtempSync(join(tmpdir(), 'chartside-sandbox-'))
  await copySampleData(dataDir)
  const browser = await launchChromium()
  const sandbox = await startSandbox({ ...options, port: 0, dataDir }).catch(async (error) => {
    // An open browser would keep the test process alive.
    await browser.close()
    throw error
  })
  const violations: string[] = []
  const apps = new OfferedApps(sandbox)
  let profile: { readonly context: BrowserContext; readonly page: Page } | undefined
  const findProfile = () => {
    assert.ok(profile, 'begin() opens the first page')
    return profile
  }
  const fixture: SandboxFixture = {
    ...{ sandbox, browser },
    get context() {
      return findProfile().context
    },
    get page() {
      return findProfile().page
    },
    async begin() {
      violations.length = 0
      await profile?.context.close()
      await apps.offer(offered)
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      await context.addInitScript(() => {
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
          console.error(`policy: ${violatedDirective} ${blockedURI}`)
        })
      })
      const page = await context.newPage()
      page.on('console', (message) => {
        if (message.text().startsWith('policy:')) violations.push(message.text())
      })
      page.on('pageerror', ({ message }) => violations.push(message))
      profile = { context, page }
    },
    offer: (...names) => apps.offer(names),
    async end() {
      await fixture.context.close()
      assert.deepEqual(violations, [])
    },
    async signIn(path, on = fixture.page) {
      await on.goto(new URL(path, sandbox.places.ehr.url).href)
      await on.locator('#sign-in .main-button').click()
      await on.locator('[role="tab"]').first().waitFor()
    },
    tab: (app, on = fixture.page) => on.getByRole('tab', { name: app }),
    frame: (app, on = fixture.page) => on.frameLocator(`iframe[title*="${app}"]`),
    async open(app, on) {
      await fixture.tab(app, on).click()
      const frame = fixture.frame(app, on)
      await frame.locator('#provider').waitFor()
      return frame
    },
    card: (app) => fixture.page.locator(`.launch[data-app="${app}"]`).first(),
    async unfold(app) {
      const isOpen = await fixture.card(app).evaluate((card) => card.hasAttribute('open'))
      if (!isOpen) await fixture.card(app).locator('summary').click()
    },
    step: (app, name, state) =>
      fixture
        .card(app)
        .locator(state === 'failed' ? '.span.failed' : '.span:not(.failed, .never, .running)')
        .filter({ hasText: new RegExp(`^${STEP_NAMES[name]}`) }),
    async waitUntilReady(app) {
      await fixture.card(app).filter({ hasText: 'Ready in' }).waitFor()
    },
    async launchAgain(app) {
      await fixture.page.getByRole('button', { name: 'More', exact: true }).click()
      await fixture.page.getByRole('menuitem', { name: `Launch ${app} again` }).click()
    },
    async endLaunch(app) {
      const id = await fixture.card(app).getAttribute('data-launch')
      const url = `${sandbox.places.service.url}/api/launches/${id}`
      const status = await fixture.page.evaluate(async (address) => {
        const kept = sessionStorage.getItem('chartside-sandbox-session') ?? '{}'
        const headers = { authorization: `Bearer ${JSON.parse(kept).token}` }
        return (await fetch(address, { method: 'DELETE', headers })).status
      }, url)
      assert.equal(status, 204)
    },
    get cover() {
      return fixture.page.locator('#apps .cover')
    },
    get ehr() {
      return fixture.page.frameLocator('#ehr')
    },
    async startFault(name) {
      await fixture.page.locator('#fault').selectOption(name)
      if (name) await fixture.page.locator('.fault-buttons button').first().click()
      else await fixture.page.locator('.fault-on').waitFor({ state: 'hidden' })
    },
    async stop() {
      await browser.close()
      await sandbox.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return fixture
}

/** Everything that a script in the frame could read: storage, markup, cookies. */
export const readLeftovers = (frame: Frame): Promise<string> =>
  frame.evaluate(() =>
    [
      JSON.stringify(Object.entries(localStorage)),
      JSON.stringify(Object.entries(sessionStorage)),
      document.documentElement.outerHTML,
      document.cookie,
    ].join('\n'),
  )
