// What each event makes of a state, and which effects it has: a row for each kind of event at least, or
// this file does not compile. Effects are compared whole, so one that is missing or too many fails.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Effect, Event } from './events.ts'
import { buildPanelState, findFirstApp, NO_TAB } from './panel-state.ts'
import {
  CHART,
  guarded,
  LAKESIDE,
  launch,
  live,
  NORTHGATE,
  PERSON,
  PREPARED,
  play,
  SETTINGS,
  session,
  signedIn,
} from './rules-fixture.ts'
import type { State } from './state.ts'

interface Row<Type extends Event['type']> {
  readonly given: readonly Event[]
  readonly when: Omit<Extract<Event, { type: Type }>, 'type'>
  readonly effects: readonly Effect[]
  /** A view of the next state, and what it is. */
  readonly next?: readonly [view: (state: State) => unknown, expected: unknown]
}

const token = 'st_1'
const sessionId = 'ses_1'
const originTabId = 1
const UNHOST: Effect = { type: 'unhost', sessionId }
const END = { type: 'end_session', token, sessionId } as const
const CLOSE_SIGN_IN: Effect = { type: 'close_sign_in_tab', tabId: 90, originTabId }
const LOAD = {
  type: 'load_practices',
  token,
  accountId: null,
  known: [LAKESIDE],
} as const
const LIST: Effect = { type: 'list_sessions', token, isLater: true }
const TARGET = { practice: LAKESIDE.practice, ehrType: 'meadow', ehrName: 'Meadow EHR' }
const SHARED = { ...NORTHGATE, ehrs: LAKESIDE.ehrs }
const WORKER = { appId: 'app_1', name: 'Visit Notes', state: { kind: 'ready' } } as const
const FAILURE = { code: 'busy', message: 'Later.', traceId: null, isTransient: true }
const MINUTE = 60_000

const waiting = signedIn().slice(0, 2)
const seen: Event = { type: 'page_seen', tabId: 1, url: CHART }
const panelOpened = { type: 'panel_opened', tabId: 1, isEmbedded: false } as const
const framed: Event = { type: 'panel_launches', tabId: 1, launches: ['lau_2'] }
const failed: Event[] = [
  ...signedIn(),
  seen,
  { type: 'session_refused', tabId: 1, attempt: 1, failure: FAILURE },
]
const PROPOSED = {
  type: 'settings_changed',
  settings: { ...SETTINGS, proposed: 'https://other.example' },
} as const
const choosing: Event[] = [...signedIn([LAKESIDE, SHARED]), seen, { ...seen, tabId: 2 }]
const chosen: Event[] = [
  ...choosing,
  { type: 'practice_chosen', tabId: 1, practiceId: 'acc_1' },
  { type: 'session_opened', tabId: 1, attempt: 1, session: session(sessionId), launches: [] },
]

const open = (
  attempt: number,
  changes: Partial<Extract<Effect, { type: 'open_session' }>> = {},
): Effect => ({
  type: 'open_session',
  ...{ token, tabId: 1, attempt, target: TARGET, deviceId: 'dev_1', launch: ['worker'] },
  ...changes,
})

const kindOf = ({ tabs }: State) => tabs[1]?.session.kind ?? 'forgotten'
const workersOf = ({ tabs }: State) =>
  tabs[1]?.session.kind === 'live' ? tabs[1].session.workers : null
const panelOf = ({ tabs }: State) => tabs[1]?.panel
const signInOf = ({ signIn }: State) => signIn.kind

const ROWS: { readonly [Type in Event['type']]: readonly Row<Type>[] } = {
  // recovery.test.ts has the rest.
  started: [
    { given: live(), when: { tabs: [1], panels: [], hosted: [sessionId], now: 0 }, effects: [] },
  ],
  settings_changed: [
    {
      given: live(),
      when: { settings: { ...SETTINGS, service: 'https://other.example' } },
      effects: [{ type: 'sign_out', service: SETTINGS.service, token }, UNHOST],
      next: [signInOf, 'out'],
    },
    {
      given: live(),
      when: { settings: { ...SETTINGS, accountId: 'acc_1' } },
      effects: [{ ...LOAD, accountId: 'acc_1' }, LIST],
      next: [signInOf, 'in'],
    },
    { given: live(), when: { settings: SETTINGS }, effects: [] },
    {
      given: live(),
      when: { settings: PROPOSED.settings },
      effects: [LOAD, LIST],
      next: [signInOf, 'in'],
    },
    { given: waiting, when: { settings: null }, effects: [CLOSE_SIGN_IN], next: [signInOf, 'out'] },
  ],
  service_chosen: [
    {
      given: [...live(), PROPOSED],
      when: { isProposed: true },
      effects: [{ type: 'confirm_service', service: 'https://other.example' }],
      next: [kindOf, 'live'],
    },
    {
      given: [PROPOSED],
      when: { isProposed: false },
      effects: [{ type: 'confirm_service', service: SETTINGS.service }],
    },
    { given: live(), when: { isProposed: true }, effects: [] },
    { given: live(), when: { isProposed: false }, effects: [] },
  ],
  sign_in_asked: [
    {
      given: [],
      when: { prepared: PREPARED, originTabId },
      effects: [
        { type: 'open_sign_in_tab', prepared: PREPARED, accountId: null, originTabId },
        { type: 'poll_sign_in', prepared: PREPARED },
      ],
      next: [signInOf, 'waiting'],
    },
    { given: live(), when: { prepared: PREPARED, originTabId }, effects: [] },
  ],
  sign_in_tab_opened: [
    { given: waiting.slice(0, 1), when: { tabId: 90, originTabId }, effects: [] },
    { given: [], when: { tabId: 90, originTabId }, effects: [CLOSE_SIGN_IN] },
    { given: live(), when: { tabId: 90, originTabId }, effects: [CLOSE_SIGN_IN] },
  ],
  sign_in_approved: [
    {
      given: waiting,
      when: { tabId: 90, proof: 'proof' },
      effects: [],
      next: [({ signIn }) => signIn.kind === 'waiting' && signIn.proof, 'proof'],
    },
    {
      given: waiting,
      when: { tabId: 91, proof: 'proof' },
      effects: [],
      next: [({ signIn }) => signIn.kind === 'waiting' && signIn.proof, null],
    },
    { given: live(), when: { tabId: 90, proof: 'proof' }, effects: [], next: [signInOf, 'in'] },
  ],
  sign_in_tab_asked: [
    { given: waiting, when: { originTabId }, effects: [{ type: 'show_tab', tabId: 90 }] },
    { given: live(), when: { originTabId }, effects: [] },
  ],
  sign_in_tab_stranded: [
    {
      given: live(),
      when: { tabId: 90 },
      effects: [],
      next: [(state) => buildPanelState(state, NO_TAB).isOriginGone, true],
    },
  ],
  sign_in_cancelled: [
    { given: waiting, when: {}, effects: [CLOSE_SIGN_IN], next: [signInOf, 'out'] },
    { given: live(), when: {}, effects: [], next: [signInOf, 'in'] },
  ],
  signed_in: [
    {
      given: [seen, ...waiting],
      when: { service: SETTINGS.service, sessionId: 'sign-in-1', token, person: PERSON, now: 0 },
      effects: [{ ...LOAD, known: [] }, CLOSE_SIGN_IN],
      next: [signInOf, 'in'],
    },
    {
      given: live(),
      when: { service: SETTINGS.service, sessionId: 'x', token: 'st_2', person: PERSON, now: 0 },
      effects: [{ type: 'sign_out', service: SETTINGS.service, token: 'st_2' }],
    },
  ],
  sign_in_failed: [
    {
      given: waiting,
      when: { sessionId: 'sign-in-1', because: 'timed_out' },
      effects: [CLOSE_SIGN_IN],
      next: [({ signIn }) => signIn, { kind: 'out', because: 'timed_out' }],
    },
    { given: live(), when: { sessionId: 'sign-in-1', because: 'refused' }, effects: [] },
  ],
  sign_out_asked: [
    {
      given: live(),
      when: {},
      effects: [{ type: 'sign_out', service: SETTINGS.service, token }, UNHOST],
      next: [kindOf, 'none'],
    },
    { given: [], when: {}, effects: [] },
  ],
  signed_out: [
    { given: live(), when: { token, because: 'idle' }, effects: [UNHOST], next: [kindOf, 'none'] },
    {
      given: live(),
      when: { token: 'st_0', because: 'idle' },
      effects: [],
      next: [kindOf, 'live'],
    },
  ],
  sign_out_planned: [
    {
      given: live(),
      when: { at: MINUTE },
      effects: [],
      next: [(state) => buildPanelState(state, 1).signsOutAt, MINUTE],
    },
  ],
  practices_loaded: [
    {
      given: [seen, ...signedIn().slice(0, 3)],
      when: { token, practices: [LAKESIDE] },
      effects: [{ type: 'watch_pages', practices: [LAKESIDE] }, open(1)],
    },
    { given: live(), when: { token: 'st_0', practices: [] }, effects: [], next: [kindOf, 'live'] },
  ],
  sessions_listed: [
    {
      given: live(),
      when: { token, sessions: [sessionId, 'ses_9'] },
      effects: [{ ...END, sessionId: 'ses_9' }],
    },
    { given: [...signedIn(), seen], when: { token, sessions: ['ses_9'] }, effects: [LIST] },
    { given: live(), when: { token: 'st_0', sessions: ['ses_9'] }, effects: [] },
  ],
  window_focused: [
    { given: live(), when: { now: MINUTE }, effects: [] },
    { given: live(), when: { now: 5 * MINUTE }, effects: [LOAD, LIST] },
    { given: failed, when: { now: MINUTE }, effects: [open(2)], next: [kindOf, 'opening'] },
  ],
  access_changed: [
    {
      given: signedIn(),
      when: { missingAccess: [{ ehrName: 'Meadow EHR', origins: [] }] },
      effects: [],
      next: [({ missingAccess }) => missingAccess.length, 1],
    },
  ],
  reachable: [
    { given: live(), when: { isOffline: true }, effects: [], next: [(s) => s.isOffline, true] },
    {
      given: [
        ...failed,
        { ...seen, tabId: 2 },
        ...opened(2),
        { type: 'reachable', isOffline: true },
      ],
      when: { isOffline: false },
      effects: [open(3)],
    },
  ],
  active: [
    {
      given: live(),
      when: { now: MINUTE, isUrgent: false },
      effects: [{ type: 'report_activity', token, sessionId }],
    },
    { given: live(), when: { now: MINUTE - 1, isUrgent: false }, effects: [] },
    { given: signedIn(), when: { now: MINUTE, isUrgent: true }, effects: [] },
  ],
  page_seen: [
    { given: signedIn(), when: { tabId: 1, url: CHART }, effects: [open(1)] },
    {
      given: [...signedIn(), panelOpened],
      when: { tabId: 1, url: CHART },
      effects: [open(1, { launch: ['worker', 'ui'] })],
    },
    { given: live(), when: { tabId: 1, url: `${CHART}2` }, effects: [], next: [kindOf, 'live'] },
    { given: choosing.slice(0, -2), when: { tabId: 1, url: CHART }, effects: [] },
    {
      given: live(),
      when: { tabId: 1, url: 'https://ehr.example/login' },
      effects: [UNHOST, END],
      next: [kindOf, 'none'],
    },
  ],
  // chart-rules.test.ts has the rest.
  frame_seen: [
    {
      given: guarded(),
      when: { tabId: 1, frameId: 3, url: 'https://ehr.example/chart/2' },
      effects: [],
    },
    {
      given: [...guarded(), { ...seen, url: 'https://ehr.example/chart/' }],
      when: { tabId: 1, frameId: 3, url: 'https://ehr.example/chart/2' },
      effects: [{ type: 'set_chart', sessionId, chart: '2' }],
    },
  ],
  page_left: [
    { given: live(), when: { tabId: 1 }, effects: [UNHOST, END], next: [kindOf, 'forgotten'] },
    { given: [...signedIn(), seen], when: { tabId: 1 }, effects: [] },
  ],
  tab_closed: [
    { given: live(), when: { tabId: 1 }, effects: [UNHOST, END], next: [kindOf, 'forgotten'] },
    { given: live(), when: { tabId: 2 }, effects: [], next: [kindOf, 'live'] },
  ],
  panel_opened: [
    {
      given: live(),
      when: { tabId: 1, isEmbedded: true },
      effects: [],
      next: [panelOf, { launches: [], isEmbedded: true }],
    },
    {
      given: [...live(), panelOpened, framed],
      when: { tabId: 1, isEmbedded: true },
      effects: [],
      next: [panelOf, { launches: ['lau_2'], isEmbedded: false }],
    },
    {
      given: [...live(), { ...panelOpened, isEmbedded: true }],
      when: { tabId: 1, isEmbedded: false },
      effects: [],
      next: [(state) => buildPanelState(state, NO_TAB).ownPanels, [1]],
    },
  ],
  app_chosen: [
    {
      given: live(),
      when: { tabId: 1, appId: 'app_1' },
      effects: [{ type: 'remember', values: { lastApps: { 'usr_1 acc_1 meadow': 'app_1' } } }],
      next: [(state) => findFirstApp(state, 1), 'app_1'],
    },
    {
      given: [...live(), { type: 'app_chosen', tabId: 1, appId: 'app_1' }],
      when: { tabId: 1, appId: 'app_1' },
      effects: [],
    },
    { given: live(), when: { tabId: 1, appId: 'app_9' }, effects: [] },
    { given: signedIn(), when: { tabId: 1, appId: 'app_1' }, effects: [] },
  ],
  panel_closed: [
    {
      given: [...live(), panelOpened, framed],
      when: { tabId: 1 },
      effects: [{ type: 'end_launch', token, launch: 'lau_2' }],
      next: [panelOf, null],
    },
  ],
  panel_launches: [
    {
      given: [...live(), panelOpened],
      when: { tabId: 1, launches: ['lau_2'] },
      effects: [],
      next: [panelOf, { launches: ['lau_2'], isEmbedded: false }],
    },
    { given: live(), when: { tabId: 1, launches: ['lau_2'] }, effects: [], next: [panelOf, null] },
  ],
  practice_chosen: [
    {
      given: choosing,
      when: { tabId: 1, practiceId: 'acc_1' },
      effects: [
        { type: 'remember', values: { choices: { 'usr_1 https://ehr.example': 'acc_1' } } },
        open(1),
        open(2, { tabId: 2 }),
      ],
    },
    { given: choosing, when: { tabId: 1, practiceId: 'acc_9' }, effects: [] },
  ],
  practice_change_asked: [
    {
      given: chosen,
      when: { tabId: 1 },
      effects: [UNHOST, END, { type: 'remember', values: { choices: {} } }],
      next: [({ choices }) => choices, {}],
    },
    { given: live(), when: { tabId: 1 }, effects: [], next: [kindOf, 'live'] },
  ],
  open_again_asked: [
    {
      given: failed,
      when: { tabId: 1 },
      effects: [open(2), LOAD, LIST],
      next: [kindOf, 'opening'],
    },
    { given: live(), when: { tabId: 1 }, effects: [], next: [kindOf, 'live'] },
  ],
  session_opened: [
    {
      given: [...signedIn(), seen],
      when: { tabId: 1, attempt: 1, session: session(sessionId), launches: LAUNCHES() },
      effects: [{ type: 'host', token, session: session(sessionId), launches: LAUNCHES() }],
      next: [kindOf, 'live'],
    },
    {
      given: [...signedIn(), seen],
      when: { tabId: 1, attempt: 0, session: session(sessionId), launches: [] },
      effects: [END],
      next: [kindOf, 'opening'],
    },
    {
      given: [seen],
      when: { tabId: 1, attempt: 1, session: session(sessionId), launches: [] },
      effects: [],
    },
  ],
  session_refused: [
    {
      given: [...signedIn(), seen],
      when: { tabId: 1, attempt: 1, failure: FAILURE },
      effects: [LOAD, LIST],
      next: [kindOf, 'failed'],
    },
    {
      given: [...signedIn(), seen],
      when: { tabId: 1, attempt: 0, failure: FAILURE },
      effects: [],
      next: [kindOf, 'opening'],
    },
  ],
  launches_taken: [
    {
      given: live(),
      when: { launches: ['lau_1', 'lau_2'] },
      effects: [],
      next: [({ tabs }) => tabs[1]?.session.kind === 'live' && tabs[1].session.launches, []],
    },
  ],
  worker_changed: [
    {
      given: live(),
      when: { sessionId, worker: WORKER },
      effects: [],
      next: [workersOf, [WORKER]],
    },
    {
      given: [...live(), { type: 'worker_changed', sessionId, worker: WORKER }],
      when: { sessionId, worker: { ...WORKER, state: { kind: 'disabled' } } },
      effects: [],
      next: [workersOf, [{ ...WORKER, state: { kind: 'disabled' } }]],
    },
    {
      given: live(),
      when: { sessionId: 'ses_9', worker: WORKER },
      effects: [],
      next: [workersOf, []],
    },
  ],
  worker_retry_asked: [
    {
      given: live(),
      when: { tabId: 1, appId: 'app_1' },
      effects: [{ type: 'retry_worker', sessionId, appId: 'app_1' }],
    },
    { given: failed, when: { tabId: 1, appId: 'app_1' }, effects: [] },
  ],
  session_ended: [
    {
      given: live(),
      when: { sessionId, reason: 'revoked' },
      effects: [UNHOST, { type: 'check_sign_in', token, because: 'revoked' }],
      next: [kindOf, 'ended'],
    },
    {
      given: live(),
      when: { sessionId, reason: 'idle' },
      effects: [UNHOST],
      next: [({ signIn }) => signIn, { kind: 'out', because: 'idle' }],
    },
    { given: live(), when: { sessionId: 'ses_9', reason: 'closed' }, effects: [] },
  ],
}

function LAUNCHES() {
  return [launch('lau_1', 'worker', sessionId)]
}

function opened(attempt: number): Event[] {
  const other = session('ses_2')
  return [{ type: 'session_opened', tabId: 2, attempt, session: other, launches: [] }]
}

for (const [type, rows] of Object.entries(ROWS)) {
  test(`has exactly the effects of ${type}, in each state`, () => {
    for (const [index, { given, when, effects, next }] of rows.entries()) {
      // What is stored is JSON.
      const before = JSON.parse(JSON.stringify(play(given).state)) as State
      const after = play([{ type, ...when } as Event], before)
      assert.deepEqual(after.effects, effects, `row ${index + 1}`)
      if (next) assert.deepEqual(next[0](after.state), next[1], `row ${index + 1}`)
    }
  })
}
