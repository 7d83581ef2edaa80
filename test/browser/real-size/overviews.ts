// Photographs the first page of a vendor and of the platform while an app does not open: the pictures of
// docs/use/console.md. The time and the seed are fixed, so that the same page gives the same picture.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { backgroundJobs } from '../../../packages/server/src/jobs/jobs.ts'
import { ADMIN } from '../../../packages/server/test/test-service.ts'
import { fillRealSize, PASSWORD } from '../../real-size/fill.ts'
import { listViolations } from '../accessibility.ts'
import { startConsole } from '../console-fixture.ts'
import { drawSheet } from '../pictures/captures.ts'

const IMAGES = fileURLToPath(new URL('../../../docs/images', import.meta.url))
const SIZE = { width: 1440, height: 900 }
/** A Tuesday morning, when practices work. */
const NOW = Date.parse('2026-11-24T15:20:00Z')
const OUTAGE_MINUTES = 35

export async function photographOverviews(say: (text: string) => void): Promise<void> {
  const fixture = await startConsole({}, { accountName: '' })
  try {
    const { service, browser } = fixture
    service.clock.advance((NOW - service.clock()) / 1000)
    // The first run of each job, as of a node that runs.
    for (const { run } of backgroundJobs(service.service)) await run(AbortSignal.timeout(10_000))
    const { actors } = await fillRealSize(service, { seed: '1', minutesOfNow: OUTAGE_MINUTES })
    for (const [name, email] of [
      ['console-overview', ADMIN.email],
      ['console-overview-vendor', actors.developer.email],
    ] as const) {
      const page = await fixture.begin({ viewport: SIZE, timezoneId: 'America/New_York' })
      await page.clock.setFixedTime(NOW)
      await fixture.signIn({ email, password: PASSWORD })
      await page.getByRole('heading', { name: /not open/ }).waitFor()
      await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))
      assert.deepEqual(await listViolations(page), [], name)
      const shot = (await page.screenshot({ animations: 'disabled' })).toString('base64')
      const places = [[0, 0, SIZE.width, SIZE.height]]
      const picture = await drawSheet(browser, [shot], { places, size: SIZE, format: 'image/webp' })
      writeFileSync(`${IMAGES}/${name}.webp`, picture)
      say(`${name}.webp, ${picture.length} bytes`)
    }
  } finally {
    await fixture.stop()
  }
}
