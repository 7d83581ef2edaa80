// What a play is: a service with people and data, and chapters that bring a page into one state after another.
// `npm test` plays the chapters that are cheap, `npm run tool -- pictures` all of them, in their order.
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { ConsoleFixture } from '../console-fixture.ts'
import { lookAt, SIZE, type Take } from './taking.ts'

export interface Chapter {
  readonly title: string
  /** Played by `npm test` too. A chapter that is not may build on all that stand before it. */
  readonly isQuick: boolean
  play(): Promise<void>
}

export interface Play {
  start(): Promise<void>
  stop(): Promise<void>
  /** After each chapter. */
  check(): Promise<void>
  readonly chapters: readonly Chapter[]
}

export type MakePlay = (take: Take) => Play

/** Registers the cheap chapters as tests. */
export function testQuickChapters(make: MakePlay): void {
  const play = make(lookAt)
  before(() => play.start())
  after(() => play.stop())
  afterEach(() => play.check())
  for (const chapter of play.chapters.filter(({ isQuick }) => isQuick)) {
    test(chapter.title, () => chapter.play())
  }
}

/** A page of the size of the pictures, whose clock is that of the service. */
export async function beginPage(fixture: ConsoleFixture): Promise<Page> {
  const page = await fixture.begin({ viewport: SIZE, timezoneId: 'America/New_York' })
  await page.clock.setFixedTime(fixture.service.clock() + 60_000)
  return page
}

/** Holds the answers of an address until the returned function is called; they are then those of the service. */
export async function holdAnswers(
  page: Page,
  pattern: string | RegExp,
): Promise<() => Promise<void>> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(pattern, async (route) => {
    await held
    await route.continue().catch(() => {})
  })
  return async () => {
    release()
    await page.unroute(pattern)
  }
}
