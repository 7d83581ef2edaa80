// What outlives what: a browser that is restarted, an extension that is updated, the access to an EHR,
// private windows. In Chromium, with the real service and the sample apps.
// Specification §1, §5.5; security X01.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Api, signInToApi } from './ehr.ts'
import { type ExtensionFixture, type Panel, PROVIDER, startFixture } from './fixture.ts'

let fixture: ExtensionFixture
let provider: Api
let chart: Page
let panel: Panel
before(async () => {
  fixture = await startFixture({ ehrHosts: ['http://meadow.ehr.localhost/*'] })
  provider = await signInToApi(fixture.sandbox.places.service.url, PROVIDER.email)
})
after(() => fixture?.stop())

/** The default of CHARTSIDE_SESSION_IDLE_SECONDS, and a second. */
const IDLE_MS = 1_801_000

interface Listed {
  readonly id: string
  readonly kind: string
  readonly state: string
}

const listOpen = async (): Promise<Listed[]> => {
  const { items } = await provider.call('GET', '/api/launches?limit=100')
  return items.filter(({ state }: Listed) => !['ended', 'expired'].includes(state))
}

const isExchanged = async (kinds: string) => {
  const open = (await listOpen()).filter(({ state }) => state === 'exchanged')
  return (
    open
      .map(({ kind }) => kind)
      .toSorted()
      .join() === kinds
  )
}

async function signIn(): Promise<void> {
  const page = await fixture.context.newPage()
  await page.goto(fixture.panelUrl(999_999))
  await page.locator('[data-state="signed-out"]').waitFor()
  await fixture.signIn(page)
  await page.locator('[data-state="no-ehr"]').waitFor()
  await page.close()
}

async function openChart(): Promise<void> {
  chart = await fixture.context.newPage()
  await chart.goto(fixture.ehr.url('meadow'))
  panel = await fixture.openPanel(chart)
  await panel.frameLocator('iframe[title="Visit Notes"]').locator('#provider').waitFor()
  await fixture.until(() => isExchanged('ui,worker'))
}

const readStored = async () => {
  const worker = await fixture.worker()
  return worker.evaluate(async () => ({
    local: await chrome.storage.local.get<{ deviceId: string }>(null),
    session: JSON.stringify(await chrome.storage.session.get(null)),
  }))
}

test('names the EHR that the browser does not let it see, and asks for that host only', async () => {
  await signIn()
  const page = await fixture.context.newPage()
  await page.goto(fixture.panelUrl(999_998))
  await page.getByText('needs the browser’s permission for Summit Clinical').waitFor()
  const asked = await page.evaluate(async () => {
    const calls: unknown[] = []
    chrome.permissions.request = async (request?: unknown) => {
      calls.push(request)
      return false
    }
    const button = [...document.querySelectorAll('button')].find(({ textContent }) =>
      textContent?.includes('Allow Summit Clinical'),
    )
    button?.click()
    return calls
  })
  assert.deepEqual(asked, [{ origins: ['http://summit.ehr.localhost/*'] }])
  const summit = await fixture.context.newPage()
  await summit.goto(fixture.ehr.url('summit'))
  const worker = await fixture.worker()
  const scripts = await worker.evaluate(() => chrome.scripting.getRegisteredContentScripts())
  assert.deepEqual(
    scripts.map(({ matches }) => matches),
    [['http://meadow.ehr.localhost/*']],
  )
  assert.equal(await summit.locator('chartside-handle').count(), 0)
  await summit.close()
  await page.close()
})

test('has keys of its own that the browser does not use itself', async () => {
  const worker = await fixture.worker()
  const commands = await worker.evaluate(() => chrome.commands.getAll())
  assert.deepEqual(
    commands.map(({ name, shortcut }) => [name, shortcut]),
    [['_execute_action', 'Alt+Shift+S']],
  )
})

test('runs in no private window', async () => {
  const worker = await fixture.worker()
  const { incognito } = await worker.evaluate(() => chrome.runtime.getManifest())
  assert.equal(incognito, 'not_allowed')
  assert.equal(
    await worker.evaluate(() => chrome.extension.isAllowedIncognitoAccess()),
    false,
    'no person can allow it either',
  )
})

interface StartTimes {
  shown?: number
  policy?: number
}

test('a restarted browser is signed out, and says so before it reads the policy', async (t) => {
  await openChart()
  await fixture.until(async () => 'policy' in (await readStored()).local)
  const before = await readStored()
  assert.match(before.session, /st_/)
  await fixture.restartBrowser()
  const page = await fixture.context.newPage()
  await page.addInitScript(() => {
    const times: StartTimes = {}
    Object.assign(globalThis, { times })
    const note = () => {
      times.policy = performance.now()
    }
    chrome.storage.managed.get().then(note, note)
    new MutationObserver(() => {
      if (document.querySelector('[data-state="signed-out"]')) times.shown ??= performance.now()
    }).observe(document, { subtree: true, childList: true, attributes: true })
  })
  await page.goto(fixture.panelUrl(999_997))
  const times = await page.evaluate(async () => {
    const { times: seen } = globalThis as unknown as { times: StartTimes }
    while (seen.shown === undefined || seen.policy === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return { shown: seen.shown, policy: seen.policy }
  })
  t.diagnostic(`shown after ${times.shown.toFixed()} ms, policy ${times.policy.toFixed()} ms`)
  assert.ok(times.shown < times.policy, JSON.stringify(times))
  const after = await readStored()
  assert.equal(after.local.deviceId, before.local.deviceId)
  assert.doesNotMatch(`${after.session}${JSON.stringify(after.local)}`, /st_|lnch_/)
  await signIn()
  await openChart()
  await page.close()
})

test('keeps device and handle over an update, and signs in again', async () => {
  const before = await readStored()
  await fixture.restartBrowser('1.0.1')
  const worker = await fixture.worker()
  assert.equal(await worker.evaluate(() => chrome.runtime.getManifest().version), '1.0.1')
  assert.equal((await readStored()).local.deviceId, before.local.deviceId)
  // The browser forgot the content scripts: the handle is there before anyone signs in.
  chart = await fixture.context.newPage()
  await chart.goto(fixture.ehr.url('meadow'))
  panel = await fixture.openPanel(chart)
  await panel.locator('[data-state="signed-out"]').waitFor()
  await fixture.signIn(panel)
  await chart.bringToFront()
  await panel.frameLocator('iframe[title="Visit Notes"]').locator('#provider').waitFor()
})

test('is signed out, with every app, when nothing has moved for the idle time', async () => {
  await fixture.until(() => isExchanged('ui,worker'))
  const database = new DatabaseSync(fixture.databaseFile)
  for (const table of ['sign_ins', 'ehr_sessions']) {
    database.exec(`UPDATE ${table} SET last_seen_at = last_seen_at - ${IDLE_MS}`)
  }
  database.close()
  await panel.locator('[data-state="signed-out"]').getByText('Nothing had moved').waitFor()
  assert.equal(await panel.locator('iframe').count(), 0)
  assert.doesNotMatch((await readStored()).session, /st_/)
  // The sign-in of this test was idle as well.
  provider = await signInToApi(fixture.sandbox.places.service.url, PROVIDER.email)
  assert.deepEqual(await listOpen(), [])
})
