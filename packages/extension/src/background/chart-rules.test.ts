// The chart of a tab, as rules: by its address or by that of a frame, for the panel and the Worker apps of
// that tab and of no other. Contract §11; security V40.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTabChart } from './chart-rules.ts'
import { buildGrant, buildPanelState } from './panel-state.ts'
import { CHART, guarded, live, play } from './rules-fixture.ts'
import { findTab } from './tab-rules.ts'

const HOST = 'https://ehr.example'
const seen = (url: string, tabId = 1) => ({ type: 'page_seen', tabId, url: HOST + url }) as const
const frame = (frameId: number, url: string | null) =>
  ({ type: 'frame_seen', tabId: 1, frameId, url: url === null ? null : HOST + url }) as const
const chartOf = (events: Parameters<typeof play>[0], tabId = 1) =>
  findTabChart(findTab(play(events).state, tabId))

test('finds the chart in the address of the tab, and none on another page', () => {
  assert.equal(chartOf(guarded()), '1')
  assert.equal(chartOf([...guarded(), seen('/chart/2/notes?tab=1')]), '2')
  assert.equal(chartOf([...guarded(), seen('/chart/')]), null)
  assert.equal(chartOf(live()), undefined, 'the practice has described no charts')
})

test('sends a change to the Worker apps of the session, and no change of the page', () => {
  const sessionId = 'ses_1'
  const changed = play([...guarded(), seen('/chart/2')])
  assert.deepEqual(changed.effects, [{ type: 'set_chart', sessionId, chart: '2' }])
  assert.deepEqual(play([seen('/chart/2/notes')], changed.state).effects, [])
  assert.deepEqual(play([seen('/chart/')], changed.state).effects, [
    { type: 'set_chart', sessionId, chart: null },
  ])
  assert.deepEqual(play([...live(), seen('/chart/2')]).effects, [])
})

test('gives a new host the chart of now, with the key of the session', () => {
  const { state } = play([...guarded(), seen('/chart/2')])
  const { chart, chartKey } = buildGrant(state, 1) ?? assert.fail()
  assert.deepEqual([chart, chartKey], ['2', 'key_1'])
  assert.equal('chart' in (buildGrant(play(live()).state, 1) ?? assert.fail()), false)
})

test('takes the newest address of a frame where the tab names no chart', () => {
  const framed = [...guarded(), seen('/chart/'), frame(4, '/chart/7'), frame(5, '/menu')]
  assert.equal(chartOf(framed), '7')
  assert.equal(chartOf([...framed, frame(6, '/chart/8')]), '8')
  assert.equal(chartOf([...framed, frame(4, '/calendar')]), null)
  assert.equal(chartOf([...framed, frame(4, null)]), null)
  assert.equal(chartOf([...framed, seen('/chart/2')]), '2', 'the tab itself counts first')
  assert.equal(chartOf([...framed, { ...seen('/chart/'), isNew: true }]), null)
})

test('keeps the charts of two tabs apart [V40]', () => {
  const both = [...guarded(), seen('/chart/9', 2)]
  const { state, effects } = play([...both, seen('/chart/8', 2)])
  assert.deepEqual(effects, [], 'tab 2 has no live session')
  assert.equal(findTabChart(findTab(state, 1)), '1')
  assert.equal(buildGrant(state, 1)?.chart, '1')
})

test('guards on what a session left in the panel when it is over [V40]', () => {
  const over = [...guarded(), { type: 'panel_opened', tabId: 1, isEmbedded: false } as const]
  for (const end of [
    { type: 'session_ended', sessionId: 'ses_1', reason: 'idle' },
    { type: 'sign_out_asked' },
  ] as const) {
    assert.equal(chartOf([...over, end, seen('/chart/5')]), '5', end.type)
    assert.equal(chartOf([...over, end, { type: 'page_left', tabId: 1 }]), null, end.type)
  }
})

test('says in the panel when nothing is known of the charts of an EHR', () => {
  const viewOf = (events: Parameters<typeof play>[0]) => buildPanelState(play(events).state, 1).view
  assert.partialDeepStrictEqual(viewOf(live()), { kind: 'session', isChartUnnoticed: true })
  assert.equal('isChartUnnoticed' in viewOf(guarded()), false)
  assert.doesNotMatch(JSON.stringify(viewOf(guarded())), /chart.1/, CHART)
})
