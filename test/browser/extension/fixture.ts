// The fixture of the extension's browser tests: the sandbox's service and sample apps, an EHR page, the built extension in one Chromium, and the actions of a provider. Asserts
// only that the set-up worked.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '@chartside/example-sandbox'
import {
  bundleExtension,
  computeExtensionId,
  DEVELOPMENT,
  DEVELOPMENT_KEY,
  writeExtension,
} from '@chartside/extension/build'
import { SAMPLE_PASSWORD, SAMPLE_PRACTICES } from '@chartside/server/sample-data'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Frame,
  type Page,
  type Worker,
} from 'playwright-core'
import { CHROMIUM_ARGS, findChromium } from '../../../scripts/chromium.ts'
import { countBrowserProcesses } from '../../../scripts/test/processor-time.ts'
import { copySampleData } from '../../process/sample-data.ts'
import { type Api, type BareEhr, publishEhrs, signInToApi, startEhr } from './ehr.ts'

export const EXTENSION_ID = computeExtensionId(DEVELOPMENT_KEY)
const ORIGIN = `chrome-extension://${EXTENSION_ID}`
export const PROVIDER = SAMPLE_PRACTICES[0].providers[0]

/** A document of its own, or inside the panel of its window. */
export type Panel = Page | Frame

export interface ExtensionFixture {
  readonly sandbox: Sandbox
  readonly ehr: BareEhr
  readonly context: BrowserContext
  readonly admin: Api
  /** The database of the service. */
  readonly databaseFile: string
  worker(): Promise<Worker>
  /** Stops the background as the browser does when it is idle. */
  killWorker(): Promise<void>
  /** Clicks the handle of the page and finds the panel of its tab. */
  openPanel(page: Page): Promise<Panel>
  /** Presses the icon of the toolbar beside this tab. */
  pressIcon(page: Page): Promise<void>
  /** The panel of a tab, once it has opened. */
  findPanelOf(page: Page): Promise<Panel>
  /** The panel that the browser shows beside tabs that have none of their own. */
  findWindowPanel(): Promise<Page>
  /** In the panel: signs in through the tab that opens. */
  signIn(panel: Panel, user?: Sandbox['administrator']): Promise<void>
  /** In the tab of a sign-in that this panel began, or beside which it stands. */
  finishSignIn(tab: Page, panel: Panel, user?: Sandbox['administrator']): Promise<void>
  contexts(type: 'SIDE_PANEL' | 'OFFSCREEN_DOCUMENT'): Promise<string[]>
  /** The sessions that the offscreen document hosts. */
  listHosted(): Promise<string[]>
  panelUrl(tabId: number): string
  /** Of the page, which comes to the front. */
  tabId(page: Page): Promise<number>
  /** Without bringing one to the front. */
  activeTabId(): Promise<number | undefined>
  /** Lets go of the panels that were found; a debugger would hold on to what the browser ends. */
  leavePanels(): Promise<void>
  /** The same profile in a new Chromium, with this version of the extension. */
  restartBrowser(version?: string): Promise<void>
  /** This version takes the place of the one that runs, in the browser as it is. */
  updateExtension(version: string): Promise<void>
  /** Asks again until it is so. */
  until(isSo: () => Promise<boolean>, withinMs?: number): Promise<void>
  stop(): Promise<void>
}

export interface FixtureOptions {
  /** Names of the sample apps. */
  readonly only?: readonly string[]
  /** Names of apps that open only when the provider chooses them. */
  readonly chosen?: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
  /** Each line of the service's log. */
  readonly onServiceLine?: (line: string) => void
  /** False: the first-run page or a policy names the service. */
  readonly isServiceBuilt?: boolean
  readonly ehrHosts?: readonly string[]
  readonly ehr?: RequestListener
  /** The path pattern of the charts of each EHR type; `/chart/*` by default. */
  readonly paths?: Readonly<Record<string, string>>
  /** The pattern of the charts of each EHR type, from its path on; none by default. */
  readonly charts?: Readonly<Record<string, string>>
  /** EHR types whose chart changes are only recorded. */
  readonly observed?: readonly string[]
  /** An X display, such as `:78`, for a browser with windows. */
  readonly display?: string
}

export async function startFixture(options: FixtureOptions = {}): Promise<ExtensionFixture> {
  const { only = ['visit-notes', 'coding-watch'], settings = {}, onServiceLine } = options
  const { isServiceBuilt = true, ehrHosts = ['http://*.ehr.localhost/*'] } = options
  const folder = mkdtempSync(join(tmpdir(), 'chartside-extension-'))
  const profile = join(folder, 'profile')
  const extension = join(folder, 'extension')
  const ehr = await startEhr(options.ehr)
  process.env.CHARTSIDE_HOST_ORIGINS = ORIGIN
  const dataDir = join(folder, 'data')
  await copySampleData(dataDir)
  const sandbox = await startSandbox({ port: 0, dataDir, only, settings, onServiceLine })
  const service = isServiceBuilt ? sandbox.places.service.url : null
  const inputs = { ...DEVELOPMENT, ehrHosts, service }
  const write = async (version: string) =>
    writeExtension(await bundleExtension({ ...inputs, version }), extension)
  await write(DEVELOPMENT.version)
  allowReload(profile)
  const launch = () => launchExtension(profile, extension, options.display)
  let context = await launch()
  const { email: adminEmail, password: adminPassword } = sandbox.administrator
  const admin = await signInToApi(sandbox.places.service.url, adminEmail, adminPassword)
  await publishEhrs(admin, ehr, options)
  const connections: Browser[] = []
  const findWorker = async () =>
    context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  const fixture: ExtensionFixture = {
    sandbox,
    ehr,
    get context() {
      return context
    },
    admin,
    databaseFile: join(dataDir, 'chartside.db'),
    worker: findWorker,
    killWorker: () => closeWorker(context),
    async openPanel(page) {
      await page.bringToFront()
      await page.locator('chartside-handle').waitFor({ state: 'attached' })
      const box = await page.locator('chartside-handle').boundingBox()
      assert.ok(box, 'the handle is shown')
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
      return fixture.findPanelOf(page)
    },
    pressIcon: (page) => pressIcon(context, page),
    findPanelOf: async (page) =>
      findPanel(profile, fixture.panelUrl(await fixture.tabId(page)), connections),
    async findWindowPanel() {
      const found = await findPanel(profile, `${ORIGIN}/panel.html`, connections)
      return 'page' in found ? found.page() : found
    },
    async tabId(page) {
      await page.bringToFront()
      const running = await findWorker()
      const id = await running.evaluate(
        async () => (await chrome.tabs.query({ active: true, lastFocusedWindow: true }))[0]?.id,
      )
      assert.ok(id !== undefined, 'the tab is active')
      return id
    },
    async activeTabId() {
      const running = await findWorker()
      return running.evaluate(async () => (await chrome.tabs.query({ active: true }))[0]?.id)
    },
    async leavePanels() {
      for (const connection of connections.splice(0)) await connection.close()
    },
    async restartBrowser(version = DEVELOPMENT.version) {
      await fixture.leavePanels()
      countBrowserProcesses()
      await context.close()
      await write(version)
      context = await launch()
    },
    async updateExtension(version) {
      await fixture.leavePanels()
      await write(version)
      const running = await findWorker()
      const next = context.waitForEvent('serviceworker')
      // It does not answer any more.
      running.evaluate(() => chrome.runtime.reload()).catch(() => {})
      await next
    },
    async signIn(panel, user) {
      const [tab] = await Promise.all([
        context.waitForEvent('page'),
        panel.getByRole('button', { name: 'Sign in', exact: true }).click(),
      ])
      await fixture.finishSignIn(tab, panel, user)
    },
    finishSignIn,
    contexts: async (type) => listContexts(await findWorker(), type),
    listHosted: async () =>
      (await findWorker()).evaluate(() =>
        chrome.runtime.sendMessage({ to: 'offscreen', type: 'list' }).catch(() => []),
      ),
    panelUrl: (tabId) => `${ORIGIN}/panel.html?tab=${tabId}`,
    async until(isSo, withinMs = 10_000) {
      const end = Date.now() + withinMs
      while (!(await isSo().catch(isRestarted))) {
        assert.ok(Date.now() < end, `within ${withinMs} ms: ${isSo}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    async stop() {
      countBrowserProcesses()
      for (const connection of connections) await connection.close()
      await context.close()
      await sandbox.stop()
      await ehr.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return fixture
}

const listContexts = (running: Worker, type: string): Promise<string[]> =>
  running.evaluate(async (wanted) => {
    const contextTypes = [wanted as chrome.runtime.ContextType]
    const found = await chrome.runtime.getContexts({ contextTypes })
    return found.map(({ documentUrl = '' }) => documentUrl)
  }, type)

async function pressIcon(context: BrowserContext, page: Page): Promise<void> {
  await page.bringToFront()
  const cdp = await context.browser()?.newBrowserCDPSession()
  assert.ok(cdp)
  const { targetInfos } = await cdp.send('Target.getTargets', { filter: [{}] })
  const found = targetInfos.find(({ type, url }) => type === 'tab' && url === page.url())
  assert.ok(found, 'the tab is a target')
  const action = { id: EXTENSION_ID, targetId: found.targetId }
  await cdp.send('Extensions.triggerAction' as 'Target.closeTarget', action)
  await cdp.detach()
}

async function closeWorker(context: BrowserContext): Promise<void> {
  const cdp = await context.browser()?.newBrowserCDPSession()
  assert.ok(cdp)
  const { targetInfos } = await cdp.send('Target.getTargets')
  const found = targetInfos.find(
    ({ type, url }) => type === 'service_worker' && url.startsWith(ORIGIN),
  )
  assert.ok(found, 'the background runs')
  await cdp.send('Target.closeTarget', { targetId: found.targetId })
  await cdp.detach()
}

const A_PROVIDER = { email: PROVIDER.email, password: SAMPLE_PASSWORD }

async function finishSignIn(tab: Page, panel: Panel, user = A_PROVIDER): Promise<void> {
  await tab.locator('input[name="email"]').fill(user.email)
  await tab.locator('input[name="password"]').fill(user.password)
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
  const yes = tab.getByRole('button', { name: 'Yes, sign me in there' })
  const isAsked = await Promise.race([
    yes.waitFor().then(() => true),
    tab.waitForEvent('close').then(() => false),
    tab.waitForURL(/signed-in\.html/).then(() => false),
  ])
  // The codes were compared in this browser already.
  if (!isAsked) return
  const shown = panel.locator('[data-state="signing-in"]')
  const text = (await shown.textContent()) ?? ''
  const code = /[2-9A-Z]{4}–[2-9A-Z]{4}/.exec(text)?.[0].replace('–', '-') ?? ''
  assert.ok(code, 'the panel shows the match code')
  await tab.getByText(code).first().waitFor()
  await yes.click()
}

/** Without its developer mode the browser switches an unpacked extension off when it is loaded again. */
function allowReload(profile: string): void {
  mkdirSync(join(profile, 'Default'), { recursive: true })
  const preferences = { extensions: { ui: { developer_mode: true } } }
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences))
}

/** A question to a background that the browser replaced meanwhile is asked again. */
function isRestarted(error: unknown): false {
  if (error instanceof Error && /Service worker restarted|has been closed/.test(error.message)) {
    return false
  }
  throw error
}

/** A Chromium with the extension of this folder; with windows where there is a display for them. */
export async function launchExtension(
  profile: string,
  extension: string,
  display?: string,
): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await findChromium(),
    headless: display === undefined,
    viewport: null,
    ...(display === undefined ? {} : { env: { ...process.env, DISPLAY: display } }),
    args: [
      ...CHROMIUM_ARGS,
      '--remote-debugging-port=0',
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
    ],
  })
  context.setDefaultTimeout(15_000)
  return context
}

/** Each connection follows every page of the browser, so that none may outlive its panel. */
function leaveWith(panel: Panel, leave: () => Promise<void>): void {
  if (!('page' in panel)) panel.once('close', leave)
  else panel.page().on('framedetached', (frame) => void (frame === panel && leave()))
}

/** A panel is a target that the pipe does not show: a second connection, made after it opened. */
async function findPanel(profile: string, url: string, connections: Browser[]): Promise<Panel> {
  const [port] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n')
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    const pages = browser.contexts().flatMap((context) => context.pages())
    const frames = pages.flatMap((page) => page.frames())
    const panel: Panel | undefined =
      pages.filter((page) => page.url() === url).at(-1) ??
      frames.filter((frame) => frame.url() === `${url}&in=window`).at(-1)
    if (panel) {
      connections.push(browser)
      leaveWith(panel, async () => {
        if (connections.includes(browser)) connections.splice(connections.indexOf(browser), 1)
        await browser.close()
      })
      return panel
    }
    await browser.close()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The side panel did not open.')
}
