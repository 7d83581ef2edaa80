// Where breaks are played: one sandbox with the app of each break on its collection, one Chromium. A
// break that ends more than its own launch gets an EHR session of its own. Registers by the public
// API; lets time pass by changing stored moments.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startSandbox } from '@chartside/example-sandbox'
import type { App, NewClientSecret } from '@chartside/protocol/payloads'
import type { Browser, Page } from 'playwright-core'
import { publishContent } from '../../../examples/sandbox/src/collection.ts'
import { findVendor } from '../../../examples/sandbox/src/registration.ts'
import { ServiceApi } from '../../../examples/sandbox/src/service-api.ts'
import { launchChromium } from '../../../scripts/chromium.ts'
import { copySampleData } from '../../process/sample-data.ts'
import { type RunningApps, startApps } from './apps.ts'
import type { Bench, Break, BrokenApp } from './break.ts'

export interface BreakFixture {
  readonly browser: Browser
  readonly bench: Bench
  /** Signs in at the sample EHR, in a profile of its own. */
  openChart(): Promise<Page>
  stop(): Promise<void>
}

/** Its launch is the foreign one of another break; it opens by itself at the sign-in. */
export const BASELINE = 'Nothing is wrong'

export async function startBreakFixture(breaks: readonly Break[]): Promise<BreakFixture> {
  // Some breaks call from another country.
  process.env.CHARTSIDE_TRUSTED_PROXIES = 'loopback'
  const dataDir = mkdtempSync(join(tmpdir(), 'chartside-breaks-'))
  await copySampleData(dataDir)
  const running = await startApps()
  const browser = await launchChromium()
  const sandbox = await startSandbox({ port: 0, dataDir, only: ['none'] }).catch(async (error) => {
    await browser.close()
    running.stop()
    throw error
  })
  const service = sandbox.places.service.url
  const database = new DatabaseSync(join(dataDir, 'chartside.db'), { timeout: 5_000 })
  const api = await ServiceApi.signIn(service, sandbox.administrator)
  const apps = new Map<string, BrokenApp>()
  const bench: Bench = {
    ...{ service, api, host: sandbox.places.ehr.url },
    age: (launchId, column, byMs) => {
      const id = `lau_${launchId.split('_')[1]?.slice(0, 22)}`
      database.prepare(`UPDATE launches SET ${column} = ${column} - ? WHERE id = ?`).run(byMs, id)
    },
    find: (name) => {
      const app = apps.get(name)
      if (app) return app
      throw new Error(`No break is called ${name}.`)
    },
  }
  const all: readonly Pick<Break, 'name' | 'app'>[] = [{ name: BASELINE }, ...breaks]
  const { id: accountId } = await findVendor(api)
  const registered = await Promise.all(
    all.map(({ name, app: { registration } = {} }, index) => {
      const place = { name, slug: slugOf(name, index), service, port: running.port }
      return register(api, accountId, place, registration)
    }),
  )
  for (const [index, app] of registered.entries()) {
    apps.set(app.name, app)
    running.serve(app, all[index]?.app ?? {}, bench)
  }
  await publishContent(api, 'With the apps of all breaks', ({ ehrs }) => ({
    ehrs,
    apps: registered.map(({ id }) => ({ appId: id, autoLaunch: false })),
  }))
  return {
    ...{ browser, bench },
    openChart: () => openChart(browser, sandbox.places.ehr.url),
    stop: async () => {
      await browser.close()
      database.close()
      await sandbox.stop()
      running.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

interface Place {
  readonly name: string
  readonly slug: string
  readonly service: string
  readonly port: RunningApps['port']
}

async function register(
  api: ServiceApi,
  accountId: string,
  { name, slug, service, port }: Place,
  registration?: (origin: string) => object,
): Promise<BrokenApp> {
  const origin = `http://${slug}.breaks.localhost:${port}`
  const { id, clientId } = await api.call<App>('POST', '/api/apps', {
    ...{ accountId, name, exchange: 'app' },
    ...{ launchUrl: `${origin}/launch`, redirectUris: [`${origin}/callback`] },
    ...registration?.(origin),
  })
  const { secret } = await api.call<NewClientSecret>('POST', `/api/apps/${id}/secrets`, {})
  return {
    ...{ name, slug, id, clientId, clientSecret: secret, origin, service },
    ...{ launchIds: [], tokens: [], foreignToken: '' },
  }
}

const slugOf = (name: string, index: number) =>
  `${index}-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`.slice(0, 40).replace(/-$/, '')

async function openChart(browser: Browser, ehr: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await denyStorage(page)
  await page.goto(`${ehr}/meadow`)
  await page.locator('#sign-in .main-button').click()
  await page.getByRole('tab', { name: BASELINE }).click()
  await page.locator(`.launch[data-app="${BASELINE}"]`, { hasText: 'Ready in' }).waitFor()
  return page
}

/** As a browser that blocks the storage of third parties, in the apps that a break names so. */
const denyStorage = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    if (!location.hostname.includes('storage-denied')) return
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException(`Failed to read the '${name}' property`, 'SecurityError')
        },
      })
    }
  })
