// States and events for the tests of the background's rules: a practice, a signed-in person, a tab
// with a live session. Not part of the package.
import type { EhrSession, OpenedLaunch } from '@chartside/protocol/launch'
import { decide } from './decide.ts'
import type { Effect, Event } from './events.ts'
import { emptyState, type PracticeEhrs, type PreparedSignIn, type State } from './state.ts'

export const SETTINGS = { service: 'https://chartside.example', accountId: null, isManaged: false }
export const PREPARED: PreparedSignIn = {
  sessionId: 'sign-in-1',
  verifier: 'verifier',
  matchCode: 'K7QM-29XD',
  hostOrigin: 'chrome-extension://abc',
  expiresAt: 600_000,
}
export const PERSON = { id: 'usr_1', name: 'Dr. Okafor', email: 'amara@lakeside.example' }

const practice = (id: string, host: string): PracticeEhrs => ({
  practice: { id, name: `Practice ${id}` },
  etag: '"1"',
  ehrs: [{ ehrType: 'meadow', name: 'Meadow EHR', matches: [`https://${host}/chart/*`] }],
})
export const LAKESIDE = practice('acc_1', 'ehr.example')
export const NORTHGATE = practice('acc_2', 'north.example')
export const CHART = 'https://ehr.example/chart/1'

export const session = (id: string, accountId = 'acc_1'): EhrSession => ({
  id,
  userId: PERSON.id,
  account: { id: accountId, name: `Practice ${accountId}` },
  ehrType: 'meadow',
  deviceId: 'dev_1',
  state: 'live',
  collection: null,
  ehr: null,
  apps: [{ id: 'app_1', name: 'Visit Notes', kinds: ['ui', 'worker'], autoLaunch: true }],
  createdAt: '2026-01-01T00:00:00Z',
})

export const launch = (id: string, kind: 'ui' | 'worker', sessionId: string): OpenedLaunch => ({
  id,
  launchId: `lnch_${id}`,
  kind,
  launchUrl: `https://notes.example/launch?launch_id=lnch_${id}`,
  expiresAt: '2026-01-01T00:05:00Z',
  app: { id: 'app_1', name: 'Visit Notes', origins: ['https://notes.example'] },
  seed: {
    userId: PERSON.id,
    account: { id: 'acc_1', name: 'Practice acc_1' },
    ehrType: 'meadow',
    sessionId,
    deviceId: 'dev_1',
  },
})

/** Applies events one after another; `effects` are those of the last one. */
export function play(
  events: readonly Event[],
  from: State = emptyState('dev_1', SETTINGS),
): { readonly state: State; readonly effects: readonly Effect[] } {
  return events.reduce<{ state: State; effects: readonly Effect[] }>(
    ({ state }, event) => decide(state, event),
    { state: from, effects: [] },
  )
}

export const signedIn = (practices: readonly PracticeEhrs[] = [LAKESIDE]): Event[] => [
  { type: 'sign_in_asked', prepared: PREPARED, originTabId: 1 },
  { type: 'sign_in_tab_opened', tabId: 90, originTabId: 1 },
  {
    type: 'signed_in',
    service: SETTINGS.service,
    sessionId: 'sign-in-1',
    token: 'st_1',
    person: PERSON,
    now: 0,
  },
  { type: 'practices_loaded', token: 'st_1', practices },
]

/** Returns the events up to a live session in tab 1, with a signed-in person. */
export const live = (): Event[] => [
  ...signedIn(),
  { type: 'page_seen', tabId: 1, url: CHART },
  {
    type: 'session_opened',
    tabId: 1,
    attempt: 1,
    session: session('ses_1'),
    launches: [launch('lau_1', 'worker', 'ses_1'), launch('lau_2', 'ui', 'ses_1')],
  },
]

export const CHARTS = ['https://ehr.example/chart/:chart{/*}?']

/** Returns the events of {@link live}, on an EHR whose charts the practice has described. */
export const guarded = (): Event[] =>
  live().map((event) =>
    event.type === 'session_opened'
      ? { ...event, session: { ...event.session, ehr: GUARDED_EHR }, chartKey: 'key_1' }
      : event,
  )
/** The same in tabs 1 and 2, each with a session of its own. */
export const guardedTabs = (): Event[] => [
  ...guarded(),
  { type: 'page_seen', tabId: 2, url: CHART },
  {
    ...{ type: 'session_opened', tabId: 2, attempt: 2, launches: [], chartKey: 'key_2' },
    session: { ...session('ses_2'), ehr: GUARDED_EHR },
  },
]

const GUARDED_EHR = { ehrType: 'meadow', name: 'Meadow EHR', matches: [], charts: CHARTS }

export const listTypes = (effects: readonly Effect[]): string[] => effects.map(({ type }) => type)
