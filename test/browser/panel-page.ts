// Opens the panel document in a page whose clock stands still, and plays its background: messages that a
// test sends, commands that the panel sends. Asserts only that no policy was violated.
import type { Browser, FrameLocator, Page } from 'playwright-core'
import type {
  BackgroundMessage,
  PanelCommand,
  PanelState,
  WorkerApp,
} from '../../packages/extension/src/messages.ts'
import { openStrictPage } from './accessibility.ts'
import { SESSION } from './handshake-service.ts'
import { APPS, NOW, type PanelFixture } from './panel-fixture.ts'

type View = PanelState['view']

declare global {
  interface Window {
    sendToPanel(message: unknown): void
    commandsOfPanel: unknown[]
  }
}

export interface PanelPage {
  readonly page: Page
  /** A new document with nothing stored; the process that shows it stays, which is cheaper than another one. */
  restart(): Promise<void>
  send(message: BackgroundMessage): Promise<void>
  show(view: View, more?: Partial<PanelState>): Promise<void>
  /** Grants the session and shows it. */
  startSession(more?: {
    workers?: readonly WorkerApp[]
    autoLaunch?: boolean
    /** The chart of the tab; its changes are sent. */
    chart?: string
  }): Promise<void>
  listCommands<Type extends PanelCommand['type']>(
    type: Type,
  ): Promise<Extract<PanelCommand, { type: Type }>[]>
  /** The document in the app's frame, also after a launch replaced the frame. */
  appPage(appId: string): FrameLocator
  waitUntilReady(appId: string): Promise<void>
  assertPolicyKept(): Promise<void>
}

export const PRACTICE = { id: 'acc_1', name: 'Lakeside Family Practice' }
const PERSON = { name: 'Dr. Amara Okafor', email: 'amara@lakeside.example' }

export const WORKERS: readonly WorkerApp[] = [
  { appId: 'app_coding', name: 'Coding Watch', state: { kind: 'ready' } },
]

const VIEWPORT = { width: 380, height: 620 }

const forgetAll = () => {
  localStorage.clear()
  sessionStorage.clear()
}

const playBackground = () => {
  if (window !== window.top) return
  const listeners: ((message: unknown) => void)[] = []
  window.commandsOfPanel = []
  window.sendToPanel = (message) => {
    for (const listener of listeners) listener(message)
  }
  const port = {
    onMessage: { addListener: (listener: (message: unknown) => void) => listeners.push(listener) },
    onDisconnect: { addListener: () => {} },
    postMessage: (command: unknown) => window.commandsOfPanel.push(command),
    disconnect: () => {},
  }
  const played = {
    runtime: { connect: () => port },
    permissions: {
      request: (asked: unknown) => {
        window.commandsOfPanel.push({ type: 'permission', asked })
        return Promise.resolve(true)
      },
    },
  }
  Object.defineProperty(globalThis, 'chrome', { value: played, configurable: true })
}

export async function openPanelPage(browser: Browser, fixture: PanelFixture): Promise<PanelPage> {
  const { page, assertPolicyKept } = await openStrictPage(browser, {
    viewport: VIEWPORT,
    timezoneId: 'America/New_York',
    locale: 'en-US',
  })
  await page.addInitScript(playBackground)
  const begin = async () => {
    await page.clock.setFixedTime(NOW)
    await page.goto(`${fixture.origins.panel}/panel.html?tab=1`)
  }
  await begin()

  const send = (message: BackgroundMessage) =>
    page.evaluate((sent) => window.sendToPanel(sent), message)
  const show = (view: View, more: Partial<PanelState> = {}) =>
    send({
      type: 'state',
      state: { view, person: PERSON, isOffline: false, signsOutAt: null, ...more },
    })
  const appPage = (appId: string) => page.frameLocator(`.place[data-app="${appId}"] iframe`)
  const panel: PanelPage = {
    page,
    async restart() {
      // A frame whose app never answers has no document to ask.
      const shown = page.frames().filter((frame) => frame.url().startsWith('http'))
      for (const frame of shown) await frame.evaluate(forgetAll)
      await page.goto('about:blank')
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
      await page.setViewportSize(VIEWPORT)
      fixture.reset()
      await begin()
    },
    send,
    show,
    async startSession({ workers = WORKERS, autoLaunch = true, chart } = {}) {
      const apps = APPS.map(({ id, name }, index) => ({
        id,
        name,
        kinds: ['ui' as const],
        autoLaunch: autoLaunch && index === 0,
      }))
      const session = { ...SESSION, apps }
      const { service } = fixture.origins
      await send({
        type: 'grant',
        grant: {
          ...{ service, sessionToken: 'st_test', session, launches: [] },
          ...(chart === undefined ? {} : { chart }),
        },
        opensWith: null,
      })
      await show(buildSessionView(apps, workers))
    },
    listCommands: async (type) => {
      const commands = await page.evaluate(() => window.commandsOfPanel as PanelCommand[])
      return commands.filter((command) => command.type === type) as never
    },
    appPage,
    waitUntilReady: (appId) =>
      appPage(appId).locator('body[data-ready]').waitFor({ state: 'attached' }),
    assertPolicyKept,
  }
  return panel
}

export const buildSessionView = (
  apps: Extract<View, { kind: 'session' }>['apps'],
  workers: readonly WorkerApp[],
): View => ({
  kind: 'session',
  sessionId: SESSION.id,
  ehrName: 'Meadow EHR',
  practice: PRACTICE,
  apps,
  workers,
})

export const VIEW_OF_APPS = (workers: readonly WorkerApp[] = WORKERS): View =>
  buildSessionView(
    APPS.map(({ id, name }, index) => ({ id, name, kinds: ['ui'], autoLaunch: index === 0 })),
    workers,
  )
