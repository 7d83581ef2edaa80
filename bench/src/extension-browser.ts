// A Chromium with the built extension for the scenario `extension`, without a debugger on any page: one
// would slow every document down. Playwright signs in and leaves; then tabs are opened by the HTTP
// interface of the browser and panels by a click on the icon, both of the DevTools protocol.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { computeExtensionId, DEVELOPMENT_KEY } from '@chartside/extension/build'
import { SAMPLE_PASSWORD } from '@chartside/server/sample-data'
import { chromium } from 'playwright-core'
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium.ts'

const EXTENSION_ID = computeExtensionId(DEVELOPMENT_KEY)

export const EXTENSION_ORIGIN = `chrome-extension://${EXTENSION_ID}`

/** The arguments of a provider's browser, which keeps a renderer ready for the next page; tests do without it. */
const ARGS = CHROMIUM_ARGS.map((arg) => arg.replace(',SpareRendererForSitePerProcess', ''))

export interface PlainBrowser {
  readonly pid: number
  /** Signs a person in through the tab that the extension opens. */
  signIn(email: string): Promise<void>
  /** Opens a page in a tab in front; answers its target. */
  openTab(url: string): Promise<string>
  closeTab(target: string): Promise<void>
  /** Opens the panel as a click on the icon of the extension does. */
  openPanel(target: string): Promise<void>
  stop(): Promise<void>
}

export async function startPlainBrowser(profile: string, extension: string): Promise<PlainBrowser> {
  const args = [
    ...ARGS,
    '--headless=new',
    '--remote-debugging-port=0',
    '--remote-allow-origins=*',
    `--user-data-dir=${profile}`,
    `--disable-extensions-except=${extension}`,
    `--load-extension=${extension}`,
    'about:blank',
  ]
  const browser = spawn(await findChromium(), args, { stdio: 'ignore', detached: true })
  const [port = '', path = ''] = await readEndpoint(join(profile, 'DevToolsActivePort'), browser)
  const http = async (method: string, route: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/json/${route}`, { method })
    if (!response.ok) throw new Error(`The browser answered ${response.status} to ${route}.`)
    return response
  }
  return {
    pid: browser.pid ?? 0,
    async signIn(email) {
      const attached = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
      const [context] = attached.contexts()
      if (!context) throw new Error('The browser has no context.')
      const page = await context.newPage()
      await page.goto(`${EXTENSION_ORIGIN}/panel.html?tab=999999`)
      const [tab] = await Promise.all([
        context.waitForEvent('page'),
        page.getByRole('button', { name: 'Sign in', exact: true }).click(),
      ])
      await tab.locator('input[name="email"]').fill(email)
      await tab.locator('input[name="password"]').fill(SAMPLE_PASSWORD)
      await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
      await tab.getByRole('button', { name: 'Yes, sign me in there' }).click()
      await page.locator('[data-state="no-ehr"]').waitFor()
      await page.close()
      await attached.close()
    },
    openTab: async (url) => {
      const answer = await (await http('PUT', `new?${url}`)).json()
      return (answer as { id: string }).id
    },
    closeTab: async (target) => void (await http('GET', `close/${target}`)),
    openPanel: async (target) => {
      const browserSide = new Protocol(`ws://127.0.0.1:${port}${path}`)
      const { targetInfos } = await browserSide.send('Target.getTargets', { filter: [{}] })
      // A page is in a tab, and the icon belongs to the tab.
      const tabs = targetInfos?.filter(({ type }) => type === 'tab') ?? []
      const page = targetInfos?.find(({ targetId }) => targetId === target)
      const tab = tabs.find(({ url }) => url === page?.url)
      if (!tab) throw new Error('The tab of the page was not found.')
      const params = { id: EXTENSION_ID, targetId: tab.targetId }
      await browserSide.send('Extensions.triggerAction', params)
      browserSide.close()
    },
    async stop() {
      const exited = new Promise((resolve) => browser.once('exit', resolve))
      if (browser.pid && browser.exitCode === null) process.kill(-browser.pid, 'SIGTERM')
      await Promise.race([exited, sleep(5_000)])
    },
  }
}

async function readEndpoint(file: string, browser: ChildProcess): Promise<string[]> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    if (lines.length > 1) return lines
    if (browser.exitCode !== null) throw new Error('Chromium ended during its start.')
    await sleep(50)
  }
  throw new Error('Chromium opened no DevTools port within 30 s.')
}

interface TargetInfo {
  readonly targetId: string
  readonly type: string
  readonly url: string
}

/** Commands to the browser itself; it attaches to nothing. */
class Protocol {
  readonly #socket: WebSocket
  readonly #open: Promise<unknown>
  #calls = 0

  constructor(url: string) {
    this.#socket = new WebSocket(url)
    this.#open = new Promise((resolve) => this.#socket.addEventListener('open', resolve))
  }

  async send(method: string, params: object): Promise<{ targetInfos?: TargetInfo[] }> {
    await this.#open
    this.#calls += 1
    const id = this.#calls
    this.#socket.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve, reject) => {
      const receive = ({ data }: MessageEvent) => {
        const answer = JSON.parse(String(data))
        if (answer.id !== id) return
        this.#socket.removeEventListener('message', receive)
        if (answer.error) reject(new Error(`${method}: ${answer.error.message}`))
        else resolve(answer.result)
      }
      this.#socket.addEventListener('message', receive)
    })
  }

  close(): void {
    this.#socket.close()
  }
}
