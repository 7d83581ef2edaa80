// Tabs, EHR sessions and launches, as rules: the right launch stays with the right tab, or ends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildGrant, buildPanelState, findFirstApp } from './panel-state.ts'
import {
  CHART,
  LAKESIDE,
  launch,
  listTypes,
  live,
  NORTHGATE,
  play,
  session,
  signedIn,
} from './rules-fixture.ts'

const seen = (tabId: number, url: string) => ({ type: 'page_seen', tabId, url }) as const
const find = (state: Parameters<typeof buildPanelState>[0], tabId: number) =>
  buildPanelState(state, tabId).view

test('opens a session with its Worker launches in one request, UI with an open panel', () => {
  const { effects } = play([...signedIn(), seen(1, CHART)])
  const [opening] = effects
  assert.ok(opening?.type === 'open_session' && effects.length === 1)
  assert.deepEqual([opening.tabId, opening.launch], [1, ['worker']])
  const withPanel = play([
    ...signedIn(),
    { type: 'panel_opened', tabId: 1, isEmbedded: false },
    seen(1, CHART),
  ])
  assert.ok(withPanel.effects[0]?.type === 'open_session')
  assert.deepEqual(withPanel.effects[0].launch, ['worker', 'ui'])
})

test('opens the session of a page that was open before the sign-in', () => {
  const { effects } = play([seen(1, CHART), ...signedIn()])
  assert.deepEqual(listTypes(effects), ['watch_pages', 'open_session'])
})

test('keeps the session over a reload and over a change of the chart', () => {
  const { effects } = play([...live(), seen(1, CHART), seen(1, `${CHART}2?tab=notes`)])
  assert.deepEqual(effects, [])
})

test('ends the session when the tab leaves the EHR or is closed', () => {
  for (const end of [
    { type: 'page_left', tabId: 1 },
    { type: 'tab_closed', tabId: 1 },
    seen(1, 'https://ehr.example/login'),
  ] as const) {
    const { state, effects } = play([...live(), end])
    assert.deepEqual(listTypes(effects), ['unhost', 'end_session'], end.type)
    assert.doesNotMatch(JSON.stringify(state.tabs), /lnch_/)
  }
})

test('ends a session that was opened for a tab which is gone by now', () => {
  const opened = live().at(-1)
  assert.ok(opened)
  const { state, effects } = play([
    ...live().slice(0, -1),
    { type: 'tab_closed', tabId: 1 },
    opened,
  ])
  assert.deepEqual(effects, [{ type: 'end_session', token: 'st_1', sessionId: 'ses_1' }])
  assert.deepEqual(state.tabs, {})
})

test('ends the first session when a page of another practice follows before its answer', () => {
  const practices = [LAKESIDE, NORTHGATE]
  const opened = (attempt: number, id: string, accountId: string) =>
    ({
      type: 'session_opened',
      tabId: 1,
      attempt,
      session: session(id, accountId),
      launches: [],
    }) as const
  const { state } = play([
    ...signedIn(practices),
    seen(1, CHART),
    seen(1, 'https://north.example/chart/1'),
  ])
  const late = play([opened(1, 'ses_1', 'acc_1')], state)
  assert.deepEqual(late.effects, [{ type: 'end_session', token: 'st_1', sessionId: 'ses_1' }])
  const current = play([opened(2, 'ses_2', 'acc_2')], late.state)
  assert.deepEqual(listTypes(current.effects), ['host'])
  const view = find(current.state, 1)
  assert.equal(view.kind === 'session' && view.practice.id, 'acc_2')
})

test('keeps two tabs of two practices apart', () => {
  const { state } = play([
    ...signedIn([LAKESIDE, NORTHGATE]),
    seen(1, CHART),
    seen(2, 'https://north.example/chart/1'),
    {
      type: 'session_opened',
      tabId: 2,
      attempt: 2,
      session: session('ses_2', 'acc_2'),
      launches: [launch('lau_2', 'ui', 'ses_2')],
    },
    {
      type: 'session_opened',
      tabId: 1,
      attempt: 1,
      session: session('ses_1', 'acc_1'),
      launches: [launch('lau_1', 'ui', 'ses_1')],
    },
  ])
  for (const tabId of [1, 2]) {
    const grant = buildGrant(state, tabId)
    assert.equal(grant?.session.id, `ses_${tabId}`)
    assert.deepEqual(
      grant?.launches.map(({ id }) => id),
      [`lau_${tabId}`],
    )
  }
  assert.equal(buildGrant(state, 3), null)
  const closed = play([{ type: 'tab_closed', tabId: 1 }], state)
  assert.deepEqual(closed.effects, [
    { type: 'unhost', sessionId: 'ses_1' },
    { type: 'end_session', token: 'st_1', sessionId: 'ses_1' },
  ])
  assert.equal(find(closed.state, 2).kind, 'session')
})

test('asks once which of two practices an EHR is for, and remembers the answer', () => {
  const shared = { ...NORTHGATE, ehrs: LAKESIDE.ehrs }
  const asked = play([...signedIn([LAKESIDE, shared]), seen(1, CHART), seen(2, CHART)])
  const view = find(asked.state, 1)
  assert.deepEqual(view.kind === 'choose_practice' && view.practices.map(({ id }) => id), [
    'acc_1',
    'acc_2',
  ])
  const chosen = play([{ type: 'practice_chosen', tabId: 1, practiceId: 'acc_2' }], asked.state)
  const targets = chosen.effects.flatMap((effect) =>
    effect.type === 'open_session' ? [[effect.tabId, effect.target.practice.id]] : [],
  )
  assert.deepEqual(targets, [
    [1, 'acc_2'],
    [2, 'acc_2'],
  ])
  assert.equal(chosen.effects[0]?.type, 'remember')
  const third = play([seen(3, CHART)], chosen.state)
  assert.deepEqual(listTypes(third.effects), ['open_session'])
  const foreign = play([{ type: 'practice_chosen', tabId: 1, practiceId: 'acc_9' }], asked.state)
  assert.deepEqual(foreign.effects, [])
})

test('asks again for the practice when the person wants to change it', () => {
  const shared = { ...NORTHGATE, ehrs: LAKESIDE.ehrs }
  const choose = (practiceId: string) =>
    ({ type: 'practice_chosen', tabId: 1, practiceId }) as const
  const change = { type: 'practice_change_asked', tabId: 1 } as const
  const asked = [...signedIn([LAKESIDE, shared]), seen(1, CHART), seen(2, CHART), choose('acc_1')]
  const opened = { type: 'session_opened', tabId: 1, attempt: 1, launches: [] } as const
  const { state } = play([...asked, { ...opened, session: session('ses_1') }])
  assert.equal(buildPanelState(state, 1).canChangePractice, true)
  const changing = play([change], state)
  assert.deepEqual(changing.effects, [
    { type: 'unhost', sessionId: 'ses_1' },
    { type: 'end_session', token: 'st_1', sessionId: 'ses_1' },
    { type: 'remember', values: { choices: {} } },
  ])
  assert.equal(find(changing.state, 1).kind, 'choose_practice')
  assert.equal(find(changing.state, 2).kind, 'opening', 'another tab goes on')
  const other = play([choose('acc_2')], changing.state)
  assert.deepEqual(listTypes(other.effects), ['remember', 'open_session'])
  const only = play(live())
  assert.equal(buildPanelState(only.state, 1).canChangePractice, undefined)
  assert.deepEqual(play([change], only.state).effects, [], 'there is no other')
})

test('gives each launch to one frame, once', () => {
  const { state, effects } = play(live())
  assert.ok(effects[0]?.type === 'host')
  assert.deepEqual(
    buildGrant(state, 1)?.launches.map(({ id }) => id),
    ['lau_2'],
  )
  const taken = play([{ type: 'launches_taken', launches: ['lau_1', 'lau_2'] }], state)
  assert.deepEqual(buildGrant(taken.state, 1)?.launches, [])
  assert.doesNotMatch(JSON.stringify(taken.state), /lnch_/)
})

test('opens with the app that was used last at the EHR, else as the collection says', () => {
  const two = {
    ...session('ses_1'),
    apps: ['app_1', 'app_2'].map((id) => ({ ...session('ses_1').apps[0], id })),
  } as ReturnType<typeof session>
  const firstOf = (panelOpens: 'first' | 'last' | 'ask' | undefined, used: string[]) => {
    const ehr = { ...LAKESIDE.ehrs[0], ...(panelOpens ? { panelOpens } : {}) }
    const opened = { ...two, ehr } as typeof two
    const { state } = play([
      ...signedIn(),
      seen(1, CHART),
      { type: 'session_opened', tabId: 1, attempt: 1, session: opened, launches: [] },
      ...used.map((appId) => ({ type: 'app_chosen', tabId: 1, appId }) as const),
    ])
    const next = play(
      [
        seen(2, CHART),
        { type: 'session_opened', tabId: 2, attempt: 2, session: opened, launches: [] },
      ],
      state,
    )
    return findFirstApp(next.state, 2)
  }
  assert.equal(firstOf(undefined, []), null)
  assert.equal(firstOf(undefined, ['app_1', 'app_2']), 'app_2')
  assert.equal(firstOf('last', ['app_2']), 'app_2')
  assert.equal(firstOf('first', ['app_2']), 'app_1')
  assert.equal(firstOf('ask', ['app_2']), null)
})

test('leaves ending to the host of the panel, and ends what a crash of the panel left', () => {
  const { state } = play([
    ...live(),
    { type: 'panel_opened', tabId: 1, isEmbedded: false },
    { type: 'panel_launches', tabId: 1, launches: ['lau_2', 'lau_3'] },
  ])
  const fewer = play([{ type: 'panel_launches', tabId: 1, launches: ['lau_3'] }], state)
  assert.deepEqual(fewer.effects, [], 'the host has ended it')
  const closed = play([{ type: 'panel_closed', tabId: 1 }], fewer.state)
  assert.deepEqual(closed.effects, [{ type: 'end_launch', token: 'st_1', launch: 'lau_3' }])
  assert.equal(find(closed.state, 1).kind, 'session')
})

test('shows why a session could not be opened, and tries again when asked', () => {
  const shown = { code: 'region_not_allowed', message: 'Not from here.', traceId: 'trace_1' }
  const failure = { ...shown, isTransient: false }
  const refused = { type: 'session_refused', tabId: 1, attempt: 1, failure } as const
  const { state } = play([...signedIn(), seen(1, CHART), refused])
  assert.deepEqual(find(state, 1), { kind: 'failed', ehrName: 'Meadow EHR', ...shown })
  const again = play([{ type: 'open_again_asked', tabId: 1 }], state)
  assert.ok(again.effects[0]?.type === 'open_session' && again.effects[0].attempt === 2)
})
