// Plays one break in a chart: opens its app, waits for what the card or the cover shows, and compares what the page,
// the card and the panel say. Gives the seconds that it took. Owns no table and no bound.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Break, BreakRun } from './break.ts'
import type { BreakFixture } from './fixture.ts'

/** The seconds from the press of the tab, or from the event that breaks a launch, until the cause was shown. */
export async function playBreak(fixture: BreakFixture, item: Break, page: Page): Promise<number> {
  const { name, card } = item
  let startedAt = 0
  const run: BreakRun = {
    ...{ page, app: fixture.bench.find(name), bench: fixture.bench },
    ready: () =>
      findCard(name, page).filter({ hasText: 'Ready in' }).waitFor({ state: 'attached' }),
    begin: () => {
      startedAt = performance.now()
    },
  }
  await item.prepare?.(run)
  run.begin()
  await selectTab(page, name)
  const tab = (await item.play?.(run)) as Page | undefined
  const shown = findShown(item, page)
  await shown.waitFor({ state: 'attached', timeout: item.seconds * 1_000 + 8_000 })
  const seconds = (performance.now() - startedAt) / 1_000
  if (card) await checkFailures(item, page)
  const frame = findFrame(fixture, item, page)
  await checkPage(item, tab?.goto ? tab.locator('body') : frame)
  await checkPanel(item, page, frame)
  return seconds
}

/** What a launch waits for is a note of its card: it has not failed. */
function findShown({ name, card, panel }: Break, page: Page): Locator {
  if (!card) return page.locator('#apps .cover').filter({ hasText: panel })
  const [state, words] = card
  return state === 'Opening'
    ? findCard(name, page).locator('.note').filter({ hasText: words })
    : findCard(name, page).locator('.state').filter({ hasText: state })
}

/** The first launch of the app: later ones of a break are its doing. */
const findCard = (name: string, page: Page): Locator =>
  page.locator(`.launch[data-app="${name}"]`).last()

const findFrame = (fixture: BreakFixture, { name }: Break, page: Page): Locator =>
  page
    .locator(`#frames .place[data-app="${fixture.bench.find(name).id}"]`)
    .frameLocator('iframe')
    .locator('body')

/** One break at a time: the breaks of a page share its panel. */
const turns = new Map<Page, Promise<unknown>>()
function inTurn<Value>(page: Page, act: () => Promise<Value>): Promise<Value> {
  const turn = (turns.get(page) ?? Promise.resolve()).catch(() => {}).then(act)
  turns.set(page, turn)
  return turn
}

/** The tab of an app, or its entry in the menu of those that do not fit. */
const selectTab = (page: Page, name: string) => inTurn(page, () => pressTab(page, name))

/** In one turn of the page: a locator by role reads the names of the whole page, again and again. */
async function pressTab(page: Page, name: string): Promise<void> {
  const isPressed = await page.evaluate((wanted) => {
    const tabs = [...document.querySelectorAll<HTMLElement>('#apps [role="tab"]')]
    const nameOf = (tab: HTMLElement) => tab.ariaLabel ?? tab.innerText.trim()
    const tab = tabs.find((one) => nameOf(one) === wanted)
    const marked = tab ?? tabs.find(({ textContent }) => textContent?.includes(wanted))
    marked?.click()
    return marked !== undefined
  }, name)
  if (isPressed) return
  await page.getByRole('button', { name: 'more apps' }).dispatchEvent('click')
  await page.getByRole('menuitem', { name }).first().dispatchEvent('click')
}

const includes = (text: string, part: string, what: string) =>
  assert.ok(
    text.toLowerCase().includes(part.toLowerCase()),
    `${what}: "${part}" is not in "${text}"`,
  )

/** Each failed step as "reason: cause", and each note. */
export async function checkFailures(
  { name, code, card, followedBy }: Break,
  page: Page,
): Promise<void> {
  const element = findCard(name, page)
  await element.evaluate((details) => details.setAttribute('open', ''))
  await element.locator('.launch-body').waitFor({ state: 'attached' })
  const failures = await element.locator('.failure').evaluateAll((blocks) =>
    blocks.map((block) => {
      const facts = [...block.querySelectorAll('dt')].map(({ textContent, nextElementSibling }) => [
        textContent,
        nextElementSibling?.textContent,
      ])
      const { Reason = '', Cause = '' } = Object.fromEntries(facts)
      return { text: block.textContent ?? '', words: `${Reason}: ${Cause}` }
    }),
  )
  const notes = await element.locator('.note').allTextContents()
  const words = [...failures.map((failure) => failure.words), ...notes]
  assert.ok(
    words.some((each) => each.includes(card?.[1] ?? '')),
    `the card says: ${words.join(' | ')}`,
  )
  for (const { text } of failures) {
    const isConsequence = followedBy !== undefined && text.includes(followedBy)
    if (!isConsequence) includes(text, code, 'a failed step of the card')
  }
}

async function checkPage({ page, code, pageCode = code }: Break, body: Locator): Promise<void> {
  if (typeof page !== 'string') return
  await body
    .filter({ hasText: page })
    .waitFor({ state: 'attached', timeout: 5_000 })
    .catch(() => {})
  const text = (await body.textContent()) ?? ''
  includes(text, page, 'the page')
  includes(text, pageCode, 'the page')
}

/** Words for the provider: on the cover, or in the page of the app where it said hello. */
function checkPanel(item: Break, page: Page, frame: Locator): Promise<void> {
  const { name, panel, code, card } = item
  const cover = page.locator('#apps .cover')
  return inTurn(page, async () => {
    const isOver = (await page.locator('body').getAttribute('data-state')) === 'signed-out'
    const selected = page.locator('#apps [role="tab"][aria-selected="true"]', { hasText: name })
    if (!isOver && (await selected.count()) === 0) {
      await pressTab(page, name)
      await selected.waitFor()
    }
    const isCovered = (await cover.count()) > 0
    const text = (await (isCovered ? cover : frame).textContent()) ?? ''
    includes(text, panel, isCovered ? 'the cover' : 'the page')
    if (isCovered && card?.[0].startsWith('Failed')) includes(text, code, 'the cover')
  })
}
