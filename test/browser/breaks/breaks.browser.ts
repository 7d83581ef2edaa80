// Plays each break of the tables in breaks/ in a real browser: what the page of the app says, what the
// card and the cover of the panel say, after how long, and that all of them name one cause. Many at
// once, in one sandbox and a few charts; nothing is restarted between them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Break, SILENT } from './break.ts'
import { MISTAKES } from './first-hour.ts'
import { type BreakFixture, startBreakFixture } from './fixture.ts'
import { checkFailures, playBreak } from './player.ts'
import { ALL_BREAKS } from './tables.ts'

/** first-hour.browser.ts plays the others. `BREAK=slash npm test -- breaks` plays those whose name contains it. */
const inFirstHour = new Set(MISTAKES.map(({ item }) => item))
const wanted = ALL_BREAKS.filter(
  (item) => !inFirstHour.has(item) && item.name.includes(process.env.BREAK ?? ''),
)

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
/** The cover is that of the selected tab: no other is pressed beside a break that only it shows. */
const isAlone = (item: Break) => item.isAlone === true || item.card === null
const inOrder = GROUPS.flatMap(([group]) => group).filter((item) => !isAlone(item))
const charts: Promise<Page>[] = []
function findChart(item: Break): Promise<Page> {
  const place = Math.floor(inOrder.indexOf(item) / MAX_APPS_OF_CHART)
  charts[place] ??= fixture.openChart()
  return charts[place]
}
/** Each for one break after another. */
const freeCharts: Page[] = []

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
    if (!isAlone(item)) await checkFailures(item, await findChart(item))
  }
})

/** Other work of the machine delays one try, not each of three. */
const MAX_TRIES = 3

async function play(item: Break, say: (line: string) => void): Promise<void> {
  const tries: number[] = []
  do {
    const isFirst = tries.length === 0
    const isShared = isFirst && !isAlone(item)
    const free = isFirst && !isShared ? freeCharts.pop() : undefined
    const page = isShared ? await findChart(item) : (free ?? (await fixture.openChart()))
    tries.push(await playBreak(fixture, item, page))
    if (item.endsChart) await page.context().close()
    else if (!isShared) freeCharts.push(page)
  } while (Math.min(...tries) > item.seconds && tries.length < MAX_TRIES)
  const shown = `${tries.map((one) => one.toFixed(2)).join(', ')} s`
  say(shown)
  assert.ok(Math.min(...tries) <= item.seconds, shown)
}
