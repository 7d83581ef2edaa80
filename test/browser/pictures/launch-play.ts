// The states of launches, EHR sessions and audit: one practice, one vendor, and launches that become ready,
// fail, fall silent and end. The chapters of one stage follow each other.
import type { Locator } from 'playwright-core'
import { DatabaseUnavailable } from '../../../packages/server/src/db/database.ts'
import { ADMIN } from '../../../packages/server/test/test-service.ts'
import { type ConsoleFixture, type Credentials, startConsole } from '../console-fixture.ts'
import { type Launched, type Launching, startLaunching } from '../console-launching.ts'
import { auditChapters } from './audit-chapters.ts'
import { beginPage, type Chapter, holdAnswers, type Play } from './plays.ts'
import type { Take } from './taking.ts'

export interface LaunchStage {
  fixture: ConsoleFixture
  launching: Launching
  admin: Credentials
  developer: Credentials
}

export function playLaunches(take: Take): Play {
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
    chapters: [...launchChapters(take, stage), ...auditChapters(take, stage)],
  }
}

const HOSTILE = {
  appName: '"><img src=x onerror="window.ran=1"><script>window.ran=1</script>',
  vendorName: `${"'".repeat(3)}<svg/onload=window.ran=1>`,
  providerName: `Dr. <b onmouseover=window.ran=1>${'W'.repeat(60)}</b>`,
  ehrName: '{{constructor.constructor("window.ran=1")()}}',
  deviceId: `javascript:window.ran=1//${'x'.repeat(80)}`,
}

function launchChapters(take: Take, stage: LaunchStage): Chapter[] {
  const picture = (name: string, place?: Locator) =>
    take(stage.fixture.page, 'launches', name, place)
  const button = (name: string) => stage.fixture.page.getByRole('button', { name, exact: true })
  const at = (accountId: string, path: string) => `/console/${accountId}/${path}`
  const goTo = (path: string) => stage.fixture.page.goto(stage.fixture.base + path)
  const ofPractice = (path: string) => at(stage.fixture.accountId, path)
  const verdict = () => stage.fixture.page.locator('.verdict').first().waitFor()
  const rows = () => stage.fixture.page.locator('tbody tr')
  let good: Launched
  let failed: Launched
  let silent: Launched
  let refused: Launched

  async function fill() {
    const { fixture, launching } = stage
    for (let i = 0; i < 6; i++) {
      fixture.service.clock.advance(3)
      await launching.ready()
    }
    for (let i = 0; i < 3; i++) {
      fixture.service.clock.advance(2)
      await launching.failExchange()
    }
    refused = await launching.launch()
    await fetch(launching.authorizeUrl(refused.launchId, 'https://notes.example/callbak'))
    silent = await launching.launch()
    const failure = { step: 'handshake', outcome: 'failed', code: 'HANDSHAKE_TIMEOUT', detail: '' }
    await launching.report(silent.id, failure)
    fixture.service.clock.advance(2)
    failed = await launching.failExchange()
    good = await launching.ready()
  }

  return [
    {
      title: 'launches: none, the list, causes, one launch, a comparison',
      isQuick: true,
      async play() {
        const { fixture, admin, developer, launching } = stage
        await beginPage(fixture)
        await fixture.signIn(admin, ofPractice('launches'))
        await fixture.page.getByText('No launches yet').waitFor()
        await picture('empty')
        await fill()
        const page = await beginPage(fixture)
        await fixture.signIn(admin, ofPractice('launches'))
        await page.getByRole('heading', { name: /One cause/ }).waitFor()
        await rows().first().waitFor()
        await picture('list')
        await page.getByRole('combobox', { name: 'App' }).click()
        await page.getByRole('option', { name: 'Visit Notes' }).waitFor()
        await picture('picker')
        await page.keyboard.press('Escape')
        await goTo(ofPractice(`launches/${good.id}`))
        await fixture.heading('Visit Notes is ready')
        await picture('ready')
        await goTo(ofPractice(`launches/${failed.id}`))
        await verdict()
        await picture('failed')
        await button('Compare with a good launch').click()
        const table = page.getByRole('table', { name: 'Time of each step in both launches' })
        await picture('compared', table)
        await goTo(ofPractice(`launches/${silent.id}`))
        await verdict()
        await picture('silent')
        await goTo(ofPractice(`launches/${good.id}`))
        await button('End this launch').first().click()
        await picture('end')
        const theirs = await beginPage(fixture)
        await fixture.signIn(developer, at(launching.vendorId, `launches/${refused.id}`))
        await verdict()
        await picture('developer')
        await goTo(at(launching.vendorId, 'launches'))
        await theirs.getByRole('combobox', { name: 'Practice' }).click()
        await theirs.getByRole('option', { name: /^Lakeside/ }).waitFor()
        await picture('vendor')
      },
    },
    {
      title: 'EHR sessions: the list, and the end of one',
      isQuick: true,
      async play() {
        const { fixture } = stage
        await beginPage(fixture)
        await fixture.signIn(ADMIN, ofPractice('sessions'))
        await rows().first().waitFor()
        await picture('ehr-sessions')
        await button('End').first().click()
        await picture('ehr-session-end')
      },
    },
    {
      title: 'launches: slow, filtered, waiting, opening, ended, offline',
      isQuick: false,
      async play() {
        const { fixture, admin, launching } = stage
        const page = await beginPage(fixture)
        await fixture.signIn(admin, ofPractice('launches?outcome=failed'))
        await rows().first().waitFor()
        await picture('failures')
        const release = await holdAnswers(page, '**/api/launches?*')
        await goTo(ofPractice('launches'))
        await page.locator('.skeleton').waitFor()
        await picture('loading')
        await release()
        await rows().first().waitFor()
        await goTo(ofPractice('launches?reason=pkce_missing'))
        await page.getByText('No launch matches').waitFor()
        await picture('no-match')
        await goTo(ofPractice('launches'))
        await rows().first().waitFor()
        await page.getByLabel('Trace id or launch').fill('00000000deadbeef')
        await button('Find').click()
        await page.getByText('No launch that you see has this trace id.').first().waitFor()
        await picture('unknown-trace')
        await goTo(ofPractice('launches'))
        await rows().first().locator('a').first().focus()
        const opening = await launching.launch()
        await button('1 new').waitFor()
        await picture('waiting')
        await goTo(ofPractice(`launches/${opening.id}`))
        await fixture.heading('Visit Notes is opening')
        await picture('opening')
        await launching.finish(opening)
        await goTo(ofPractice(`launches/${opening.id}`))
        await fixture.heading('Visit Notes is ready')
        await button('End this launch').first().click()
        await page.getByRole('dialog').getByRole('textbox').fill('Visit Notes')
        await page.getByRole('dialog').getByRole('button', { name: 'End this launch' }).click()
        await fixture.heading('Visit Notes has ended')
        await picture('ended')
        await goTo(ofPractice('launches'))
        await rows().first().waitFor()
        await page.context().setOffline(true)
        await page.getByText('You are offline').waitFor()
        await page.getByText('Not live now').waitFor()
        await picture('offline')
        await page.context().setOffline(false)
        await goTo(ofPractice('sessions?state=ended'))
        await page.getByText('No EHR session').waitFor()
        await picture('ehr-sessions-none')
      },
    },
    {
      title: 'launches: what strangers wrote',
      isQuick: false,
      async play() {
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
    },
    {
      title: 'launches: an app during an outage',
      isQuick: false,
      async play() {
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
          await take(page, 'signIn', 'outage-launch')
        } finally {
          Object.assign(db, { read })
        }
      },
    },
  ]
}
