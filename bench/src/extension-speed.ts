// The scenario `extension`: how long a provider waits, in a real Chromium with the built extension, the real
// service and the sample apps, all on loopback. Times are of this machine's one clock: of the servers
// that requests reach, and of the service for the last step of a launch.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '@chartside/example-sandbox'
import { bundleExtension, DEVELOPMENT, writeExtension } from '@chartside/extension/build'
import { buildZip } from '@chartside/extension/zip'
import { SAMPLE_PRACTICES } from '@chartside/server/sample-data'
import { type Api, signInToApi } from '../../test/browser/extension/ehr.ts'
import { type BrowserMemory, readBrowserMemory } from './browser-memory.ts'
import { EXTENSION_ORIGIN, type PlainBrowser, startPlainBrowser } from './extension-browser.ts'
import { median } from './machine.ts'
import { alignColumns } from './report.ts'
import { inTemporaryDirectory } from './temporary-directory.ts'

const APPS = ['visit-notes', 'care-gaps', 'referral-desk', 'growth-chart', 'coding-watch']
const PANEL_APP = 'Visit Notes'
const WARM_UP_RUNS = 3

export interface ExtensionResult {
  /** Milliseconds from the request of the EHR page to that of the Worker's Launch URL. */
  readonly workerMs: readonly number[]
  /** Milliseconds from the click on the icon to the session context in the UI app. */
  readonly panelMs: readonly number[]
  /** The medians of the same launches: milliseconds from the click to each step. */
  readonly panelSteps: Readonly<Record<string, number>>
  /** The memory without apps, and with four UI apps in the panel and a Worker app. */
  readonly memory: { readonly before: BrowserMemory; readonly loaded: BrowserMemory } | undefined
  readonly packageBytes: number
}

export const measureExtension = (runs: number): Promise<ExtensionResult> =>
  inTemporaryDirectory((folder) => measureIn(folder, runs))

async function measureIn(folder: string, runs: number): Promise<ExtensionResult> {
  const pages = await startPages()
  process.env.CHARTSIDE_HOST_ORIGINS = EXTENSION_ORIGIN
  const sandbox = await startSandbox({ port: 0, dataDir: join(folder, 'data'), only: APPS })
  const service = sandbox.places.service.url
  const extension = join(folder, 'extension')
  const inputs = { ...DEVELOPMENT, service, ehrHosts: ['http://chart.localhost/*'] }
  await writeExtension(await bundleExtension(inputs), extension)
  const { email, password } = sandbox.administrator
  const admin = await signInToApi(service, email, password)
  await publishApps(admin, pages.port, [PANEL_APP])
  const browser = await startPlainBrowser(join(folder, 'profile'), extension)
  try {
    await browser.signIn(SAMPLE_PRACTICES[0].providers[0].email)
    const times = { workerMs: [] as number[], panelMs: [] as number[] }
    const steps: Record<string, number[]> = {}
    for (let run = -WARM_UP_RUNS; run < runs; run += 1) {
      const { workerMs, panelMs, afterClick } = await measureOnce(browser, pages, admin)
      if (run < 0) continue
      times.workerMs.push(workerMs)
      times.panelMs.push(panelMs)
      for (const [step, ms] of Object.entries(afterClick)) {
        steps[step] = [...(steps[step] ?? []), ms]
      }
    }
    await publishApps(admin, pages.port, null)
    const memory = await measureMemory(browser, pages, admin)
    const panelSteps = Object.fromEntries(
      Object.entries(steps).map(([step, all]) => [step, Math.round(median(all))]),
    )
    return { ...times, panelSteps, memory, packageBytes: await measurePackage() }
  } finally {
    await browser.stop()
    await sandbox.stop()
    pages.server.close()
    pages.server.closeAllConnections()
  }
}

interface Pages {
  readonly server: Server
  readonly port: number
  /** The times when the chart with this number was requested; `launchAt` has those of a Worker's Launch URL. */
  readonly chartAt: Map<string, number>
  readonly launchAt: number[]
}

/** The EHR page, and a Worker app that only notes when its Launch URL is requested. */
async function startPages(): Promise<Pages> {
  const chartAt = new Map<string, number>()
  const launchAt: number[] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname.startsWith('/chart/')) chartAt.set(pathname, now())
    if (pathname === '/launch') launchAt.push(now())
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>-</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port, chartAt, launchAt }
}

const now = () => performance.timeOrigin + performance.now()

async function publishApps(admin: Api, port: number, names: readonly string[] | null) {
  const origin = `http://stub.localhost:${port}`
  const { items: apps } = await admin.call('GET', '/api/apps?limit=100')
  const { items: collections } = await admin.call('GET', '/api/collections?limit=10')
  const [{ accountId }] = apps
  const stub =
    apps.find(({ name }: { name: string }) => name === 'Stub') ??
    (await admin.call('POST', '/api/apps', {
      accountId,
      name: 'Stub',
      exchange: 'app',
      workerLaunchUrl: `${origin}/launch`,
      redirectUris: [`${origin}/callback`],
    }))
  const chosen: { id: string }[] =
    names === null
      ? apps.filter(({ id }: { id: string }) => id !== stub.id)
      : [stub, ...apps.filter(({ name }: { name: string }) => names.includes(name))]
  const path = `/api/collections/${collections[0].id}`
  const ehr = {
    ehrType: 'meadow',
    name: 'Chart',
    matches: [`http://chart.localhost:${port}/chart/*`],
  }
  const draft = { ehrs: [ehr], apps: chosen.map(({ id }) => ({ appId: id, autoLaunch: true })) }
  await admin.call('PATCH', path, { draft })
  await admin.call('POST', `${path}/versions`, { notes: 'Benchmark' })
}

let charts = 0

async function openChart(browser: PlainBrowser, { port, chartAt }: Pages) {
  charts += 1
  const path = `/chart/${charts}`
  const target = await browser.openTab(`http://chart.localhost:${port}${path}`)
  const at = await wait('the request of the chart', async () => chartAt.get(path))
  return { target, at }
}

async function measureOnce(browser: PlainBrowser, pages: Pages, admin: Api) {
  const { launchAt } = pages
  const launched = launchAt.length
  const { target, at } = await openChart(browser, pages)
  const requestedAt = await wait('the Launch URL', async () => launchAt[launched])
  // The page and the Worker come to rest, as they have before a person opens the panel.
  await sleep(400)
  const clickedAt = now()
  await browser.openPanel(target)
  const steps = await wait('the UI app', () => findReady(admin, PANEL_APP, clickedAt))
  await browser.closeTab(target)
  await sleep(300)
  const afterClick = Object.fromEntries(
    Object.entries(steps).map(([step, moment]) => [step, moment - clickedAt]),
  )
  return { workerMs: requestedAt - at, panelMs: afterClick.context ?? Number.NaN, afterClick }
}

/** The moment of each step, once an app that was launched since then has its session context. */
async function findReady(
  admin: Api,
  name: string,
  since: number,
): Promise<Record<string, number> | undefined> {
  const { items } = await admin.call('GET', '/api/launches?limit=10')
  for (const { app, id, createdAt } of items) {
    if (app.name !== name || Date.parse(createdAt) < since - 50) continue
    const { steps } = await admin.call('GET', `/api/launches/${id}`)
    const entries: [string, number][] = steps
      .filter(({ outcome }: { outcome: string }) => outcome === 'ok')
      .map(({ step, at }: { step: string; at: string }) => [step, Date.parse(at)])
    if (entries.some(([step]) => step === 'context')) return Object.fromEntries(entries)
  }
  return undefined
}

async function measureMemory(browser: PlainBrowser, pages: Pages, admin: Api) {
  const before = readBrowserMemory(browser.pid)
  const startedAt = now()
  const { target } = await openChart(browser, pages)
  await sleep(400)
  await browser.openPanel(target)
  for (const name of [
    'Visit Notes',
    'Care Gaps',
    'Referral Desk',
    'Growth Chart',
    'Coding Watch',
  ]) {
    await wait(name, () => findReady(admin, name, startedAt))
  }
  await sleep(2_000)
  const loaded = readBrowserMemory(browser.pid)
  await browser.closeTab(target)
  return before && loaded ? { before, loaded } : undefined
}

const measurePackage = async () =>
  buildZip(await bundleExtension({ ...DEVELOPMENT, isDevelopment: false, key: null })).length

async function wait<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
  const end = now() + 20_000
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (now() > end) throw new Error(`${what} did not come within 20 s.`)
    await sleep(10)
  }
}

const GOALS = { workerMs: 150, panelMs: 500, packageKib: 150 }

export function buildExtensionTable(result: ExtensionResult): string {
  const times = (title: string, values: readonly number[], goal: number) => {
    const sorted = values.toSorted((a, b) => a - b)
    const middle = median(values)
    const texts = [sorted[0], middle, sorted.at(-1)].map((ms) => (ms ?? Number.NaN).toFixed(0))
    return [title, ...texts, `at most ${goal}: ${middle <= goal ? 'met' : 'MISSED'}`]
  }
  const { memory, packageBytes } = result
  const kib = packageBytes / 1024
  const megabytes = (take: (one: BrowserMemory) => number) =>
    memory
      ? `${take(memory.loaded).toFixed(0)} MB (before: ${take(memory.before).toFixed(0)})`
      : '?'
  return [
    alignColumns([
      [`${result.workerMs.length} warm runs, ms`, 'min', 'median', 'max', 'goal of the median'],
      times('EHR page to Launch URL of the Worker', result.workerMs, GOALS.workerMs),
      times('click on the icon to UI app ready', result.panelMs, GOALS.panelMs),
    ]),
    `Steps of the UI app after the click, ms: ${Object.entries(result.panelSteps)
      .map(([step, ms]) => `${step} ${ms}`)
      .join(', ')}.`,
    `Memory with four UI apps and a Worker: extension ${megabytes((one) => one.extensionMegabytes)}, ` +
      `web pages ${megabytes((one) => one.pagesMegabytes)}, whole browser ${megabytes((one) => one.totalMegabytes)}.`,
    `Package: ${kib.toFixed(1)} KiB (at most ${GOALS.packageKib}: ${kib <= GOALS.packageKib ? 'met' : 'MISSED'}).`,
  ].join('\n')
}
