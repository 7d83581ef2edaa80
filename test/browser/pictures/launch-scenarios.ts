// The states of launches, EHR sessions and audit: one practice, one vendor, and launches that become ready,
// fail, fall silent and end. The scenarios of one stage follow each other.

import { DatabaseUnavailable } from '../../../packages/server/src/db/database.ts'
import { ADMIN } from '../../../packages/server/test/test-service.ts'
import { type ConsoleFixture, type Credentials, startConsole } from '../console-fixture.ts'
import { type Launching, startLaunching } from '../console-launching.ts'
import { auditScenarios } from './audit-scenarios.ts'
import type { Capture } from './captures.ts'
import {
  beginPage,
  buildControls,
  holdAnswers,
  type Scenario,
  type ScenarioSet,
} from './scenarios.ts'

export interface LaunchStage {
  fixture: ConsoleFixture
  launching: Launching
  admin: Credentials
  developer: Credentials
}

export function buildLaunchesScenarios(capture: Capture): ScenarioSet {
  const stage = {} as LaunchStage
  return {
    async start() {
      const fixture = await startConsole()
      const launching = await startLaunching(fixture, {
        appName: 'Visit Notes',
        vendorName: 'Sample Apps',
        providerName: 'Dr. Amara Okafor',
        pause: () => fixture.service.clock.advance(0.037),
      })
      const developer = await fixture.addPerson('Dana Developer', 'developer', launching.vendorId)
      const admin = await fixture.addPerson('Pat Admin', 'admin')
      Object.assign(stage, { fixture, launching, developer, admin })
    },
    stop: () => stage.fixture?.stop(),
    check: () => stage.fixture.assertPolicyKept(),
    scenarios: [...launchScenarios(capture, stage), ...auditScenarios(capture, stage)],
  }
}

const HOSTILE = {
  appName: '"><img src=x onerror="window.ran=1"><script>window.ran=1</script>',
  vendorName: `${"'".repeat(3)}<svg/onload=window.ran=1>`,
  providerName: `Dr. <b onmouseover=window.ran=1>${'W'.repeat(60)}</b>`,
  ehrName: '{{constructor.constructor("window.ran=1")()}}',
  deviceId: `javascript:window.ran=1//${'x'.repeat(80)}`,
}

function launchScenarios(capture: Capture, stage: LaunchStage): Scenario[] {
  const tools = buildTools(capture, stage)
  return [
    listAndComparison(tools),
    ehrSessions(tools),
    filtersAndOutages(tools),
    hostileTexts(tools),
    outage(tools),
  ]
}

const buildTools = (capture: Capture, stage: LaunchStage) => ({
  ...buildControls(capture, stage, 'launches'),
  stage,
  verdict: () => stage.fixture.page.locator('.verdict').first().waitFor(),
  rows: () => stage.fixture.page.locator('tbody tr:visible'),
})

type Tools = ReturnType<typeof buildTools>

/** Makes launches that become ready, fail, are refused and fall silent; returns one of each. */
async function fill({ fixture, launching }: LaunchStage) {
  for (let i = 0; i < 6; i++) {
    fixture.service.clock.advance(3)
    await launching.ready()
  }
  for (let i = 0; i < 3; i++) {
    fixture.service.clock.advance(2)
    await launching.failExchange()
  }
  const refused = await launching.launch()
  await fetch(launching.authorizeUrl(refused.launchId, 'https://notes.example/callbak'))
  const silent = await launching.launch()
  const failure = { step: 'handshake', outcome: 'failed', code: 'HANDSHAKE_TIMEOUT', detail: '' }
  await launching.report(silent.id, failure)
  fixture.service.clock.advance(2)
  const failed = await launching.failExchange()
  const good = await launching.ready()
  return { refused, silent, failed, good }
}

const listAndComparison = ({
  stage,
  picture,
  button,
  at,
  goTo,
  verdict,
  rows,
}: Tools): Scenario => ({
  title: 'launches: none, the list, causes, one launch, a comparison',
  async run() {
    const { fixture, admin, developer, launching } = stage
    await beginPage(fixture)
    await fixture.signIn(admin, at('launches'))
    await fixture.page.getByText('No launches yet').waitFor()
    await picture('empty')
    const { refused, silent, failed, good } = await fill(stage)
    const page = await beginPage(fixture)
    await fixture.signIn(admin, at('launches'))
    await page.getByRole('heading', { name: /One cause/ }).waitFor()
    await rows().first().waitFor()
    await picture('list')
    await page.getByRole('combobox', { name: 'App' }).click()
    await page.getByRole('option', { name: 'Visit Notes' }).waitFor()
    await picture('picker')
    await page.keyboard.press('Escape')
    await goTo(at(`launches/${good.id}`))
    await fixture.heading('Visit Notes is ready')
    await picture('ready')
    await goTo(at(`launches/${failed.id}`))
    await verdict()
    await picture('failed')
    await button('Compare with a good launch').click()
    const table = page.getByRole('table', { name: 'Time of each step in both launches' })
    await picture('compared', table)
    await goTo(at(`launches/${silent.id}`))
    await verdict()
    await picture('silent')
    await goTo(at(`launches/${good.id}`))
    await button('End this launch').first().click()
    await picture('end')
    const theirs = await beginPage(fixture)
    await fixture.signIn(developer, at(`launches/${refused.id}`, launching.vendorId))
    await verdict()
    await picture('developer')
    await goTo(at('launches', launching.vendorId))
    await theirs.getByRole('combobox', { name: 'Practice' }).click()
    await theirs.getByRole('option', { name: /^Lakeside/ }).waitFor()
    await picture('vendor')
  },
})

const ehrSessions = ({ at, button, picture, rows, stage }: Tools): Scenario => ({
  title: 'EHR sessions: the list, and the end of one',
  async run() {
    const { fixture } = stage
    await beginPage(fixture)
    await fixture.signIn(ADMIN, at('sessions'))
    await rows().first().waitFor()
    await picture('ehr-sessions')
    await button('End').first().click()
    await picture('ehr-session-end')
  },
})

const filtersAndOutages = ({ at, button, goTo, picture, rows, stage }: Tools): Scenario => ({
  title: 'launches: slow, filtered, waiting, opening, ended, offline',
  async run() {
    const { fixture, admin, launching } = stage
    const page = await beginPage(fixture)
    await fixture.signIn(admin, at('launches?outcome=failed'))
    await rows().first().waitFor()
    await picture('failures')
    const release = await holdAnswers(page, '**/api/launches?*')
    await goTo(at('launches'))
    await page.locator('.skeleton').waitFor()
    await picture('loading')
    await release()
    await rows().first().waitFor()
    await goTo(at('launches?reason=pkce_missing'))
    await page.getByText('No launch matches').waitFor()
    await picture('no-match')
    await goTo(at('launches'))
    await rows().first().waitFor()
    await page.getByLabel('Trace id or launch').fill('00000000deadbeef'.repeat(2))
    await button('Find').click()
    await page
      .getByText(/^No launch that you see has this trace id/)
      .first()
      .waitFor()
    await picture('unknown-trace')
    await goTo(at('launches'))
    await rows().first().locator('a').first().focus()
    const opening = await launching.launch()
    await button('1 new').waitFor()
    await picture('waiting')
    await goTo(at(`launches/${opening.id}`))
    await fixture.heading('Visit Notes is opening')
    await picture('opening')
    await launching.finish(opening)
    await goTo(at(`launches/${opening.id}`))
    await fixture.heading('Visit Notes is ready')
    await button('End this launch').first().click()
    await page.getByRole('dialog').getByRole('textbox').fill('Visit Notes')
    await page.getByRole('dialog').getByRole('button', { name: 'End this launch' }).click()
    await fixture.heading('Visit Notes has ended')
    await picture('ended')
    await goTo(at('launches'))
    await rows().first().waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline').waitFor()
    await page.getByText('Not live now').waitFor()
    await picture('offline')
    await page.context().setOffline(false)
    await goTo(at('sessions?state=ended'))
    await page.getByText('No EHR session').waitFor()
    await picture('ehr-sessions-none')
  },
})

const hostileTexts = ({ stage, picture, verdict }: Tools): Scenario => ({
  title: 'launches: what strangers wrote',
  async run() {
    const { fixture } = stage
    const hostile = await startLaunching(fixture, HOSTILE)
    const launch = await hostile.launch()
    const redirect = `https://evil.example/"><script>window.ran=1</script>/${'a'.repeat(300)}`
    await fetch(hostile.authorizeUrl(launch.launchId, redirect))
    await beginPage(fixture)
    await fixture.signIn(ADMIN, `/console/platform/launches/${launch.id}`)
    await verdict()
    await picture('hostile')
  },
})

const outage = ({ capture, stage }: Tools): Scenario => ({
  title: 'launches: an app during an outage',
  async run() {
    const { fixture, launching } = stage
    const { launchId } = await launching.launch()
    const { db } = fixture.service.service
    const { read } = db
    const page = await beginPage(fixture)
    Object.assign(db, {
      read: () => Promise.reject(new DatabaseUnavailable(new Error('away'))),
    })
    try {
      await page.goto(launching.authorizeUrl(launchId))
      await page.getByRole('heading', { name: 'This app cannot be opened right now' }).waitFor()
      await capture(page, 'signIn', 'outage-launch')
    } finally {
      Object.assign(db, { read })
    }
  },
})
