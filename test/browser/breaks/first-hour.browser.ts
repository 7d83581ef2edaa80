// The mistakes of a first hour with an app, each played in the sandbox: its cause is on the card within three
// seconds, exactly, and the provider reads calm words. docs/build/mistakes.md has what this test sees.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import { startSandbox } from '@chartside/example-sandbox'
import type { Page } from 'playwright-core'
import { MAX_SECONDS, MISTAKES, REFUSED } from './first-hour.ts'
import { type BreakFixture, startBreakFixture } from './fixture.ts'
import { checkFailures, playBreak } from './player.ts'

/** `BREAK=clock npm test -- first-hour` plays those whose name contains it. */
const wanted = MISTAKES.filter(({ item }) => item.name.includes(process.env.BREAK ?? ''))

let fixture: BreakFixture
let chart: Page
before(async () => {
  fixture = await startBreakFixture(MISTAKES.map(({ item }) => item))
  chart = await fixture.openChart()
})
after(() => fixture?.stop())

/** Other work of the machine delays one try, not each of three. */
const MAX_TRIES = 3
/** The page has the seconds of a quiet machine. */
const NOISE_SECONDS = 1

for (const { what, item, seconds } of wanted) {
  test(`names in ${MAX_SECONDS} s: ${item.name}`, async (t) => {
    const tries: number[] = []
    for (let page = chart; tries.length < MAX_TRIES; page = await fixture.openChart()) {
      tries.push(await playBreak(fixture, item, page))
      if (page !== chart) await page.context().close()
      if (Math.min(...tries) <= Math.min(MAX_SECONDS, seconds + NOISE_SECONDS)) break
    }
    const shown = tries.map((one) => one.toFixed(2)).join(', ')
    t.diagnostic(`${what}: ${shown} s`)
    assert.ok(Math.min(...tries) <= Math.min(MAX_SECONDS, seconds + NOISE_SECONDS), shown)
  })
}

test('no card names another cause later', async () => {
  for (const { item } of wanted) if (item.card) await checkFailures(item, chart)
})

test('the dialog refuses an address that cannot launch, beside its field', async () => {
  await chart.getByRole('button', { name: 'Add an app…' }).click()
  const dialog = chart.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Wrong address')
  await dialog.getByLabel('Redirect URI').fill('http://localhost:3000/callback')
  for (const { launchUrl, cause } of REFUSED) {
    await dialog.getByLabel('Launch URL').fill(launchUrl)
    const startedAt = performance.now()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByRole('alert').filter({ hasText: cause }).waitFor()
    assert.ok(performance.now() - startedAt < MAX_SECONDS * 1000)
  }
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('a start on a taken port names the port, and the command that helps', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const dataDir = tmpdir()
    await assert.rejects(
      startSandbox({ port, dataDir, only: ['none'] }),
      /Another program is using port \d+ .* choose other ports: npm start -- --port/,
    )
  } finally {
    server.close()
  }
})
