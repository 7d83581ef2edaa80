// One fault on its stage: a browser context of its own, one launch of one EHR session, the panel that the fake
// host plays. Does what the fault says, and notes what was seen from outside. Judges nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Registration } from '@chartside/protocol/app-manifest'
import type { FakeLaunch } from '@chartside/test-kit'
import { type HostPage, openHostPage } from '@chartside/test-kit/playwright'
import type { BrowserContext, Frame, FrameLocator, Page } from 'playwright-core'
import type { Fault, Seen, Stage } from './fault.ts'
import type { PlacedFault, RunService } from './service.ts'

/** The parts that all faults of a run share. */
export interface StageParts {
  readonly service: RunService
  /** The registration with the addresses of the run. */
  readonly registration: Registration
  readonly appOrigin: string
  readonly panelOrigin: string
}

/** A page with the panel, and the launch in it. */
interface View {
  readonly page: Page
  readonly panel: HostPage<FrameLocator>
  readonly launch: FakeLaunch
}

const USERS = ['Dr. Wilhelmina Farquhar', 'Dr. Ignatius Pemberton'] as const
const SETTLE_MS = 8000
/** A good app is slower on a busy machine; one that does not open is so once. */
const REOPEN_MS = 20_000
/** A text of the loading state says nothing yet. */
const OPENING = /^\s*(opening|loading|please wait|starting)\b.{0,60}$/is

let sessions = 0

export class PlayedStage implements Stage {
  readonly userName = USERS[0]
  readonly #parts: StageParts
  readonly #context: BrowserContext
  readonly #fault: Fault | undefined
  readonly #placed: PlacedFault
  readonly #facts: Record<string, boolean | undefined> = {}
  readonly #views: View[] = []
  /** Sets its users, their account and their EHR session apart from those of other faults. */
  readonly #number: number
  readonly #beganAt = Date.now()
  #saidAfterMs: number | undefined
  #requests: string[] = []
  #refusesTokens = false
  /** The chart of `setChart` before there was a host. */
  #chart: string | undefined

  constructor(parts: StageParts, context: BrowserContext, fault: Fault | undefined) {
    this.#parts = parts
    this.#context = context
    this.#fault = fault
    this.#placed = parts.service.place(fault)
    sessions += 1
    this.#number = sessions
  }

  readonly panel: Stage['panel'] = {
    end: (reason) => this.#view?.panel.host.end(reason),
    sendExpiring: (seconds) => this.#view?.panel.host.sendExpiring(seconds),
    setChart: (key) => {
      this.#chart = key
      this.#view?.panel.host.setChart(key)
    },
    shownChart: () => this.#view?.panel.host.shownChart,
    rejectTokens: () => {
      this.#refusesTokens = true
    },
  }

  get #view(): View | undefined {
    return this.#views.at(-1)
  }

  async open(address?: { readonly query: Readonly<Record<string, string>> }): Promise<void> {
    const view = this.#view ?? (await this.#openView(this.userName))
    await view.panel.open(this.#addressOf(address?.query ?? { launch_id: view.launch.launchId }))
  }

  async settle(maxMs?: number): Promise<void> {
    const view = this.#view
    // A fault that takes its time lets an app report first, and say it later.
    const isPatient = maxMs !== undefined
    if (view) await this.#settleView(view, { maxMs: maxMs ?? SETTLE_MS, isPatient })
  }

  async openBeside(): Promise<{ own: string; beside: string; besideName: string }> {
    const [, besideName] = USERS
    const views = [await this.#openView(this.userName), await this.#openView(besideName)]
    await Promise.all(
      views.map(({ panel, launch }) => panel.open(this.#addressOf({ launch_id: launch.launchId }))),
    )
    await Promise.all(views.map((view) => this.#settleView(view, {})))
    const [own = '', beside = ''] = await Promise.all(views.map(({ page }) => readText(page)))
    return { own, beside, besideName }
  }

  async type(text: string): Promise<boolean> {
    const frame = frameOf(this.#view?.page)
    const field = frame?.locator('textarea, input[type="text"], input:not([type])').first()
    const isThere = await field?.isEditable({ timeout: 1000 }).catch(() => false)
    if (!field || !isThere) return false
    // A field that vanishes meanwhile keeps nothing: the checks see that.
    await field.fill(text, { timeout: 2000 }).catch(() => {})
    return true
  }

  async fields(): Promise<string> {
    const script = `[...document.querySelectorAll('textarea, input')].map(({ value }) => value).join('\\n')`
    const values = await frameOf(this.#view?.page)
      ?.evaluate(script)
      .catch(() => '')
    return `${values}\n${await this.#readText()}`
  }

  async launchAgain(): Promise<void> {
    await this.#view?.page.close()
    const view = await this.#openView(this.userName)
    await view.panel.open(this.#addressOf({ launch_id: view.launch.launchId }))
  }

  setOffline(isOffline: boolean): Promise<void> {
    return this.#context.setOffline(isOffline)
  }

  takeRequests(): readonly string[] {
    const taken = this.#requests
    this.#requests = []
    return taken
  }

  wait(ms: number): Promise<void> {
    return sleep(ms)
  }

  note(name: string, value: boolean | undefined): void {
    this.#facts[name] = value
  }

  /** Plays the fault, then a launch without it where a check asks for one. */
  async play(): Promise<Seen> {
    const fault = this.#fault
    if (fault?.play) await fault.play(this)
    else {
      await this.open()
      await this.settle()
    }
    const text = await this.#readText()
    const { exchanges, authorized, traces, steps } = this.#placed.wire
    const hosts = this.#views.map(({ panel }) => panel.host)
    const reported = hosts.flatMap(({ failures }) => failures)
    const isReady = hosts.some(({ tokens }) => tokens.length > 0) && reported.length === 0
    const seen = {
      exchanges: [...exchanges],
      authorized: [...authorized],
      traces: [...traces],
      wire: [...steps],
      tokens: hosts.reduce((sum, { tokens }) => sum + tokens.length, 0),
      ...{ text, reported, saidAfterMs: this.#saidAfterMs },
      facts: { showsUser: text.includes(this.userName), ready: isReady, ...this.#facts },
    }
    const isAsked = fault?.checks.some(({ name }) => name === 'opens-again')
    return { ...seen, opensAgain: isAsked ? await this.#opensAgain() : undefined }
  }

  /** Takes the fault out, and lets no port of a panel keep the process. */
  stop(): void {
    this.#placed.mend()
    for (const { panel } of this.#views) panel.host.stop()
  }

  async #opensAgain(): Promise<boolean> {
    this.#placed.mend()
    this.#refusesTokens = false
    await Promise.all(this.#views.map(({ page }) => page.close().catch(() => {})))
    const view = await this.#openView(this.userName, { isMended: true })
    await view.panel.open(this.#addressOf({ launch_id: view.launch.launchId }))
    await this.#settleView(view, { maxMs: REOPEN_MS })
    const { tokens, failures } = view.panel.host
    return tokens.length > 0 && failures.length === 0
  }

  #addressOf(query: Readonly<Record<string, string>>): string {
    const { launchUrl, workerLaunchUrl } = this.#parts.registration
    const address = new URL(launchUrl ?? workerLaunchUrl ?? '')
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    return address.href
  }

  async #openView(name: string, { isMended = false } = {}): Promise<View> {
    const { service, registration, panelOrigin, appOrigin } = this.#parts
    const index = USERS.findIndex((user) => user === name)
    const own = `fault_${this.#number}_${index}`
    const launch = service.issuer.mintLaunch({
      ...{ name, userId: `usr_${own}`, email: `${own}@lakeside.example` },
      sessionId: `ses_fault_${this.#number}`,
      account: { id: `acc_${own}`, name: ['Lakeside Practice', 'Northgate'][index] ?? '' },
    })
    const { launchId, userId, account, ehrType, sessionId, deviceId } = launch
    this.#placed.own(launchId)
    const page = await this.#context.newPage()
    if (this.#fault?.deniesStorage && !isMended) await page.addInitScript(DENY_STORAGE)
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url())
      if (origin === appOrigin) this.#requests.push(`${request.method()} ${pathname}`)
    })
    const { tokenEndpoint } = registration
    const panel = await openHostPage<FrameLocator>(page, panelOrigin, {
      ...{ launchId, seed: { userId, account, ehrType, sessionId, deviceId } },
      ...(tokenEndpoint === null ? {} : { tokenEndpoint }),
      ...(this.#refusesTokens
        ? { behaviour: { kind: 'reject_token', code: 'TOKEN_REJECTED' } as const }
        : {}),
    })
    if (this.#chart !== undefined) panel.host.setChart(this.#chart)
    const view = { page, panel, launch }
    this.#views.push(view)
    return view
  }

  /** Waits until the app is ready with a text, has reported, or shows a text for a second. */
  async #settleView(
    { page, panel: { host } }: View,
    { maxMs = SETTLE_MS, isPatient = false },
  ): Promise<void> {
    const end = Date.now() + maxMs
    let text = ''
    let since = Date.now()
    while (Date.now() < end) {
      await sleep(100)
      const now = await readText(page)
      if (now !== text) since = Date.now()
      text = now
      const isSaid = text.trim() !== '' && !OPENING.test(text)
      if (isSaid) this.#saidAfterMs ??= Date.now() - this.#beganAt
      const quietMs = Date.now() - since
      const isOver = host.failures.length > 0 || host.tokens.length > 0
      if (isOver && quietMs >= (isSaid ? 400 : isPatient ? maxMs : 1200)) return
      if (isSaid && quietMs >= 1500) return
    }
  }

  #readText = (): Promise<string> => readText(this.#view?.page)
}

const frameOf = (page: Page | undefined): Frame | undefined =>
  page?.isClosed() ? undefined : page?.frames().find((frame) => frame.parentFrame() !== null)

/** Returns the text that a person can read: nothing that is folded or hidden. */
const readText = async (page: Page | undefined): Promise<string> => {
  const text = await frameOf(page)
    ?.evaluate(VISIBLE_TEXT)
    .catch(() => '')
  return String(text ?? '')
}

const VISIBLE_TEXT = `(() => {
  if (!document.body) return ''
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts = []
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode
    if (!parentElement || /^(SCRIPT|STYLE|NOSCRIPT)$/.test(parentElement.tagName)) continue
    if (parentElement.checkVisibility({ visibilityProperty: true })) texts.push(textContent)
  }
  return texts.join(' ').replace(/\\s+/g, ' ')
})()`

/** The script makes a browser that blocks the storage of third parties, in the frame only. */
const DENY_STORAGE = `if (window !== window.parent) {
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, {
      get: () => { throw new DOMException('Failed to read ' + name, 'SecurityError') },
    })
  }
}`
