// The pages of sign-in and of errors in light, dark and forced colors, at 420 px and wide: 0 violations of
// axe-core, nothing wider than its window. CHARTSIDE_PICTURES=write writes
// a picture of each to test-results/pages. npm run tool -- pictures takes the pages behind them, too.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { APPEARANCES, listViolations } from './accessibility.ts'
import { QUICK_PAGES, reachQuickPages } from './pictures/sign-in-pages.ts'
import { type SignInFixture, startFixture } from './sign-in-fixture.ts'

const isWriting = process.env.CHARTSIDE_PICTURES === 'write'
const pictures = fileURLToPath(new URL('../../test-results/pages', import.meta.url))
let fixture: SignInFixture

before(async () => {
  if (isWriting) mkdirSync(pictures, { recursive: true })
  fixture = await startFixture()
})
after(() => fixture?.stop())

for (const name of QUICK_PAGES) {
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
  })
}
