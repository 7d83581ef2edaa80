// The fixture of the extension's browser tests: the sandbox's service and two sample apps, a bare EHR
// page in three places, the built extension in one Chromium, and the actions of a provider. Asserts
// only that the set-up worked.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
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
import {
  SAMPLE_ADMIN_EMAIL,
  SAMPLE_PASSWORD,
  SAMPLE_PRACTICES,
} from '@chartside/server/sample-data'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
  type Worker,
} from 'playwright-core'
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium.ts'
import { countBrowserProcesses } from '../../scripts/test/processor-time.ts'

export const EXTENSION_ID = computeExtensionId(DEVELOPMENT_KEY)
const ORIGIN = `chrome-extension://${EXTENSION_ID}`
export const PROVIDER = SAMPLE_PRACTICES[0].providers[0]

export interface ExtensionFixture {
  readonly sandbox: Sandbox
  readonly ehr: BareEhr
  readonly context: BrowserContext
  readonly admin: Api
  worker(): Promise<Worker>
  /** Stops the background as the browser does when it is idle. */
  killWorker(): Promise<void>
  /** Clicks the handle of the page and finds the panel of its tab. */
  openPanel(page: Page): Promise<Page>
  /** In the panel: signs in through the tab that opens. */
  signIn(panel: Page, email?: string): Promise<void>
  contexts(type: 'SIDE_PANEL' | 'OFFSCREEN_DOCUMENT'): Promise<string[]>
  /** The sessions that the offscreen document hosts. */
  listHosted(): Promise<string[]>
  panelUrl(tabId: number): string
  /** Asks again until it is so. */
  until(isSo: () => Promise<boolean>): Promise<void>
  stop(): Promise<void>
}

export interface Api {
  // biome-ignore lint/suspicious/noExplicitAny: what the API answers is checked by the story tests
  call(method: string, path: string, body?: object): Promise<any>
}

export async function startFixture(): Promise<ExtensionFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'chartside-extension-'))
  const ehr = await startBareEhr()
  process.env.CHARTSIDE_HOST_ORIGINS = ORIGIN
  const sandbox = await startSandbox({
    port: 0,
    dataDir: join(folder, 'data'),
    only: ['visit-notes', 'coding-watch'],
  })
  await buildExtension(join(folder, 'extension'), sandbox.places.service.url)
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: await findChromium(),
    headless: true,
    viewport: null,
    args: [
      ...CHROMIUM_ARGS,
      '--remote-debugging-port=0',
      `--disable-extensions-except=${join(folder, 'extension')}`,
      `--load-extension=${join(folder, 'extension')}`,
    ],
  })
  context.setDefaultTimeout(15_000)
  const admin = await signInToApi(sandbox.places.service.url, SAMPLE_ADMIN_EMAIL)
  await publishEhrs(admin, ehr)
  const connections: Browser[] = []
  const findWorker = async () =>
    context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  const fixture: ExtensionFixture = {
    sandbox,
    ehr,
    context,
    admin,
    worker: findWorker,
    async killWorker() {
      const cdp = await context.browser()?.newBrowserCDPSession()
      assert.ok(cdp)
      const { targetInfos } = await cdp.send('Target.getTargets')
      const found = targetInfos.find(
        ({ type, url }) => type === 'service_worker' && url.startsWith(ORIGIN),
      )
      assert.ok(found, 'the background runs')
      await cdp.send('Target.closeTarget', { targetId: found.targetId })
      await cdp.detach()
    },
    async openPanel(page) {
      await page.bringToFront()
      await page.locator('chartside-handle').waitFor({ state: 'attached' })
      const box = await page.locator('chartside-handle').boundingBox()
      assert.ok(box, 'the handle is shown')
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
      return findPanel(join(folder, 'profile'), connections)
    },
    async signIn(panel, email = PROVIDER.email) {
      const [tab] = await Promise.all([
        context.waitForEvent('page'),
        panel.getByRole('button', { name: 'Sign in', exact: true }).click(),
      ])
      await tab.locator('input[name="email"]').fill(email)
      await tab.locator('input[name="password"]').fill(SAMPLE_PASSWORD)
      await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
      const shown = panel.locator('[data-state="signing-in"]')
      const text = (await shown.textContent()) ?? ''
      const code = /[2-9A-Z]{4}–[2-9A-Z]{4}/.exec(text)?.[0].replace('–', '-') ?? ''
      assert.ok(code, 'the panel shows the match code')
      await tab.getByText(code).first().waitFor()
      await tab.getByRole('button', { name: 'Yes, sign me in there' }).click()
    },
    async contexts(type) {
      const running = await findWorker()
      return running.evaluate(
        async (wanted) =>
          (
            await chrome.runtime.getContexts({
              contextTypes: [wanted as chrome.runtime.ContextType],
            })
          ).map(({ documentUrl = '' }) => documentUrl),
        type,
      )
    },
    async listHosted() {
      const running = await findWorker()
      return running.evaluate(() =>
        chrome.runtime.sendMessage({ to: 'offscreen', type: 'list' }).catch(() => []),
      )
    },
    panelUrl: (tabId) => `${ORIGIN}/panel.html?tab=${tabId}`,
    async until(isSo) {
      const end = Date.now() + 10_000
      while (!(await isSo().catch(isRestarted))) {
        assert.ok(Date.now() < end, `within 10 s: ${isSo}`)
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

/** A question to a background that the browser replaced meanwhile is asked again. */
function isRestarted(error: unknown): false {
  if (error instanceof Error && /Service worker restarted|has been closed/.test(error.message)) {
    return false
  }
  throw error
}

async function buildExtension(folder: string, service: string): Promise<void> {
  const ehrHosts = ['http://*.ehr.localhost/*']
  await writeExtension(await bundleExtension({ ...DEVELOPMENT, ehrHosts, service }), folder)
}

/** A panel is a target that the pipe does not show: a second connection, made after it opened. */
async function findPanel(profile: string, connections: Browser[]): Promise<Page> {
  const [port] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n')
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    const pages = browser.contexts().flatMap((context) => context.pages())
    const panel = pages.filter((page) => page.url().startsWith(`${ORIGIN}/panel.html`)).at(-1)
    if (panel) {
      connections.push(browser)
      return panel
    }
    await browser.close()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The side panel did not open.')
}

export interface BareEhr {
  readonly port: number
  /** The address of a chart in the EHR of this name. */
  url(host: 'meadow' | 'summit' | 'other', path?: string): string
  stop(): Promise<void>
}

/** An EHR that knows nothing of Chartside, with a strict policy of its own. */
async function startBareEhr(): Promise<BareEhr> {
  const server: Server = createServer((request, response) => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; script-src 'unsafe-inline'; frame-src 'none'; style-src 'unsafe-inline'",
    })
    response.end(`<!doctype html><title>Chart</title><h1>${request.headers.host}</h1>
      <p>${request.url?.replace(/[<&]/g, '')}</p><input aria-label="Note">`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: (host, path = '/chart/1') => `http://${host}.ehr.localhost:${port}${path}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** The EHRs of the sample collection are in other places here. One pattern is bad for the browser. */
async function publishEhrs(api: Api, { port }: BareEhr): Promise<void> {
  const { items } = await api.call('GET', '/api/collections?limit=100')
  const [collection] = items
  const path = `/api/collections/${collection.id}`
  const { draft } = await api.call('GET', path)
  const ehrs = draft.ehrs.map((ehr: { ehrType: string }) => ({
    ...ehr,
    matches: [`http://${ehr.ehrType}.ehr.localhost:${port}/chart/*`],
  }))
  const apps = draft.apps.map((app: object) => ({ ...app, autoLaunch: true }))
  await api.call('PATCH', path, { draft: { ehrs, apps } })
  await api.call('POST', `${path}/versions`, { notes: 'EHRs of the test' })
}

export async function signInToApi(base: string, email: string): Promise<Api> {
  const send = async (method: string, path: string, token: string, body?: object) => {
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`)
    return response.status === 204 ? undefined : response.json()
  }
  const { token } = await send('POST', '/auth/sign-in', '', { email, password: SAMPLE_PASSWORD })
  return { call: (method, path, body) => send(method, path, token, body) }
}
