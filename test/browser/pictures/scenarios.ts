// A set of scenarios has a service with people and data; its scenarios bring a page into one state after another.
// `npm run tool -- pictures` plays all of them, in their order.
import type { Locator, Page } from 'playwright-core'
import type { ConsoleFixture } from '../console-fixture.ts'
import { type Capture, SIZE } from './captures.ts'
import type { AreaName } from './states.ts'

export interface Scenario {
  readonly title: string
  /** May build on all that stand before it. */
  run(): Promise<void>
}

export interface ScenarioSet {
  start(): Promise<void>
  stop(): Promise<void>
  /** After each scenario. */
  check(): Promise<void>
  readonly scenarios: readonly Scenario[]
}

export type BuildScenarios = (capture: Capture) => ScenarioSet

/** What the scenarios of one area do on the page that the fixture shows. */
export function buildControls(
  capture: Capture,
  stage: { readonly fixture: ConsoleFixture },
  area: AreaName,
) {
  const page = () => stage.fixture.page
  return {
    capture,
    picture: (name: string, place?: Locator) => capture(page(), area, name, place),
    button: (name: string | RegExp) =>
      page().getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }),
    field: (label: string) => page().getByLabel(label, { exact: true }),
    at: (path: string, accountId = stage.fixture.accountId) => `/console/${accountId}/${path}`,
    goTo: (path: string) => page().goto(stage.fixture.base + path),
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
