// The states of the panel as a test brings them about, each with the name of its picture. The first
// twelve are those of the documentation.
import { APPS, NOW, type PanelFixture } from './panel-fixture.ts'
import { type PanelPage, PRACTICE, VIEW_OF_APPS, WORKERS } from './panel-page.ts'

export interface PanelStateCase {
  readonly name: string
  /** What is visible when the state is there. */
  readonly text: string
  reach(panel: PanelPage, fixture: PanelFixture): Promise<void>
}

const ACCESS = { person: null }
const [NOTES, GAPS, DESK] = APPS

async function startReady(panel: PanelPage): Promise<void> {
  await panel.startSession()
  await panel.waitUntilReady(NOTES.id)
}

const openApp = (panel: PanelPage, name: string) =>
  panel.page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()

export const STATES: readonly PanelStateCase[] = [
  { name: 'ready', text: 'Dr. Amara Okafor', reach: startReady },
  {
    name: 'opening',
    text: 'Still waiting for it, 4 s.',
    async reach(panel, fixture) {
      await startReady(panel)
      fixture.gates.set(GAPS.id, new Promise(() => {}))
      await openApp(panel, GAPS.name)
      await panel.page.clock.setFixedTime(NOW + 4_200)
    },
  },
  {
    name: 'could-not-open',
    text: 'Referral Desk could not open',
    async reach(panel) {
      await startReady(panel)
      await openApp(panel, DESK.name)
    },
  },
  {
    name: 'other-chart',
    text: 'You opened another chart.',
    async reach(panel) {
      await panel.startSession({ chart: 'A' })
      await panel.waitUntilReady(NOTES.id)
      await panel.appPage(NOTES.id).locator('textarea').fill('Note of A')
      await panel.page.waitForTimeout(50)
      await panel.send({ type: 'chart', chart: 'B' })
    },
  },
  {
    name: 'signed-out',
    text: 'Sign in to open the apps of your practice',
    reach: (panel) => panel.show({ kind: 'signed_out', because: null }, ACCESS),
  },
  {
    name: 'signing-in',
    text: 'Continue in the tab that has opened',
    reach: (panel) =>
      panel.show({ kind: 'signing_in', matchCode: 'ZQYP-J9HB', expiresAt: NOW + 581_000 }, ACCESS),
  },
  {
    name: 'ends-soon',
    text: 'You will be signed out in 1:52',
    async reach(panel) {
      await startReady(panel)
      await panel.show(VIEW_OF_APPS(), { signsOutAt: NOW + 112_000 })
    },
  },
  {
    name: 'renewing',
    text: 'It opens again in a moment.',
    async reach(panel, fixture) {
      fixture.service.tokenLifetimeSeconds = 1
      await startReady(panel)
      fixture.gates.set(NOTES.id, new Promise(() => {}))
    },
  },
  {
    name: 'switched-off',
    text: 'An administrator stopped it at 6:21 PM.',
    async reach(panel, fixture) {
      await startReady(panel)
      await fixture.service.followed
      fixture.service.endLaunch('lau_1', 'app_disabled')
    },
  },
  {
    name: 'offline',
    text: 'No connection to Chartside',
    async reach(panel) {
      await startReady(panel)
      await panel.show(VIEW_OF_APPS(), { isOffline: true })
    },
  },
  {
    name: 'no-ehr',
    text: 'No chart in this tab',
    reach: (panel) =>
      panel.show({
        kind: 'no_ehr',
        ehrs: [
          { name: 'Meadow EHR', practice: PRACTICE.name },
          { name: 'Summit Clinical', practice: PRACTICE.name },
        ],
        missingAccess: [],
      }),
  },
  {
    name: 'background',
    text: 'In the background',
    async reach(panel) {
      await panel.startSession({ workers: FAILED_WORKERS })
      await panel.waitUntilReady(NOTES.id)
      await panel.page.getByRole('button', { name: '1 needs attention' }).click()
    },
  },
  {
    name: 'nothing-set-up',
    text: 'No apps for Summit Clinical yet',
    reach: (panel) =>
      panel.show({ kind: 'nothing_set_up', ehrName: 'Summit Clinical', practice: PRACTICE }),
  },
  {
    name: 'not-launched',
    text: 'Growth Chart was switched off',
    async reach(panel, fixture) {
      await startReady(panel)
      fixture.switchedOff.add('app_growth')
      await openApp(panel, 'Growth Chart')
    },
  },
  {
    name: 'setup-needed',
    text: 'Chartside is not set up on this computer',
    reach: (panel) => panel.show({ kind: 'setup_needed' }, ACCESS),
  },
  {
    name: 'access-missing',
    text: 'Allow Meadow EHR',
    reach: (panel) =>
      panel.show({
        kind: 'no_ehr',
        ehrs: [{ name: 'Meadow EHR', practice: PRACTICE.name }],
        missingAccess: [{ ehrName: 'Meadow EHR', origins: ['https://meadow.example/*'] }],
      }),
  },
  {
    name: 'choose-practice',
    text: 'Which practice is this chart of?',
    reach: (panel) =>
      panel.show({
        kind: 'choose_practice',
        ehrName: 'Meadow EHR',
        practices: [PRACTICE, { id: 'acc_2', name: 'Harbor Clinic' }],
      }),
  },
  {
    name: 'session-failed',
    text: 'Your apps could not open',
    reach: (panel) =>
      panel.show({
        kind: 'failed',
        ehrName: 'Meadow EHR',
        code: 'region_not_allowed',
        message: 'The address of this computer is not in an allowed region.',
        traceId: 'cf58c034575e6470',
      }),
  },
  {
    name: 'menu',
    text: 'Report a problem',
    async reach(panel) {
      await startReady(panel)
      await panel.page.getByRole('button', { name: 'More' }).click()
    },
  },
  {
    name: 'report',
    text: 'The facts below name no patient.',
    async reach(panel) {
      await startReady(panel)
      await panel.page.getByRole('button', { name: 'More' }).click()
      await panel.page.getByRole('menuitem', { name: /Report a problem/ }).click()
    },
  },
  {
    name: 'unsaved-work',
    text: 'Visit Notes has work that is not saved',
    async reach(panel) {
      await startReady(panel)
      await panel.appPage(NOTES.id).locator('textarea').fill('Unsaved words')
      await panel.page.getByRole('button', { name: 'More' }).click()
      await panel.page.getByRole('menuitem', { name: 'Launch Visit Notes again' }).click()
    },
  },
  {
    name: 'support-open',
    text: 'Copy for support',
    async reach(panel) {
      await startReady(panel)
      await openApp(panel, DESK.name)
      await panel.page.locator('summary').click()
    },
  },
  {
    name: 'diagnostics',
    text: 'Launch of Referral Desk',
    async reach(panel) {
      await startReady(panel)
      await openApp(panel, DESK.name)
      const person = {
        name: 'Dana Developer',
        email: 'dana@vendor.example',
        isDeveloper: true,
      } as const
      await panel.show(VIEW_OF_APPS(), { person })
      await panel.page.getByRole('button', { name: 'More' }).click()
      await panel.page.getByRole('menuitem', { name: 'Diagnostics' }).click()
    },
  },
  {
    name: 'choose-app',
    text: 'Choose an app',
    reach: (panel) => panel.startSession({ autoLaunch: false }),
  },
]

const FAILED_WORKERS = [
  {
    appId: 'app_coding',
    name: 'Coding Watch',
    state: { kind: 'failed', code: 'HANDSHAKE_TIMEOUT', cause: 'No hello.', fix: 'Check the app.' },
  },
  { ...WORKERS[0], appId: 'app_recall', name: 'Recall Finder', state: { kind: 'ready' } },
] as const
