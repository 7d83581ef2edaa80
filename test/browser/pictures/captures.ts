// Takes the pictures of a state: in all four views with every rule of axe-core for `npm run tool -- pictures`, which
// puts them on one sheet; other tests look at a state with axe-core in the light view.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'
import { listViolations } from '../accessibility.ts'
import { AREAS, type AreaName, type AreaStates } from './states.ts'

export const PICTURES = fileURLToPath(new URL('../../../.chartside/pictures', import.meta.url))
const RESULTS = fileURLToPath(new URL('../../../test-results/pictures', import.meta.url))

/** Shows the state that `page` is in, at a place of the page; the page is as before afterwards. */
export type Capture = (page: Page, area: AreaName, name: string, place?: Locator) => Promise<void>

export const SIZE = { width: 1280, height: 800 }
const NARROW = { width: 420, height: 800 }

type Media = NonNullable<Parameters<Page['emulateMedia']>[0]>

const PLAIN: Media = { colorScheme: 'light', forcedColors: 'none' }

/** Where each view stands on the sheet, in its pixels. */
const VIEWS = [
  { name: 'light', size: SIZE, media: PLAIN, at: [0, 0, 1280, 800] },
  { name: '420 px', size: NARROW, media: PLAIN, at: [1290, 0, 420, 800] },
  { name: 'dark', size: SIZE, media: { ...PLAIN, colorScheme: 'dark' }, at: [0, 810, 850, 531] },
  {
    name: 'forced colors',
    size: SIZE,
    media: { ...PLAIN, forcedColors: 'active' },
    at: [860, 810, 850, 531],
  },
] as const satisfies readonly { name: string; size: object; media: Media; at: readonly number[] }[]
const SHEET = { width: 1710, height: 1341 }
const QUALITY = 0.8

const statesOf = (area: AreaName): AreaStates['states'] => AREAS[area].states

function assertListed(area: AreaName, name: string): void {
  assert.ok(statesOf(area)[name], `${area}/${name} stands in no list of states`)
}

/** What was done before is not what the picture is about. */
const hideNotes = (page: Page) =>
  page.locator('.toast').evaluateAll((toasts) => {
    for (const toast of toasts) (toast as HTMLElement).hidden = true
  })

/** Chromium keeps collapsed borders in the colors of the view before, until their table gets a new layout. */
const drawBordersAnew = (page: Page) =>
  page.locator('table').evaluateAll((tables) => {
    for (const table of tables as HTMLElement[]) {
      table.style.borderCollapse = 'separate'
      table.getBoundingClientRect()
      table.style.borderCollapse = ''
    }
  })

/** The markup and the colors of one view. */
export const checkState: Capture = async (page, area, name) => {
  assertListed(area, name)
  await hideNotes(page)
  assert.deepEqual(await listViolations(page), [], `${area}/${name}`)
}

/** `written`: the size of each sheet, in bytes. */
export function startCapturing(browser: Browser, written: Map<string, number>): Capture {
  return async (page, area, name, place) => {
    assertListed(area, name)
    const shots: string[] = []
    for (const { name: view, size, media } of VIEWS) {
      await page.setViewportSize(size)
      await page.emulateMedia(media)
      await hideNotes(page)
      await drawBordersAnew(page)
      await place?.evaluate((element) => element.scrollIntoView({ block: 'center' }))
      await page.evaluate(async () => {
        await document.fonts.ready
        await new Promise(requestAnimationFrame)
      })
      const shot = await page.screenshot({ animations: 'disabled' })
      shots.push(shot.toString('base64'))
      assert.deepEqual(await listViolations(page), [], `${area}/${name}, ${view}`)
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      assert.ok(overflow <= 0, `${area}/${name}, ${view}: ${overflow} px wider than its window`)
    }
    await page.setViewportSize(SIZE)
    await page.emulateMedia(PLAIN)
    const path = join(PICTURES, AREAS[area].folder, `${name}.webp`)
    const places = VIEWS.map(({ at }) => at)
    const sheet = await drawSheet(browser, shots, { places, size: SHEET, format: 'image/webp' })
    write(path, sheet)
    written.set(`${area}/${name}`, sheet.length)
    // For viewers that know no WebP.
    write(
      join(RESULTS, area, `${name}.jpg`),
      await drawSheet(browser, shots, { places, size: SHEET, format: 'image/jpeg' }),
    )
  }
}

function write(path: string, content: Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

export interface Sheet {
  /** Of each shot: left, top, width and height. */
  readonly places: readonly (readonly number[])[]
  readonly size: { readonly width: number; readonly height: number }
  readonly format: 'image/webp' | 'image/jpeg'
}

/** The browser draws and compresses, so that no library has to. `shots`: PNG in Base64. */
export async function drawSheet(
  browser: Browser,
  shots: readonly string[],
  { places, size, format }: Sheet,
): Promise<Buffer> {
  const page = await browser.newPage()
  try {
    const drawn = await page.evaluate(
      async ({ sources, places, size, format, quality }) => {
        const canvas = new OffscreenCanvas(size.width, size.height)
        const context = canvas.getContext('2d')
        if (!context) throw new Error('no canvas')
        context.fillStyle = '#7a7f87'
        context.fillRect(0, 0, size.width, size.height)
        context.imageSmoothingQuality = 'high'
        for (const [index, source] of sources.entries()) {
          const bytes = Uint8Array.from(atob(source), (sign) => sign.charCodeAt(0))
          const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
          const [x = 0, y = 0, width = 0, height = 0] = places[index] ?? []
          context.drawImage(image, x, y, width, height)
        }
        const blob = await canvas.convertToBlob({ type: format, quality })
        const read = new FileReader()
        read.readAsDataURL(blob)
        await new Promise((resolve) => {
          read.onload = resolve
        })
        return String(read.result)
      },
      {
        sources: shots,
        places: places.map((at) => [...at]),
        ...{ size, format },
        quality: QUALITY,
      },
    )
    return Buffer.from(drawn.slice(drawn.indexOf(',') + 1), 'base64')
  } finally {
    await page.close()
  }
}
