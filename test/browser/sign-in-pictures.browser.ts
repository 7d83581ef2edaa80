// The pages of sign-in and of errors in light, dark and forced colors, at 420 px and wide: 0 violations of
// axe-core, nothing wider than its window. CHARTSIDE_PICTURES=write writes the pictures of the documentation,
// and all of them to test-results/pages. npm run tool -- pictures takes the pages behind them, too.
import assert from 'node:assert/strict'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { APPEARANCES, listViolations } from './accessibility.ts'
import { QUICK_PAGES, reachQuickPages } from './pictures/sign-in-pages.ts'
import { type SignInFixture, startFixture } from './sign-in-fixture.ts'

const isWriting = process.env.CHARTSIDE_PICTURES === 'write'
const MAX_PICTURE_BYTES = 60 * 1024
const documented = fileURLToPath(new URL('../../.chartside/pictures/sign-in', import.meta.url))
const pictures = fileURLToPath(new URL('../../test-results/pages', import.meta.url))
let fixture: SignInFixture

before(async () => {
  if (isWriting) mkdirSync(pictures, { recursive: true })
  mkdirSync(documented, { recursive: true })
  fixture = await startFixture()
})
after(() => fixture?.stop())

const PICTURED = 6

for (const [index, name] of QUICK_PAGES.entries()) {
  test(`shows ${name} without a violation, in every appearance and at 420 px`, async () => {
    await fixture.begin()
    const { page } = fixture
    await reachQuickPages(fixture)[name]()
    for (const { name: appearance, media } of APPEARANCES) {
      await page.emulateMedia(media)
      for (const width of [420, 1024]) {
        await page.setViewportSize({ width, height: 760 })
        const where = `${name}, ${appearance}, ${width} px`
        assert.deepEqual(await listViolations(page), [], where)
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        assert.equal(overflow, 0, where)
        if (isWriting) {
          await page.screenshot({ path: join(pictures, `${name}-${appearance}-${width}.png`) })
        }
      }
    }
    if (index >= PICTURED) return
    const path = join(documented, `${name}.png`)
    if (isWriting) {
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
      await page.setViewportSize({ width: 420, height: 760 })
      await page.screenshot({ path })
    }
    assert.ok(statSync(path).size <= MAX_PICTURE_BYTES, path)
  })
}
