// What a hostile page and a stopped background can do to the extension: nothing crosses. In Chromium,
// with the real service and the sample apps. Specification §5.5; security X01, X03, V15.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { buildSignInUrl } from '@chartside/protocol/sign-in'
import { SAMPLE_PASSWORD } from '@chartside/server/sample-data'
import type { Page } from 'playwright-core'
import { EXTENSION_ID, type ExtensionFixture, PROVIDER, startFixture } from './fixture.ts'

let fixture: ExtensionFixture
let chart: Page
before(async () => {
  fixture = await startFixture()
  chart = await fixture.context.newPage()
  await chart.goto(fixture.panelUrl(999_999))
  await fixture.signIn(chart)
  await chart.locator('[data-state="no-ehr"]').waitFor()
  await chart.goto(fixture.ehr.url('meadow'))
  await chart.locator('chartside-handle').waitFor({ state: 'attached' })
})
after(() => fixture.stop())

interface StoredTab {
  url: string
  session: {
    kind: string
    target?: { practice: { id: string } }
    session?: { id: string }
    workers?: { state: { kind: string } }[]
  }
}

/** What the background remembers of its tabs, in the order of their ids. */
async function readTabs(): Promise<StoredTab[]> {
  const worker = await fixture.worker()
  return worker.evaluate(async () => {
    const { state } = await chrome.storage.session.get<{ state: { tabs: object } }>('state')
    return Object.values(state.tabs)
  })
}

const readSignIn = async () => {
  const worker = await fixture.worker()
  return worker.evaluate(async () => {
    const { state } = await chrome.storage.session.get<{ state: { signIn: object } }>('state')
    return JSON.stringify(state.signIn)
  })
}

const isReady = ({ session }: StoredTab) =>
  session.kind === 'live' && session.workers?.every(({ state }) => state.kind === 'ready') === true

test('gives the page no way to open, read or drive the panel [X01]', async () => {
  const seen = await chart.evaluate(async (id) => {
    const handle = document.querySelector('chartside-handle')
    handle?.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }))
    ;(handle as HTMLElement | null)?.click()
    window.postMessage({ to: 'background', type: 'open_panel' }, '*')
    const fetched = await fetch(`chrome-extension://${id}/panel.html`).catch(() => 'refused')
    const runtime = (globalThis as { chrome?: { runtime?: { sendMessage?: unknown } } }).chrome
    return {
      root: handle?.shadowRoot ?? null,
      inside: handle?.innerHTML,
      fetched: fetched === 'refused',
      messages: typeof runtime?.runtime?.sendMessage,
    }
  }, EXTENSION_ID)
  assert.deepEqual(seen, { root: null, inside: '', fetched: true, messages: 'undefined' })
  assert.deepEqual(await fixture.contexts('SIDE_PANEL'), [])
})

test('shows the page the same handle, whichever apps run [X03]', async () => {
  await fixture.until(async () => (await readTabs()).every(isReady))
  const markup = await chart.evaluate(() => document.documentElement.outerHTML)
  assert.doesNotMatch(markup, /Coding|Visit|app_|st_|lnch_|Okafor/)
})

test('brings its handle back when the page takes it away, and does not fight with it', async () => {
  const handle = chart.locator('chartside-handle')
  await chart.evaluate(() =>
    document.documentElement.replaceChildren(document.createElement('body')),
  )
  await handle.waitFor({ state: 'attached' })
  const removed = await chart.evaluate(async () => {
    let count = 0
    const observer = new MutationObserver(() => {
      for (const found of document.querySelectorAll('chartside-handle')) {
        found.remove()
        count += 1
      }
    })
    observer.observe(document.documentElement, { childList: true })
    document.documentElement.append(document.createElement('div'))
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    observer.disconnect()
    return count
  })
  assert.ok(removed > 0 && removed < 8, `${removed}`)
  await handle.waitFor({ state: 'attached' })
  await chart.reload()
})

/** In the world of the content script, which a page has that took over its process. */
async function attackStorage(service: string): Promise<string> {
  const worker = await fixture.worker()
  const tabId = await fixture.tabId(chart)
  const [read] = await worker.evaluate(
    ([id, address]) =>
      chrome.scripting.executeScript({
        target: { tabId: id },
        args: [address],
        func: async (forged: string) => {
          const refusal = (error: Error) => error.message
          const { local, session } = chrome.storage
          return JSON.stringify([
            await session.get().catch(refusal),
            await local.get().catch(refusal),
            await local.set({ settings: { service: forged } }).catch(refusal),
            await local.set({ confirmedService: forged }).catch(refusal),
            await local.clear().catch(refusal),
            await local
              .setAccessLevel({ accessLevel: 'TRUSTED_AND_UNTRUSTED_CONTEXTS' })
              .catch(refusal),
          ])
        },
      }),
    [tabId, service] as const,
  )
  return String(read?.result)
}

test('keeps its storage from scripts in the page, also from its own [X01, V28]', async () => {
  const answers: string[] = JSON.parse(await attackStorage('http://localhost:9'))
  for (const answer of answers) assert.match(answer, /not allowed|not available/, answer)
  assert.equal(answers.length, 6)
  // Also when the storage were open: the service was built in.
  const worker = await fixture.worker()
  const service = 'http://localhost:9'
  await worker.evaluate(
    (forged) =>
      chrome.storage.local.set({ settings: { service: forged }, confirmedService: forged }),
    service,
  )
  await fixture.killWorker()
  await chart.reload()
  await fixture.until(async () => (await readTabs()).every(isReady))
  const restarted = await fixture.worker()
  const settings = await restarted.evaluate(async () => {
    const { state } = await chrome.storage.session.get<{ state: { settings: object } }>('state')
    return state.settings
  })
  assert.deepEqual(settings, {
    service: fixture.sandbox.places.service.url,
    accountId: null,
    isManaged: false,
  })
})

test('lets no web page frame the panel or an app that names its hosts [V15]', async () => {
  const page = await fixture.context.newPage()
  await page.goto(fixture.ehr.url('other', '/open'))
  const appUrl = `${fixture.sandbox.appUrl('visit-notes')}/`
  const addresses = [
    fixture.panelUrl(1),
    `chrome-extension://${EXTENSION_ID}/offscreen.html`,
    appUrl,
  ]
  for (const address of addresses) {
    await page.evaluate((src) => {
      const frame = document.createElement('iframe')
      frame.src = src
      document.body.append(frame)
    }, address)
  }
  await fixture.until(async () => page.frames().length === addresses.length + 1)
  await new Promise((resolve) => setTimeout(resolve, 500))
  for (const frame of page.frames().slice(1)) {
    assert.match(frame.url(), /^chrome-error:|^about:|^$/, frame.url())
  }
  await page.close()
})

test('brings every launch to its tab when the background is stopped at any moment', async () => {
  const pages: Page[] = []
  for (const delay of [0, 30, 90, 200]) {
    const page = await fixture.context.newPage()
    pages.push(page)
    const loading = page.goto(fixture.ehr.url('summit', `/chart/${delay}`))
    await new Promise((resolve) => setTimeout(resolve, delay))
    await fixture.killWorker().catch(() => {})
    await loading
    await fixture.until(async () => {
      const tabs = await readTabs()
      const own = tabs.find(({ url }) => url.endsWith(`/chart/${delay}`))
      return own !== undefined && isReady(own)
    })
  }
  const sessions = (await readTabs()).map(({ session }) => session.session?.id)
  assert.equal(new Set(sessions).size, 5)
  assert.deepEqual((await fixture.listHosted()).toSorted(), sessions.toSorted())
  for (const page of pages) await page.close()
  await fixture.until(async () => (await fixture.listHosted()).length === 1)
})

test('ends the session of a tab that is closed while no background runs', async () => {
  const page = await fixture.context.newPage()
  const path = '/chart/closed'
  await page.goto(fixture.ehr.url('summit', path))
  await fixture.until(async () => (await fixture.listHosted()).length === 2)
  const tab = (await readTabs()).find(({ url }) => url.endsWith(path))
  const stateOf = async () =>
    (await fixture.admin.call('GET', `/api/sessions/${tab?.session.session?.id}`)).state
  assert.equal(await stateOf(), 'live')
  await fixture.killWorker()
  await page.close()
  await fixture.until(async () => (await fixture.listHosted()).length === 1)
  await fixture.until(async () => (await stateOf()) === 'ended')
})

test('gives who sent a link to another person no token of theirs [V31]', async () => {
  const base = fixture.sandbox.places.service.url
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const sessionId = randomBytes(24).toString('base64url')
  const host = `chrome-extension://${EXTENSION_ID}`
  const poll = () =>
    fetch(`${base}/auth/token/${sessionId}`, { headers: { authorization: `Bearer ${verifier}` } })
  const before = await readSignIn()
  const page = await fixture.context.newPage()
  await page.goto(buildSignInUrl(`${base}/auth/sign-in`, sessionId, challenge, host))
  await page.locator('input[name="email"]').fill(PROVIDER.email)
  await page.locator('input[name="password"]').fill(SAMPLE_PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${host}/signed-in.html`)
  for (let attempt = 0; attempt < 3; attempt += 1) assert.equal((await poll()).status, 202)
  assert.equal(await readSignIn(), before, 'nor does it sign this extension in')
  await page.close()
})
