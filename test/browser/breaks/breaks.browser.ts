// Plays each break of the tables in breaks/ in a real browser: what the page of the app says, what the
// card and the cover of the panel say, after how long, and that all of them name one cause. Many at
// once, in one sandbox and a few charts; nothing is restarted between them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type Break, type BreakRun, SILENT } from './break.ts'
import { type BreakFixture, startBreakFixture } from './fixture.ts'
import { ALL_BREAKS } from './tables.ts'

/** `BREAK=slash npm test -- breaks` plays those whose name contains it. */
const wanted = ALL_BREAKS.filter(({ name }) => name.includes(process.env.BREAK ?? ''))

let fixture: BreakFixture
before(async () => {
  fixture = await startBreakFixture(ALL_BREAKS)
})
after(() => fixture?.stop())

const isSilent = ({ seconds }: Break) => seconds === SILENT
// Of the silent ones the host waits ten seconds for each: all at once.
const GROUPS = [
  [wanted.filter(isSilent), 20],
  [wanted.filter((item) => !isSilent(item)), 3],
] as const

/** For each change of one app the browser lays out and draws again all that are open in its chart. */
const MAX_APPS_OF_CHART = 20
const inOrder = GROUPS.flatMap(([group]) => group).filter(({ isAlone }) => !isAlone)
const charts: Promise<Page>[] = []
function findChart(item: Break): Promise<Page> {
  const place = Math.floor(inOrder.indexOf(item) / MAX_APPS_OF_CHART)
  charts[place] ??= fixture.openChart()
  return charts[place]
}

for (const [group, concurrency] of GROUPS) {
  describe('breaks', { concurrency }, () => {
    for (const item of group) {
      test(`${item.name}: everything names ${item.code}`, (t) =>
        play(item, (line) => t.diagnostic(line)))
    }
  })
}

test('no card names another cause later', async () => {
  for (const item of wanted) {
    if (!item.isAlone && item.card) await checkFailures(item, await findChart(item))
  }
})

async function play(item: Break, say: (line: string) => void): Promise<void> {
  const { name, card, isAlone } = item
  const page = await (isAlone ? fixture.openChart() : findChart(item))
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
  const shown = card
    ? findCard(name, page).locator('.state').filter({ hasText: card[0] })
    : page.locator('#apps .cover').filter({ hasText: item.panel })
  await shown.waitFor({ state: 'attached', timeout: item.seconds * 1_000 + 8_000 })
  const seconds = (performance.now() - startedAt) / 1_000
  say(`${seconds.toFixed(2)} s`)
  if (card) await checkFailures(item, page)
  await checkPage(item, tab?.goto ? tab.locator('body') : findFrame(item, page))
  await checkPanel(item, page)
  assert.ok(seconds <= item.seconds, `${seconds.toFixed(2)} s`)
  if (isAlone) await page.context().close()
}

/** The first launch of the app: later ones of a break are its doing. */
const findCard = (name: string, page: Page): Locator =>
  page.locator(`.launch[data-app="${name}"]`).last()

const findFrame = ({ name }: Break, page: Page): Locator =>
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
async function checkFailures({ name, code, card }: Break, page: Page): Promise<void> {
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
  for (const { text } of failures) includes(text, code, 'a failed step of the card')
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
function checkPanel(item: Break, page: Page): Promise<void> {
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
    const text = (await (isCovered ? cover : findFrame(item, page)).textContent()) ?? ''
    includes(text, panel, isCovered ? 'the cover' : 'the page')
    if (isCovered && card?.[0].startsWith('Failed')) includes(text, code, 'the cover')
  })
}
