// What the browser tests of pages share: a page that reports violations of its policy, axe-core run in
// it from outside of the policy, and the appearances in which every page must work.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'

type Media = NonNullable<Parameters<Page['emulateMedia']>[0]>

export const APPEARANCES: readonly { readonly name: string; readonly media: Media }[] = [
  { name: 'light', media: { colorScheme: 'light', forcedColors: 'none' } },
  { name: 'dark', media: { colorScheme: 'dark', forcedColors: 'none' } },
  { name: 'forced', media: { colorScheme: 'dark', forcedColors: 'active' } },
]

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

export interface StrictPage {
  readonly page: Page
  /** @throws AssertionError when the page violated its policy, or had an uncaught error */
  assertPolicyKept(): Promise<void>
}

/** Motion is reduced, so that photographs are the same each time. */
export async function openStrictPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<StrictPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const faults: string[] = []
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI}`)
    })
  })
  const page = await context.newPage()
  page.on('console', (message) => {
    // A refusal that a test asks for is no fault of the page.
    const isStatus = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isStatus) faults.push(message.text())
  })
  page.on('pageerror', ({ message }) => faults.push(message))
  return {
    page,
    async assertPolicyKept() {
      assert.deepEqual(faults, [])
    },
  }
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly {
      readonly target: readonly string[]
      readonly failureSummary: string
    }[]
  }[]
}

/** The rules whose answer depends on the appearance; that of all others is in the markup and its layout. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** What axe-core finds in the page itself, one line for each place. Runs through the debugger, so no policy is relaxed. */
export async function listViolations(
  page: Page | Frame,
  within?: string,
  { areColorsOnly = false } = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  return page.evaluate(
    async ({ scope, rules }) => {
      const { axe } = globalThis as unknown as {
        axe: { run(scope: unknown, options: object): Promise<AxeResult> }
      }
      const { violations } = await axe.run(scope ?? document, {
        iframes: false,
        resultTypes: ['violations'],
        // Only a rule that is off by default reads the style sheets once more.
        preload: false,
        ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}),
      })
      // Here, so that only these lines are sent to the test.
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
      )
    },
    { scope: within ?? null, rules: areColorsOnly ? OF_COLOURS : null },
  )
}

const WIDE = { width: 1440, height: 900 }

/** How people with other eyes see a page. 200 %: half of the window in CSS pixels. */
const VIEWS: readonly (readonly [string, typeof WIDE, Media])[] = [
  ['light', WIDE, {}],
  ['dark', WIDE, { colorScheme: 'dark' }],
  ['forced colors', WIDE, { forcedColors: 'active' }],
  ['420 px', { width: 420, height: 800 }, {}],
  ['200 %', { width: 720, height: 450 }, {}],
]

const PLAIN: Media = { colorScheme: 'light', forcedColors: 'none' }

/** @throws AssertionError when axe-core finds something in a view of the page, or of its frame. */
export async function assertNoViolations(
  page: Page,
  what: string,
  inside: Page | Frame = page,
): Promise<void> {
  for (const [view, size, media] of VIEWS) {
    await page.setViewportSize(size)
    await page.emulateMedia({ ...PLAIN, ...media })
    await waitForLayout(inside)
    // The first view has shown the markup in this size.
    const areColorsOnly = 'colorScheme' in media || 'forcedColors' in media
    assert.deepEqual(
      await listViolations(inside, undefined, { areColorsOnly }),
      [],
      `${what}, ${view}`,
    )
  }
  await page.setViewportSize(WIDE)
  await page.emulateMedia(PLAIN)
}

/** A ResizeObserver hears of a new size after the layout of the next frame. */
const waitForLayout = (inside: Page | Frame): Promise<void> =>
  inside.evaluate(
    () =>
      new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  )

/** No column of a list is out of reach, neither on a tablet nor where text has twice its size. */
export async function assertNothingCut(page: Page): Promise<void> {
  for (const fontSize of ['', '200%']) {
    await page.setViewportSize({ width: fontSize === '' ? 768 : 1440, height: 900 })
    const cut = await page.evaluate((text) => {
      document.documentElement.style.fontSize = text
      const frames = [...document.querySelectorAll('.list-card, .table-frame')]
      return frames.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.className)
    }, fontSize)
    assert.deepEqual(cut, [], `text ${fontSize}`)
  }
  await page.evaluate(() => {
    document.documentElement.style.fontSize = ''
  })
}
