// A note in the real extension: typed beside one patient of each sample EHR it is at that chart again, and is
// painted beside no other, also by an app that paints slowly. The EHRs open a chart by a page, by pushState
// and by the fragment; only a browser does all three, and only its pictures show what a person sees.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SAMPLE_EHRS } from '@chartside/server/sample-data'
import type { FrameLocator, Page } from 'playwright-core'
import { type ExtensionFixture, type Panel, startFixture } from './fixture.ts'
import { type Area, recordPainted } from './painted.ts'

const APP = 'Visit Notes'
const MAX_UNCOVERED_MS = 500
/** The note of each patient is dark where that of the other is not. */
const UPPER_NOTE = '█'.repeat(40)
const LOWER_NOTE = `\n\n\n\n${UPPER_NOTE}`
const IS_PAINTED = 0.3

let fixture: ExtensionFixture
let reader: Page
before(async () => {
  fixture = await startFixture({ only: ['visit-notes'], ehrHosts: ['http://ehr.localhost/*'] })
  const { items } = await fixture.admin.call('GET', '/api/collections?limit=100')
  const path = `/api/collections/${items[0].id}`
  const { draft } = await fixture.admin.call('GET', path)
  await fixture.admin.call('PATCH', path, { draft: { ...draft, ehrs: SAMPLE_EHRS } })
  await fixture.admin.call('POST', `${path}/versions`, { notes: 'The sample EHRs' })
  reader = await fixture.context.newPage()
  const page = await fixture.context.newPage()
  await page.goto(fixture.panelUrl(999_999))
  await fixture.signIn(page)
  await page.getByText('No chart in this tab').waitFor()
})
after(() => fixture?.stop())

interface Watched {
  changedAt?: number
  isSlow?: boolean
  covers?: { isReachable: boolean }[]
}

/** In each document of the EHR: when the address of a chart came. */
const watchAddress = () => {
  const world = globalThis as Watched
  const change = () => {
    world.changedAt = Date.now()
  }
  change()
  window.navigation?.addEventListener('currententrychange', change)
}

/** In the panel: whether keys or pointer reach the app while it is covered. */
const watchCover = (title: string) => {
  const covers: { isReachable: boolean }[] = []
  ;(globalThis as Watched).covers = covers
  new MutationObserver(() => {
    const frame = document.querySelector<HTMLElement>(`iframe[title="${title}"]`)
    if (frame?.style.opacity !== '0') return
    const { x, y, width, height } = frame.getBoundingClientRect()
    const under = document.elementFromPoint(x + width / 2, y + height / 2)
    covers.push({ isReachable: under === frame || document.activeElement === frame })
  }).observe(document, { subtree: true, childList: true, attributes: true })
}

/** In the app: each frame takes long, so that an earlier picture would stay for as long. */
const paintSlowly = () => {
  const world = globalThis as Watched
  world.isSlow = true
  const spend = () => {
    const end = performance.now() + 80
    while (performance.now() < end);
    if (world.isSlow) requestAnimationFrame(spend)
  }
  requestAnimationFrame(spend)
}

interface Beside {
  readonly page: Page
  readonly panel: Panel
  readonly app: FrameLocator
}

const readNote = ({ app }: Beside) => app.locator('#note').inputValue()

const isUncovered = ({ panel }: Beside) =>
  panel.evaluate((title) => {
    const frame = document.querySelector<HTMLElement>(`iframe[title="${title}"]`)
    return frame?.style.opacity !== '0' && !document.querySelector('.cover')
  }, APP)

/** Where the note of the patient before is seen: in no picture once the app was covered. */
async function openChart(beside: Beside, patient: string, earlier: 'upper' | 'lower') {
  const { page, panel, app } = beside
  const isSlow = earlier === 'upper'
  const box = await app.locator('#note').boundingBox()
  assert.ok(box)
  const third = { ...box, height: box.height / 3 }
  const area: Area = earlier === 'upper' ? third : { ...third, y: box.y + 2 * third.height }
  if (isSlow) await app.locator('#note').evaluate(paintSlowly)
  await panel.evaluate(watchCover, APP)
  const ofPanel = 'page' in panel ? panel.page() : panel
  const painted = await recordPainted(ofPanel, reader, [area], async () => {
    await page.getByRole('link', { name: patient }).click()
    await fixture.until(() => panel.evaluate(() => (globalThis as Watched).covers?.length !== 0))
    await fixture.until(() => isUncovered(beside))
    // A picture of the chart before may follow the cover.
    await page.waitForTimeout(250)
  })
  await app.locator('#note').evaluate(() => {
    ;(globalThis as Watched).isSlow = false
  })
  const changedAt = await page.evaluate(() => (globalThis as Watched).changedAt ?? 0)
  const isSeen = painted.map(({ dark: [share = 0] }) => share > IS_PAINTED)
  const coveredAt = isSeen.indexOf(false)
  const facts = JSON.stringify(painted.map(({ at, dark }) => [at - changedAt, ...dark]))
  assert.ok(isSeen[0], `the note before is seen at first: ${facts}`)
  assert.ok((painted[coveredAt]?.at ?? Infinity) - changedAt <= MAX_UNCOVERED_MS, facts)
  assert.equal(isSeen.indexOf(true, coveredAt), -1, `never again: ${facts}`)
  const covers = await panel.evaluate(() => (globalThis as Watched).covers ?? [])
  assert.ok(covers.length > 0)
  assert.ok(covers.every(({ isReachable }) => !isReachable))
}

test('paints a note beside its own chart only, in three EHRs [V40]', async () => {
  const page = await fixture.context.newPage()
  await page.addInitScript(watchAddress)
  for (const [path, first, second] of [
    ['/meadow/patients', 'Marigold Testerly', 'Basil Mockford'],
    ['/summit/chart', 'Granite Exampleson', 'Ridge Fakerton'],
    ['/harbor/app', 'Finn Notreal', 'Pearl Sampleton'],
  ] as const) {
    await page.goto(`${fixture.sandbox.places.ehr.url}${path}`)
    await page.getByRole('link', { name: first }).click()
    const panel = await fixture.openPanel(page)
    const beside = { page, panel, app: panel.frameLocator(`iframe[title="${APP}"]`) }
    const note = beside.app.locator('#note')
    await fixture.until(async () => (await note.isVisible()) && (await isUncovered(beside)))
    assert.equal(await readNote(beside), '')
    await note.fill(UPPER_NOTE)
    await openChart(beside, second, 'upper')
    assert.equal(await readNote(beside), '')
    await note.fill(LOWER_NOTE)
    await openChart(beside, first, 'lower')
    assert.equal(await readNote(beside), UPPER_NOTE)
    await fixture.leavePanels()
  }
})
