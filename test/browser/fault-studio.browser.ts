// The page Fault studio: a kept run with its grade, a fault played alone against a running app, the difference,
// and a report that opens by its address. Only a browser shows keys, widths and appearances.
import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type RunningEhr, startSampleEhr } from '@chartside/example-sample-ehr'
import { buildAssets } from '@chartside/example-sample-ehr/assets'
import { type Run, RunFolder, runIdOf } from '@chartside/faults'
import { parseManifestText } from '@chartside/protocol/app-manifest'
import { gradeOf, type PlayedFault } from '@chartside/protocol/fault-grade'
import type { Browser } from 'playwright-core'
import { FaultStudio } from '../../examples/sandbox/src/fault-studio.ts'
import { launchChromium } from '../../scripts/chromium.ts'
import { assertNoViolations, openStrictPage } from './accessibility.ts'

const POOR_APP = fileURLToPath(new URL('../../packages/faults/test/poor-app', import.meta.url))
const [CHECK] = [{ name: 'sends-no-code', part: 'safety', title: 'Exchanges nothing' }] as const

const fault = (name: string, isGood: boolean): PlayedFault => ({
  ...{ name, step: 'callback', title: `The fault ${name}`, tookMs: 1200, saw: 'A page.' },
  wire: [{ atMs: 12, event: 'The page asks authorize: 302' }],
  outcome: isGood ? 'handled' : 'not_handled',
  checks: [
    isGood
      ? { ...CHECK, state: 'passed', evidence: 'No code was sent.' }
      : { ...CHECK, state: 'failed', evidence: 'One.', cause: 'A forgery.', fix: 'Compare state.' },
  ],
})
const faults = [fault('state-missing', true), fault('denied', true), fault('code-missing', false)]
const KEPT: Run = {
  ...{ app: 'Poor App', startedAt: '2026-11-01T10:00:00.000Z', tookMs: 90_000, commit: 'abc1234' },
  ...{ grade: gradeOf(faults), faults },
}

let directory: string
let studio: FaultStudio
let ehr: RunningEhr
let browser: Browser
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'chartside-studio-'))
  await cp(POOR_APP, directory, { recursive: true, filter: (path) => !path.includes('.chartside') })
  await new RunFolder(directory).save(KEPT)
  const text = await readFile(join(directory, 'chartside.app.json'), 'utf8')
  const manifest = parseManifestText(text, directory)
  studio = new FaultStudio([{ manifest, port: 0, origins: {}, ports: {} }], () => {})
  browser = await launchChromium()
  ehr = await startSampleEhr({
    ...{ port: 0, serviceUrl: 'http://localhost:1', practices: [], ehrs: [], password: '', studio },
    assets: await buildAssets(),
    sandbox: { findSession: async () => null, addApp: () => Promise.reject(new Error('none')) },
  })
})
after(async () => {
  await studio.end()
  await ehr?.stop()
  await browser?.close()
  await rm(directory, { recursive: true, force: true })
})

const address = (path = '') => `http://127.0.0.1:${ehr.port}/faults/poor-app${path}`

test('shows grade, bars, evidence, cause and fix, and axe finds nothing', async () => {
  const { page, assertPolicyKept } = await openStrictPage(browser)
  await page.goto(address())
  await page.getByText('C', { exact: true }).waitFor()
  assert.equal(await page.locator('.score-bars li').count(), 5)
  await page.locator('#code-missing > summary').click()
  for (const text of ['A forgery.', 'Mend it: Compare state.', 'The page asks authorize: 302']) {
    await page.locator('#code-missing').getByText(text).waitFor()
  }
  await assertNoViolations(page, 'a run')
  await page.setViewportSize({ width: 420, height: 800 })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.ok(width <= 420, `${width} px wide`)
  await assertPolicyKept()
  await page.context().close()
})

test('plays one fault by a key, compares it, and keeps a report with an address', async () => {
  const { page, assertPolicyKept } = await openStrictPage(browser)
  await page.goto(address())
  await page.locator('.passed > summary').click()
  await page.locator('#state-missing > summary').focus()
  await page.keyboard.press('p')
  await page.getByRole('progressbar', { name: 'Faults played' }).waitFor()
  await page.getByText(/Worse: state-missing/).waitFor({ timeout: 60_000 })
  assert.equal(await page.locator('details.fault').count(), 1)
  const [played] = await new RunFolder(directory).list()
  assert.equal(played?.faults[0]?.outcome, 'not_handled')
  await page.goto(address(`/${runIdOf(KEPT)}`))
  await page.getByText('abc1234').waitFor()
  assert.equal(await page.locator('details.fault').count(), 3)
  await assertPolicyKept()
  await page.context().close()
})

test('goes from fault to fault with J and K, and shows only what is not handled with F', async () => {
  const { page } = await openStrictPage(browser)
  await page.goto(address(`/${runIdOf(KEPT)}`))
  await page.locator('#code-missing').waitFor()
  await page.keyboard.press('j')
  const focused = () => page.evaluate(() => document.activeElement?.parentElement?.className)
  assert.match((await focused()) ?? '', /^fault/)
  await page.keyboard.press('j')
  assert.equal(await focused(), 'passed')
  await page.keyboard.press('k')
  await page.keyboard.press('f')
  assert.equal(await page.locator('details.fault').count(), 1)
  await page.context().close()
})
