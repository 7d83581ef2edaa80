// An app never stands beside a chart for which it was not opened: with the real extension, service and
// sample app, in three EHRs that name the chart in the path, in the fragment and in the query, and in one
// that keeps one address and names it in a frame. Contract §11; security V40.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { FrameLocator, Page, Request } from 'playwright-core'
import { OfferedApps } from '../offered-apps.ts'
import { type ExtensionFixture, type Panel, startFixture } from './fixture.ts'

const APP = 'Visit Notes'
const MAX_UNCOVERED_MS = 500
/** How long the guard waits for the chart of a new page (packages/host/src/chart-guard.ts). */
const CHART_REST_MS = 250
/** Names a patient; it may be in no request, file or message. */
const CANARY = 'canary-7QX2'

interface Move {
  readonly host: 'meadow' | 'summit' | 'other'
  /** The addresses of two charts, and of another page of the first. */
  readonly first: string
  readonly second: string
  readonly samePage: string
}

const EHRS: readonly Move[] = [
  {
    ...{ host: 'meadow', first: '/chart/A', second: '/chart/B' },
    samePage: '/chart/A/notes?tab=2#top',
  },
  {
    ...{ host: 'summit', first: '/app#/p/A', second: '/app#/p/B' },
    samePage: '/app#/p/A/notes',
  },
  {
    ...{ host: 'other', first: '/record?tab=1&patient=A', second: '/record?tab=1&patient=B' },
    samePage: '/record?tab=2&patient=A',
  },
]

/** A chart whose frame names it, in an address that stays the same. */
const answerEhr: RequestListener = (request, response) => {
  const url = new URL(request.url ?? '/', 'http://ehr.localhost')
  const frame = url.search === '?framed' ? '<iframe src="/app#/p/A"></iframe>' : ''
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<!doctype html><title>Chart</title><h1>Chart</h1>${frame}`)
}

/** What the browser sends: pages, panels and the background; the addresses of the EHR itself are no news. */
const requests: string[] = []
const record = (request: Request) => {
  if (new URL(request.url()).hostname.endsWith('.ehr.localhost')) return
  const headers = JSON.stringify(request.headers())
  requests.push(`${request.url()} ${headers} ${request.postData() ?? ''}`)
}

/** The background's own calls, which no page makes. */
const recordCalls = () => {
  const world = globalThis as { sent?: string[]; fetch: typeof fetch }
  const send = world.fetch
  const sent: string[] = []
  world.sent = sent
  world.fetch = (input, init) => {
    sent.push(`${String(input)} ${JSON.stringify(init)}`)
    return send(input, init)
  }
}

/** What the service writes and exports. */
const lines: string[] = []
const spans: string[] = []
/** Takes traces as an OpenTelemetry collector does. */
const collector = createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts)
  const isPacked = request.headers['content-encoding'] === 'gzip'
  spans.push((isPacked ? gunzipSync(body) : body).toString('latin1'))
  response.end()
})

let fixture: ExtensionFixture
before(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const { port } = collector.address() as AddressInfo
  fixture = await startFixture({
    settings: {
      CHARTSIDE_LOG_LEVEL: 'debug',
      CHARTSIDE_REQUEST_LOG: 'on',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    },
    onServiceLine: (line) => lines.push(line),
    only: ['visit-notes', 'coding-watch'],
    ehr: answerEhr,
    paths: { summit: '/app*', other: '/record*' },
    charts: {
      meadow: '/chart/:chart{/*}?',
      summit: '/app?*#/p/:chart{/*}?',
      other: '/record?*patient=:chart{&*}?',
      observed: '/chart/:chart{/*}?',
    },
    observed: ['observed'],
  })
  const page = await fixture.context.newPage()
  await page.goto(fixture.panelUrl(999_999))
  await fixture.signIn(page)
  await page.locator('[data-state="no-ehr"]').waitFor()
})
after(async () => {
  await fixture?.stop()
  collector.close()
})

interface Beside {
  readonly page: Page
  readonly panel: Panel
  readonly app: FrameLocator
  /** When the app was covered or uncovered, by the clock of this computer. */
  listCovers(): Promise<{ at: number; isCovered: boolean }[]>
}

interface Watched {
  covers?: { at: number; isCovered: boolean }[]
}

async function openBeside(t: TestContext, address: string): Promise<Beside> {
  const page = await fixture.context.newPage()
  t.after(() => page.close())
  await page.goto(address)
  const panel = await fixture.openPanel(page)
  ;('page' in panel ? panel.page() : panel).on('request', record)
  const app = panel.frameLocator(`iframe[title="${APP}"]`)
  await app.locator('textarea').first().waitFor()
  await panel.waitForFunction(() => !document.querySelector('.cover'))
  await panel.evaluate((title) => {
    const covers: { at: number; isCovered: boolean }[] = []
    ;(globalThis as Watched).covers = covers
    const look = () => {
      const frame = document.querySelector<HTMLElement>(`iframe[title="${title}"]`)
      const isCovered = frame === null || frame.style.opacity === '0'
      if ((covers.at(-1)?.isCovered ?? false) !== isCovered)
        covers.push({ at: Date.now(), isCovered })
    }
    const options = { subtree: true, childList: true, attributes: true }
    new MutationObserver(look).observe(document, options)
  }, APP)
  const listCovers = () => panel.evaluate(() => (globalThis as Watched).covers ?? [])
  return { page, panel, app, listCovers }
}

const note = ({ app }: Beside) => app.locator('textarea').first()

const settleIfCovered = async (beside: Beside) =>
  (await beside.listCovers()).length > 0 ? settle(beside) : undefined

/** Waits until an app is shown beside the chart again, and the panel says nothing else. */
async function settle(beside: Beside): Promise<void> {
  await fixture.until(async () => (await beside.listCovers()).at(-1)?.isCovered === false)
  await beside.panel.waitForFunction(() => !document.querySelector('.cover'))
  await note(beside).waitFor()
}

async function assertCovered(beside: Beside, move: () => Promise<unknown>): Promise<void> {
  const before = (await beside.listCovers()).length
  const movedAt = Date.now()
  await move()
  await fixture.until(async () => (await beside.listCovers()).length > before)
  const [cover] = (await beside.listCovers()).slice(before)
  assert.equal(cover?.isCovered, true)
  assert.ok(cover.at - movedAt <= MAX_UNCOVERED_MS, `covered after ${cover.at - movedAt} ms`)
}

interface ListedLaunch {
  readonly id: string
  readonly kind: string
  readonly state: string
  readonly ended?: { readonly reason: string }
  readonly steps: readonly { readonly step: string; readonly handled?: string }[]
}

/** Of the app in the panel. */
async function listLines(): Promise<{ at: string; handled: string; shownMs?: number }[]> {
  const { items } = await fixture.admin.call('GET', '/api/launches?limit=100')
  return items.flatMap(({ kind, steps }: ListedLaunch) =>
    kind === 'ui' ? steps.filter(({ step }) => step === 'chart_changed') : [],
  )
}

const push = (page: Page, path: string) =>
  page.evaluate((to) => history.pushState({}, '', to), path)

/** An app that keeps drafts may be covered until the person decides. */
async function leaveEarlierChart(beside: Beside): Promise<void> {
  const open = beside.panel.getByRole('button', { name: 'Open for this chart' })
  await fixture.until(
    async () => (await beside.listCovers()).at(-1)?.isCovered === false || (await open.isVisible()),
  )
  if (await open.isVisible()) {
    await open.click()
    const anyway = beside.panel.getByRole('button', { name: 'Launch again without it' })
    await anyway.click({ timeout: 1000 }).catch(() => {})
  }
  await settle(beside)
}

test('sends no part of an address of a chart anywhere, and stores none [V40]', async (t) => {
  const worker = await fixture.worker()
  await worker.evaluate(recordCalls)
  fixture.context.on('request', record)
  const beside = await openBeside(t, fixture.ehr.url('meadow', `/chart/${CANARY}-1`))
  await assertCovered(beside, () =>
    beside.page.goto(fixture.ehr.url('meadow', `/chart/${CANARY}-2?name=${CANARY}-name`)),
  )
  await leaveEarlierChart(beside)
  await fixture.until(async () => (await listLines()).some(({ shownMs }) => shownMs !== undefined))
  const stored = await worker.evaluate(async () =>
    JSON.stringify([await chrome.storage.local.get(), await chrome.storage.sync.get()]),
  )
  const { databaseFile } = fixture
  const files = [databaseFile, `${databaseFile}-wal`].map((path) => {
    try {
      return readFileSync(path, 'latin1')
    } catch {
      return ''
    }
  })
  const calls = await worker.evaluate(() => (globalThis as { sent?: string[] }).sent ?? [])
  assert.ok(
    calls.some((call) => call.includes('/api/sessions')),
    'calls of the background are seen',
  )
  assert.ok(
    requests.some((request) => request.includes('chart_changed')),
    'requests are seen',
  )
  assert.ok((files[0] ?? '').length > 0)
  await fixture.until(async () => spans.some((span) => span.includes('/api/launches/:id/steps')))
  assert.ok(
    lines.some((line) => line.startsWith('{"level":20,')),
    'the log is written at debug level',
  )
  const everything = {
    requests: [...requests, ...calls].join('\n'),
    stored,
    database: files.join(''),
    log: lines.join('\n'),
    traces: spans.join('\n'),
  }
  for (const [name, text] of Object.entries(everything)) {
    assert.equal(text.includes(CANARY), false, name)
  }
})

const listWorkers = async (): Promise<ListedLaunch[]> => {
  const { items } = await fixture.admin.call('GET', '/api/launches?limit=100')
  return items.filter(({ kind }: ListedLaunch) => kind === 'worker')
}

/** In the frame of a Worker app, which is in no page of the browser. */
async function runInWorkerApp(expression: string): Promise<void> {
  const cdp = await fixture.context.browser()?.newBrowserCDPSession()
  assert.ok(cdp)
  const { targetInfos } = await cdp.send('Target.getTargets', { filter: [{}] })
  const found = targetInfos.find(({ url }) => url.startsWith('http://coding-watch.'))
  assert.ok(found, 'the Worker app is a target')
  const { targetId } = found
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: false })
  const call = { id: 1, method: 'Runtime.evaluate', params: { expression, awaitPromise: true } }
  const answered = new Promise<string>((resolve) =>
    cdp.on('Target.receivedMessageFromTarget', ({ message }) => resolve(message)),
  )
  await cdp.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify(call) })
  assert.doesNotMatch(await answered, /exceptionDetails/)
  await cdp.detach()
}

test('launches a Worker app again for the next chart, and asks one that listens', async (t) => {
  // The tests after it are about the app in the panel alone.
  t.after(() => new OfferedApps(fixture.sandbox).offer([APP]))
  const beside = await openBeside(t, fixture.ehr.url('meadow', '/chart/A'))
  const findReady = async () => (await listWorkers()).find(({ state }) => state === 'exchanged')
  await fixture.until(async () => (await findReady()) !== undefined)
  const first = await findReady()
  await push(beside.page, '/chart/B')
  const isReplaced = ({ id, ended }: ListedLaunch) =>
    id === first?.id && ended?.reason === 'chart_changed'
  await fixture.until(async () => (await listWorkers()).some(isReplaced))
  await fixture.until(async () => (await findReady())?.steps.at(-1)?.step === 'context')
  const second = await findReady()
  assert.notEqual(second?.id, first?.id)
  await runInWorkerApp(`Chartside.initWorkerServiceSDK().then((sdk) => {
    sdk.on('chart', () => {})
  })`)
  await push(beside.page, '/chart/C')
  await fixture.until(
    async () => (await findReady())?.steps.some(({ handled }) => handled === 'event') === true,
  )
  assert.equal((await findReady())?.id, second?.id)
})

for (const { host, first, second, samePage } of EHRS) {
  test(`covers an app within half a second in the EHR ${host} [V40]`, async (t) => {
    const beside = await openBeside(t, fixture.ehr.url(host, first))
    const { page } = beside
    await note(beside).fill('Note of patient A')
    await assertCovered(beside, () => push(page, second))
    await leaveEarlierChart(beside)
    assert.equal(await note(beside).inputValue(), '')

    await assertCovered(beside, () => page.goto(fixture.ehr.url(host, first)))
    await leaveEarlierChart(beside)
    await fixture.until(async () => (await note(beside).inputValue()) === 'Note of patient A')
    if (first.includes('#')) {
      const hash = second.slice(second.indexOf('#'))
      await assertCovered(beside, () =>
        page.evaluate((to) => {
          location.hash = to
        }, hash),
      )
      await leaveEarlierChart(beside)
    }
  })

  test(`does not cover an app for another page of the same chart in ${host}`, async (t) => {
    const beside = await openBeside(t, fixture.ehr.url(host, first))
    await push(beside.page, samePage)
    // A page that takes longer than the guard waits for its chart is covered, and rightly.
    for (let seen = 0, slow = 0; ; slow++) {
      const begun = Date.now()
      await beside.page.goto(fixture.ehr.url(host, first))
      const took = Date.now() - begun
      await beside.page.waitForTimeout(1000)
      const covers = (await beside.listCovers()).slice(seen)
      if (covers.length === 0) break
      seen += covers.length
      assert.ok(took > CHART_REST_MS && slow < 5, `${took} ms, ${JSON.stringify(covers)}`)
    }
  })
}

test('leaves an app as it was after A, B, A, with one line', async (t) => {
  const beside = await openBeside(t, fixture.ehr.url('meadow', '/chart/A'))
  await note(beside).fill('Note of patient A')
  const before = await listLines()
  await beside.page.evaluate(async () => {
    history.pushState({}, '', '/chart/B')
    await new Promise((resolve) => setTimeout(resolve, 120))
    history.pushState({}, '', '/chart/A')
  })
  await settle(beside)
  await beside.page.waitForTimeout(500)
  assert.equal(await note(beside).inputValue(), 'Note of patient A')
  const isNew = ({ at }: { at: string }) => !before.some((line) => line.at === at)
  const added = (await listLines()).filter(isNew)
  assert.deepEqual(
    added.map(({ handled }) => handled),
    ['returned'],
  )
})

test('notices the chart that a frame names, in an address that stays the same', async (t) => {
  const beside = await openBeside(t, fixture.ehr.url('summit', '/app?framed'))
  await beside.page.waitForTimeout(1000)
  await settleIfCovered(beside)
  await note(beside).fill('Note of patient A')
  await assertCovered(beside, () =>
    beside.page.evaluate(() => {
      const frame = document.querySelector('iframe') as HTMLIFrameElement
      frame.src = '/app?visit=2#/p/B'
    }),
  )
  await leaveEarlierChart(beside)
})

test('covers no app for a chart that is opened in another tab [V40]', async (t) => {
  const beside = await openBeside(t, fixture.ehr.url('meadow', '/chart/A'))
  const other = await fixture.context.newPage()
  t.after(() => other.close())
  for (const path of ['/chart/C', '/chart/D', '/chart/E']) {
    await other.goto(fixture.ehr.url('meadow', path))
    await other.waitForTimeout(300)
  }
  assert.deepEqual(await beside.listCovers(), [])
  await assertCovered(beside, () => beside.page.goto(fixture.ehr.url('meadow', '/chart/D')))
})

test('covers nothing and writes a line where the practice only observes', async (t) => {
  const beside = await openBeside(t, fixture.ehr.url('observed', '/chart/A'))
  await note(beside).fill('Note of patient A')
  await push(beside.page, '/chart/B')
  await fixture.until(async () => (await listLines()).some(({ handled }) => handled === 'observe'))
  assert.deepEqual(await beside.listCovers(), [])
  assert.equal(await note(beside).inputValue(), 'Note of patient A')
})

interface Sampled {
  /** The tab in front, by the browser, and the panels that are seen beside it. */
  samples?: { front: string; seen: string[] }[]
  keepsEarlier?: boolean
}

/** In the panel of the window: what is seen in the turn of each change of tabs, and in each frame drawn. */
const samplePanels = () => {
  const world = globalThis as Sampled
  const samples: { front: string; seen: string[] }[] = []
  world.samples = samples
  let front = ''
  const frames = () => [...document.querySelectorAll<HTMLIFrameElement>('iframe.embedded')]
  const tabOf = ({ src }: HTMLIFrameElement) => new URL(src).searchParams.get('tab') ?? ''
  const sample = () => {
    const seen = frames().filter((frame) => frame.checkVisibility())
    samples.push({ front, seen: seen.map(tabOf) })
  }
  chrome.tabs.onActivated.addListener(({ tabId }) => {
    const earlier = frames().find((frame) => tabOf(frame) === front)
    front = String(tabId)
    // The planted fault.
    if (world.keepsEarlier && earlier) earlier.hidden = false
    sample()
  })
  const draw = () => {
    if (front !== '') sample()
    requestAnimationFrame(draw)
  }
  draw()
}

test('shows no panel of an earlier tab once another one is in front [V40]', async (t) => {
  const tabs: number[] = []
  for (const path of ['/chart/A', '/chart/B', '/chart/C']) {
    const page = await fixture.context.newPage()
    t.after(() => page.close())
    await page.goto(fixture.ehr.url('meadow', path))
    // The first one has a panel of its own, by a press.
    if (path === '/chart/A') await fixture.openPanel(page)
    else await fixture.findPanelOf(page)
    tabs.push(await fixture.tabId(page))
  }
  const ofWindow = await fixture.findWindowPanel()
  await ofWindow.evaluate(samplePanels)
  const worker = await fixture.worker()
  const change = async (times: number) => {
    await ofWindow.evaluate(() => (globalThis as Sampled).samples?.splice(0))
    for (let at = 0; at < times; at += 1) {
      const tabId = tabs[1 + (at % 2)] as number
      await worker.evaluate((id) => chrome.tabs.update(id, { active: true }), tabId)
      await ofWindow.waitForFunction((front) => {
        const last = (globalThis as Sampled).samples?.at(-1)
        return last?.front === front && last.seen.includes(front)
      }, String(tabId))
    }
    return ofWindow.evaluate(() => (globalThis as Sampled).samples ?? [])
  }
  const isWrong = ({ front, seen }: { front: string; seen: string[] }) =>
    seen.some((tab) => tab !== front)
  const samples = await change(8)
  assert.ok(samples.length > 8)
  assert.deepEqual(samples.filter(isWrong), [])
  await ofWindow.evaluate(() => {
    const world = globalThis as Sampled
    world.keepsEarlier = true
  })
  assert.ok((await change(2)).some(isWrong), 'a panel that stays is found')
})
