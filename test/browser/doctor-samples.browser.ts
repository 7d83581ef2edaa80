// The doctor on the sample apps: an A. One of them over all faults, the others over one of each kind; release
// tests play all of them. create.browser.ts and create.next.ts have new apps.
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findChromium } from '../../scripts/chromium.ts'
import { assertGradeA, SOME_FAULTS } from './doctor-grades.ts'

before(() => findChromium())

const folderOf = (app: string) => fileURLToPath(new URL(`../../examples/${app}`, import.meta.url))

test('gives Visit Notes an A over all faults', async (t) => {
  await assertGradeA(t, folderOf('visit-notes'))
})

for (const app of ['care-gaps', 'coding-watch', 'growth-chart', 'referral-desk']) {
  test(`gives ${app} an A over some faults`, async (t) => {
    await assertGradeA(t, folderOf(app), SOME_FAULTS)
  })
}
