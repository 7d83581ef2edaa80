// Takes the pictures of the console for the documents, or, in an ordinary run, looks that each is there and
// of a size that a document can carry, and that axe-core finds nothing in the state that it shows: in every
// view where pictures are taken, in one view otherwise.
import assert from 'node:assert/strict'
import { mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assertNoViolations, listViolations } from './accessibility.ts'
import type { ConsoleFixture } from './console-fixture.ts'

const FOLDER = fileURLToPath(new URL('../../docs/pictures/console', import.meta.url))
const MAX_PICTURE_BYTES = 200_000
const isWriting = process.env.CHARTSIDE_PICTURES === 'write'

export interface Photographs {
  /** `name` is the path below docs/pictures/console, without the ending. */
  take(name: string): Promise<void>
  /** The same state in the dark, in forced colours and at 420 px, then as before. */
  takeVariants(name: string): Promise<void>
}

const SIZE = { width: 1280, height: 800 }

/** A page of the size of the pictures, whose clock is that of the service. */
export async function beginPictures(fixture: ConsoleFixture): Promise<void> {
  const page = await fixture.begin({ viewport: SIZE, timezoneId: 'America/New_York' })
  await page.clock.setFixedTime(fixture.service.clock() + 60_000)
}

export function photographs(fixture: ConsoleFixture): Photographs {
  const shoot = async (name: string) => {
    const { page } = fixture
    // What was done before is not what the picture is about.
    await page.locator('.toast').evaluateAll((toasts) => {
      for (const toast of toasts) (toast as HTMLElement).hidden = true
    })
    const path = join(FOLDER, `${name}.png`)
    if (isWriting) {
      mkdirSync(dirname(path), { recursive: true })
      await page.evaluate(() => document.fonts.ready)
      await page.screenshot({ path, animations: 'disabled' })
    }
    assert.ok(statSync(path).size <= MAX_PICTURE_BYTES, path)
  }
  /** In other sizes and colours, too. */
  const assertInEveryView = async (name: string) => {
    await assertNoViolations(fixture.page, name)
    await fixture.page.setViewportSize(SIZE)
  }
  const take = async (name: string) => {
    await shoot(name)
    if (isWriting) await assertInEveryView(name)
    else assert.deepEqual(await listViolations(fixture.page), [], name)
  }
  return {
    take,
    async takeVariants(name) {
      const { page } = fixture
      await page.emulateMedia({ colorScheme: 'dark' })
      await shoot(`${name}-dark`)
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
      await shoot(`${name}-forced`)
      await page.emulateMedia({ forcedColors: 'none' })
      await page.setViewportSize({ width: 420, height: 800 })
      await shoot(`${name}-narrow`)
      await page.setViewportSize(SIZE)
    },
  }
}
