// Finding launches, apps and people in an installation of real size: the histogram that narrows the time, the launch
// beside the list, lists by name. Also the page of signing keys. By pointer and by keys, with axe-core.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { fillRealSize, PASSWORD } from '../real-size/fill.ts'
import type { Records } from '../real-size/records.ts'
import { assertNoViolations, listViolations } from './accessibility.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'
import { assertFocus, tabTo } from './keyboard.ts'

let fixture: ConsoleFixture
let records: Records
before(async () => {
  fixture = await startConsole({}, { accountName: '', isRealTime: true })
  records = await fillRealSize(fixture.service, { seed: '1' })
})
after(() => fixture?.stop())
afterEach(() => fixture.assertPolicyKept())

const rows = () => fixture.page.locator('.launches tbody tr')

async function begin(who: typeof ADMIN, address: string) {
  const page = await fixture.begin({ viewport: { width: 1280, height: 900 } })
  page.setDefaultTimeout(10_000)
  await fixture.signIn(who, `/console/${address}`)
  await rows().first().waitFor()
  return page
}

const timeOf = (address: string) =>
  ['from', 'to'].map((name) => Date.parse(new URL(address).searchParams.get(name) ?? ''))

test('narrows the list by dragging over the bars, on one base, and back', async () => {
  const page = await begin(ADMIN, 'platform/launches?in=week')
  const histogram = page.getByRole('figure', { name: 'Launches per 3 hours' })
  const said = (await histogram.locator('figcaption').textContent()) ?? ''
  const [, launches, failed] = /: ([\d,]+) launches, ([\d,]+) failed/.exec(said) ?? []
  assert.ok(Number(launches?.replaceAll(',', '')) > 5000, said)
  await page.getByText(`${launches} launches · `).waitFor()
  await page.getByRole('button', { name: `Failed ${failed}` }).waitFor()
  const box = await histogram.getByRole('slider').boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + box.width * 0.4, box.y + 9)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, box.y + 9, { steps: 3 })
  await page.mouse.up()
  await page.waitForURL(/from=.*&to=/)
  const [from = 0, to = 0] = timeOf(page.url())
  await page.waitForFunction(
    (latest) =>
      Date.parse(document.querySelector('tbody time')?.getAttribute('datetime') ?? '') < latest,
    to,
  )
  const times = await page
    .locator('.launches tbody th time')
    .evaluateAll((all) => all.map((one) => Date.parse(one.getAttribute('datetime') ?? '')))
  assert.ok(times.every((at) => at >= from && at < to))
  await assertNoViolations(page, 'launches of a part of the week')
  await page.goBack()
  await histogram.waitFor()
  assert.doesNotMatch(page.url(), /from=/)
})

test('narrows the list by keys, says the time, and Escape leads back', async () => {
  const { practiceAdmin } = records.actors
  const who = { email: practiceAdmin.email, password: PASSWORD }
  const page = await begin(who, `${records.practices[0]?.id}/launches?in=week`)
  const brush = page.getByRole('slider')
  await tabTo(page, brush)
  for (const key of ['End', 'Shift+ArrowLeft', 'Shift+ArrowLeft']) await page.keyboard.press(key)
  assert.match(
    (await brush.getAttribute('aria-valuetext')) ?? '',
    /^\w{3} \d+, .* to .*: .* failed$/,
  )
  await page.keyboard.press('Enter')
  await page.waitForURL(/in=week&from=.*&to=/)
  const [from = 0, to = 0] = timeOf(page.url())
  assert.equal(to - from, 9 * 3_600_000)
  await page.getByRole('figure', { name: 'Launches per 15 minutes' }).waitFor()
  // The focus stays, so that the next key goes on.
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  assert.match(page.url(), /from=/)
  await page.keyboard.press('Escape')
  await page.waitForURL((url) => !url.searchParams.has('from'))
  await page.getByText('Launches per 3 hours as a table').click()
  await page.getByRole('table', { name: 'Launches per 3 hours' }).getByRole('link').last().click()
  await page.waitForURL(/from=.*&to=/)
})

test('shows launches beside the list by J and K, and keeps the open one in the address', async () => {
  const page = await begin(ADMIN, 'platform/launches?in=week&outcome=failed')
  const pane = page.getByRole('complementary', { name: 'The launch' })
  const row = (at: number) => rows().nth(at).getByRole('link').first()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await pane.getByRole('heading', { name: 'Why it failed' }).waitFor()
  await assertFocus(page, row(0))
  const first = page.url()
  await page.keyboard.press('j')
  await assertFocus(page, row(1))
  assert.equal(await row(1).getAttribute('aria-current'), 'true')
  assert.notEqual(page.url(), first)
  await pane.getByText(new URL(page.url()).searchParams.get('launch') ?? '').waitFor()
  const title = pane.getByRole('heading', { level: 2 }).first()
  await page.waitForFunction(
    (text) => document.querySelector('[aria-live]')?.textContent === text,
    await title.textContent(),
  )
  assert.deepEqual(await listViolations(page), [])
  // Enter goes into the launch that is open, and Escape closes it from there.
  await page.keyboard.press('Enter')
  await assertFocus(page, title)
  await page.reload()
  await title.waitFor()
  await page.keyboard.press('Escape')
  await assertFocus(page, row(1))
  assert.doesNotMatch(page.url(), /launch=/)
  await row(2).click()
  await title.waitFor()
  await page.goBack()
  await pane.waitFor({ state: 'detached' })
})

test('makes the launch the page where both have no room, with the way back', async () => {
  const page = await begin(ADMIN, 'platform/launches?in=week&outcome=failed')
  await rows().nth(1).getByRole('link').first().click()
  await page.getByRole('complementary', { name: 'The launch' }).waitFor()
  await page.setViewportSize({ width: 1024, height: 768 })
  const title = page.getByRole('heading', { level: 1, name: /failed at/ })
  await assertFocus(page, title)
  assert.equal(await rows().count(), 0)
  // The focus stays in the launch on both sides of the border.
  await page.setViewportSize({ width: 1280, height: 768 })
  const pane = page.getByRole('complementary', { name: 'The launch' })
  await assertFocus(page, pane)
  await tabTo(page, pane.getByRole('button', { name: 'Copy report' }))
  await page.setViewportSize({ width: 1024, height: 768 })
  await assertFocus(page, title)
  assert.deepEqual(await listViolations(page), [])
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link').click()
  await page.waitForURL(/launches\?in=week&outcome=failed$/)
  await rows().first().getByRole('link').first().click()
  await page.waitForURL(/launches\/lau_\w+$/)
})

test('sorts apps by name at the service, by the head of the column', async () => {
  const page = await fixture.begin()
  await fixture.signIn(ADMIN, '/console/platform/apps')
  const names = page.locator('tbody th')
  await names.first().waitFor()
  await tabTo(page, page.getByRole('button', { name: 'App', exact: true }))
  const [answer] = await Promise.all([
    page.waitForResponse((one) => one.url().includes('sort=name')),
    page.keyboard.press('Enter'),
  ])
  const { items } = await answer.json()
  const shown = items.map(({ name }: { name: string }) => name)
  assert.equal(shown.length, 100)
  await names.filter({ hasText: shown[0] }).first().waitFor()
  assert.deepEqual(
    shown,
    shown.toSorted((a: string, b: string) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
  )
  await page.locator('th[aria-sort=ascending]').waitFor()
  await page.reload()
  await page.locator('th[aria-sort=ascending]').waitFor()
  await assertNoViolations(page, 'apps by name')
  await page.getByRole('button', { name: 'App', exact: true }).click()
  await page.waitForURL((url) => !url.searchParams.has('sort'))
})

test('rotates and withdraws a signing key, and says who did', async () => {
  const page = await fixture.begin()
  await fixture.signIn(ADMIN, '/console/platform/signing-keys')
  const keys = page.getByRole('table', { name: 'Signing keys' })
  await keys.getByText('Signs', { exact: true }).waitFor()
  await assertNoViolations(page, 'the signing keys')
  const first = (await keys.locator('code').first().textContent()) ?? ''
  await page.getByRole('button', { name: 'Rotate RS256…' }).click()
  await page.getByRole('button', { name: 'Rotate', exact: true }).click()
  await keys.getByText('Standby').waitFor()
  await page.getByText('Administrator changed the signing keys.').waitFor()
  const signing = keys.getByRole('row').filter({ hasText: first })
  await signing.getByRole('button', { name: 'Withdraw…' }).click()
  const dialog = page.getByRole('dialog')
  assert.ok(await dialog.getByRole('button', { name: 'Withdraw the key' }).isDisabled())
  await dialog.getByRole('textbox').fill(first.slice(0, 8))
  await dialog.getByRole('button', { name: 'Withdraw the key' }).click()
  await signing.getByText('Withdrawn').waitFor()
  await page.getByText('Administrator retired a leaked signing key at once.').waitFor()
})
