// Finding launches, apps and people in an installation of real size: the histogram that narrows the time, the launch
// beside the list. Each by pointer and by keys, with axe-core.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { ADMIN } from '../../packages/server/test/test-service.ts'
import { fillRealSize, PASSWORD } from '../real-size/fill.ts'
import type { Records } from '../real-size/records.ts'
import { assertNoViolations } from './accessibility.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'
import { tabTo } from './keyboard.ts'

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
