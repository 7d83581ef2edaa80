// What ends an app that is open, in a real browser: an administrator disables it, its frame goes, and its
// user is not active. The idle time of this sandbox is short, so that a test can wait for its end.
// Contract §3; security V12, P04.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { api, bearer, send, signIn } from '../process/story-verbs.ts'
import type { PageWithSDK } from './handshake-pages.ts'
import { type SandboxFixture, startFixture } from './sandbox-fixture.ts'

const APP = 'Visit Notes'
const IDLE_SECONDS = 24
/** The service warns for half of a short idle time. */
const WARNING_SECONDS = IDLE_SECONDS / 2

let fixture: SandboxFixture
let page: Page
let service: string
let admin: { readonly baseUrl: string; readonly sessionToken: string }
before(async () => {
  const settings = { CHARTSIDE_SESSION_IDLE_SECONDS: String(IDLE_SECONDS) }
  fixture = await startFixture({ only: ['visit-notes'], settings })
  service = fixture.sandbox.places.service.url
})
after(() => fixture?.stop())
beforeEach(async () => {
  await fixture.begin()
  page = fixture.page
  const credentials = fixture.sandbox.administrator
  admin = { baseUrl: service, sessionToken: await signIn(service, credentials) }
})
afterEach(() => fixture.end())

interface OpenApp {
  readonly launch: string
  readonly appId: string
  /** Whether the service takes the access token that the app presented to the host. */
  isTokenActive(): Promise<boolean>
}

/** Signs in, and opens the app until it is ready. */
async function openReady(): Promise<OpenApp> {
  const presented = waitForToken()
  await fixture.signIn('/meadow')
  return describeReady(presented)
}

const waitForToken = () => page.waitForRequest((request) => /introspect$/.test(request.url()))

const pick = (headers: Readonly<Record<string, string>>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, headers[name] ?? '']))

async function describeReady(presented: ReturnType<typeof waitForToken>): Promise<OpenApp> {
  const request = await presented
  const body = request.postData() ?? ''
  await fixture.waitUntilReady(APP)
  const launch = (await fixture.card(APP).getAttribute('data-launch')) ?? ''
  const view = await api(admin, 'GET', `/api/launches/${launch}`)
  // The caller who may introspect: the host with the session token of its user.
  const headers = pick(await request.allHeaders(), ['authorization', 'content-type'])
  return {
    launch,
    appId: (view.body as { app: { id: string } }).app.id,
    async isTokenActive() {
      const answer = await send(service, '/app-auth/introspect', { method: 'POST', headers, body })
      assert.equal(answer.status, 200, answer.text)
      return answer.body.active === true
    },
  }
}

const endOf = async (launch: string) =>
  (await api(admin, 'GET', `/api/launches/${launch}`)).body.ended as { reason: string } | undefined

function findAppFrame() {
  const frame = page.frames().find((one) => one.url().includes('visit-notes'))
  assert.ok(frame)
  return frame
}

/** The page keeps the reasons of the ends that its SDK reports. */
const recordEnds = () =>
  findAppFrame().evaluate(async () => {
    const { Chartside, ends = [] } = window as unknown as PageWithSDK & { ends?: string[] }
    Object.assign(window, { ends })
    const sdk = await Chartside.initServiceSDK()
    sdk.on('ended', ({ reason }) => ends.push(reason))
  })

const cover = () => fixture.cover

test('covers a disabled app within a second, and enabling revives nothing [V12]', async () => {
  const app = await openReady()
  assert.equal(await app.isTokenActive(), true)
  await recordEnds()
  // Both times are of one clock, that of the page; the request of the administrator is in it.
  const tookMs = await page.evaluate(
    async ({ url, authorization }) => {
      const shown = Promise.withResolvers<number>()
      const observer = new MutationObserver(() => {
        if (document.querySelector('#apps .cover[data-state="switched-off"]')) {
          shown.resolve(performance.now())
        }
      })
      observer.observe(document.body, { subtree: true, childList: true })
      const started = performance.now()
      const headers = { authorization, 'content-type': 'application/merge-patch+json' }
      const answer = await fetch(url, { method: 'PATCH', headers, body: '{"enabled":false}' })
      if (!answer.ok) throw new Error(await answer.text())
      return (await shown.promise) - started
    },
    { url: `${service}/api/apps/${app.appId}`, ...bearer(admin.sessionToken) },
  )
  assert.ok(tookMs < 1000, `${tookMs} ms`)
  console.log(`disabled, covered after ${Math.round(tookMs)} ms`)

  assert.match((await cover().textContent()) ?? '', /Visit Notes was switched off.*administrator/i)
  assert.match((await fixture.tab(APP).textContent()) ?? '', /switched off/)
  assert.match((await fixture.card(APP).locator('.state').textContent()) ?? '', /Switched off/)
  assert.equal(await page.locator('#frames .place').first().evaluate(isInert), true)
  assert.deepEqual(await findAppFrame().evaluate('window.ends'), ['app_disabled'])
  assert.equal((await endOf(app.launch))?.reason, 'app_disabled')
  assert.equal(await app.isTokenActive(), false)

  await fixture.launchAgain(APP)
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  assert.equal(await cover().isVisible(), true)
  const enabled = await api(admin, 'PATCH', `/api/apps/${app.appId}`, { enabled: true })
  assert.equal(enabled.status, 200, enabled.text)
  assert.equal(await app.isTokenActive(), false)
  assert.equal(await cover().isVisible(), true)
  assert.equal((await endOf(app.launch))?.reason, 'app_disabled')

  const presented = waitForToken()
  await fixture.launchAgain(APP)
  const again = await describeReady(presented)
  assert.notEqual(again.launch, app.launch)
  assert.equal(await again.isTokenActive(), true)
  assert.equal(await cover().isVisible(), false)
  assert.doesNotMatch((await fixture.tab(APP).textContent()) ?? '', /switched off/)
})

const isInert = (element: Element) => (element as HTMLElement).inert

test('ends the launch of a frame that is replaced or left, not of a reload [V12]', async () => {
  const first = await openReady()
  const reloaded = page.waitForEvent('framenavigated')
  await findAppFrame().evaluate(() => location.reload())
  await reloaded
  assert.equal(await endOf(first.launch), undefined, 'the page of the app may be reloaded')

  const presented = waitForToken()
  await fixture.launchAgain(APP)
  await page.locator('.launch[data-app="Visit Notes"]').nth(1).waitFor()
  const second = await describeReady(presented)
  assert.equal((await endOf(first.launch))?.reason, 'closed')
  assert.equal(await first.isTokenActive(), false)
  assert.equal(await second.isTokenActive(), true)

  await page.goto('about:blank')
  for (let waited = 0; !(await endOf(second.launch)) && waited < 3000; waited += 50)
    await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal((await endOf(second.launch))?.reason, 'closed')
  assert.equal(await second.isTokenActive(), false)
})

/** What the warning counts down to, in seconds. */
async function readCountdown(): Promise<number> {
  const text = (await notice().textContent()) ?? ''
  const [, minutes, seconds] = /(\d+):(\d\d)/.exec(text) ?? []
  assert.ok(seconds, text)
  return Number(minutes) * 60 + Number(seconds)
}

const notice = () => page.locator('#apps .notices > *', { hasText: 'signed out in' })

test('warns of an idle end with a countdown; Stay keeps the sign-in [P04]', async () => {
  await fixture.signIn('/meadow')
  await fixture.waitUntilReady(APP)
  await notice().waitFor({ timeout: IDLE_SECONDS * 1000 })
  const before = await readCountdown()
  assert.ok(before > WARNING_SECONDS - 4 && before <= WARNING_SECONDS + 1, `${before} s`)
  assert.match((await notice().textContent()) ?? '', /You have not done anything here/)
  await page.waitForTimeout(2000)
  assert.ok((await readCountdown()) < before, 'it counts down')

  // A click of a script is no activity of a person: the button alone keeps the sign-in.
  const stay = notice().getByRole('button', { name: 'Stay' })
  await stay.evaluate((button) => (button as HTMLButtonElement).click())
  await notice().waitFor({ state: 'hidden' })

  // The end that was announced passes; then comes the next warning, and the end at its moment.
  await notice().waitFor({ timeout: IDLE_SECONDS * 1000 })
  const leftMs = (await readCountdown()) * 1000
  const started = performance.now()
  await page.locator('body[data-state="signed-out"]').waitFor({ timeout: IDLE_SECONDS * 1000 })
  const lateMs = performance.now() - started - leftMs
  assert.ok(Math.abs(lateMs) < 2000, `${lateMs} ms after its moment`)
  console.log(`idle, ended ${Math.round(lateMs)} ms after the moment of the countdown`)
  await page.locator('#sign-in').getByText('because you were not active').waitFor()
  await cover().getByText('You are signed out').waitFor()
  assert.match((await fixture.card(APP).textContent()) ?? '', /without activity/)
  assert.equal(await notice().isVisible(), false)
})
