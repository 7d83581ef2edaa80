// The chart guard as a state machine: what covers an app, what uncovers it, what the app and the timeline
// get. chart-guard-model.test.ts plays random sequences. Contract §11; security V40.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CHART_ANSWER_MS,
  CHART_REST_MS,
  type Chart,
  type ChartEvent,
  type ChartGuardState,
  decideChart,
  isCoveredByChart,
  newChartGuard,
} from './chart-guard.ts'

type Rules = Parameters<typeof newChartGuard>[0]
const UI = { policy: 'relaunch', mode: 'guard', kind: 'ui' } as const satisfies Rules

/** A ready app beside chart A; each step adds the effects, as short text. */
function play(rules: Partial<Rules> = {}, chart: Chart = 'A') {
  let state: ChartGuardState = newChartGuard({ ...UI, ...rules }, chart)
  let now = 0
  const effects: string[] = []
  const apply = (event: ChartEvent) => {
    const decided = decideChart(state, event, now)
    state = decided.state
    for (const { type, ...rest } of decided.effects) {
      const values = Object.values(rest).map((value) => String(value))
      effects.push([type, ...values].join(' '))
    }
    return game
  }
  const game = {
    apply,
    set: (next: Chart) => apply({ type: 'chart_set', chart: next }),
    wait: (ms: number) => {
      now += ms
      return apply({ type: 'waited' })
    },
    after: (ms: number) => {
      now += ms
      return game
    },
    shows: (seq: number) => apply({ type: 'shown', seq }),
    get isCovered() {
      return isCoveredByChart(state)
    },
    get phase() {
      return state.phase
    },
    /** Those since the last call. */
    take: () => effects.splice(0),
  }
  apply({ type: 'launched' })
  apply({ type: 'ready' })
  return game
}

const REST = `wait ${CHART_REST_MS}`
const ANSWER = `wait ${CHART_ANSWER_MS}`

test('sends an app its chart when it is ready, with seq 1', () => {
  assert.deepEqual(play().take(), ['send 1 A'])
  assert.deepEqual(play({}, null).take(), ['send 1 null'])
})

test('covers in the turn of the change and opens the app again after the rest [V40]', () => {
  const game = play()
  game.take()
  game.set('B')
  assert.equal(game.isCovered, true)
  assert.deepEqual(game.take(), [REST])
  game.wait(CHART_REST_MS)
  assert.equal(game.isCovered, true)
  assert.deepEqual(game.take(), ['relaunch'])
  game.apply({ type: 'launched' })
  assert.equal(game.isCovered, false)
  assert.deepEqual(game.take(), ['report 1 relaunch true'])
  game.after(400).apply({ type: 'ready' })
  assert.deepEqual(game.take(), ['send 1 B', 'report relaunch 650 true 1'])
})

test('leaves an app as it was when A, B, A comes within the rest, with one line', () => {
  for (const policy of ['relaunch', 'cover', 'event'] as const) {
    const game = play({ policy })
    game.take()
    game.set('B').after(100).set('A')
    assert.equal(game.isCovered, true)
    game.wait(CHART_REST_MS)
    assert.equal(game.isCovered, false)
    assert.deepEqual(game.take(), [REST, REST, 'report 1 returned 350'], policy)
  }
})

test('discards a launch that comes when the first chart is back, with one line', () => {
  const game = play()
  game.set('B').wait(CHART_REST_MS)
  game.take()
  game.after(40).set('A')
  assert.equal(game.isCovered, true)
  game.apply({ type: 'launch_discarded' })
  assert.equal(game.isCovered, false)
  assert.deepEqual(game.take(), ['report 1 returned 290'])
})

test('counts changes within one rest as one, and takes the newest', () => {
  const game = play({ policy: 'event' }).shows(1)
  game.take()
  game.set('B').after(100).set('C').wait(CHART_REST_MS)
  assert.deepEqual(game.take(), [REST, REST, 'send 2 C', ANSWER])
})

test('covers an app with work that is not saved, and opens nothing unasked', () => {
  const game = play()
  game.apply({ type: 'unsaved', isUnsaved: true })
  game.take()
  game.set('B').wait(CHART_REST_MS)
  assert.equal(game.phase, 'covered')
  assert.deepEqual(game.take(), [REST, 'report 1 cover'])
  game.apply({ type: 'open_asked' })
  assert.deepEqual(game.take(), ['relaunch'])
  assert.equal(game.isCovered, true)
})

test('uncovers by itself when the first chart is back, in the same line', () => {
  const game = play({ policy: 'cover' })
  game.take()
  game.set('B').wait(CHART_REST_MS).after(5000).set('A').wait(CHART_REST_MS)
  assert.equal(game.isCovered, false)
  assert.deepEqual(game.take(), [REST, 'report 1 cover', REST, 'report 1 cover 5500'])
})

test('shows the earlier chart when the person goes on with it, until the next change', () => {
  const game = play({ policy: 'cover' })
  game.set('B').wait(CHART_REST_MS)
  game.take()
  game.after(1000).apply({ type: 'earlier_asked' })
  assert.deepEqual([game.phase, game.isCovered], ['earlier', false])
  assert.deepEqual(game.take(), ['report 1 cover 1250'])
  game.set('C')
  assert.equal(game.isCovered, true)
  game.wait(CHART_REST_MS).apply({ type: 'earlier_asked' }).set('A')
  assert.equal(game.phase, 'shown', 'its own chart is back')
})

test('asks an app that has answered before, whatever its policy, and waits for it', () => {
  for (const policy of ['relaunch', 'cover', 'event'] as const) {
    const game = play({ policy }).shows(1)
    game.take()
    game.set('B').wait(CHART_REST_MS)
    assert.deepEqual(game.take(), [REST, 'send 2 B', ANSWER])
    assert.equal(game.isCovered, true)
    game.after(120).shows(1)
    assert.equal(game.isCovered, true, 'an older seq')
    game.shows(2)
    assert.equal(game.isCovered, false)
    assert.deepEqual(game.take(), ['report 1 event 370'])
  }
})

test('covers an app that does not answer in ten seconds, and uncovers it when it does', () => {
  const game = play({ policy: 'event' }).shows(1)
  game.take()
  game.set('B').wait(CHART_REST_MS).wait(CHART_ANSWER_MS)
  assert.deepEqual(game.take(), [REST, 'send 2 B', ANSWER, 'report 1 cover'])
  assert.equal(game.phase, 'covered')
  game.shows(2)
  assert.equal(game.isCovered, false)
})

test('sends no other chart to an app that has never answered, and covers it', () => {
  const game = play({ policy: 'event' })
  game.take()
  game.set('B').wait(CHART_REST_MS)
  const left = CHART_ANSWER_MS - CHART_REST_MS
  assert.deepEqual([game.phase, game.take()], ['asking', [REST, `wait ${left}`]])
  game.wait(left)
  assert.deepEqual([game.phase, game.take()], ['covered', ['report 1 cover']])
  game.set('C').wait(CHART_REST_MS)
  assert.deepEqual(game.take(), [REST, 'report 2 cover'], 'its ten seconds are over')
})

test('uncovers an app that has never answered when its first chart is back', () => {
  for (const [ms, lines] of [
    [100, ['report 1 returned 600']],
    [CHART_ANSWER_MS, ['report 1 cover', 'report 1 cover 10500']],
  ] as const) {
    const game = play({ policy: 'event' })
    game.set('B').wait(CHART_REST_MS).after(ms)
    if (ms === CHART_ANSWER_MS) game.apply({ type: 'waited' })
    game.set('A')
    assert.equal(game.isCovered, true)
    game.wait(CHART_REST_MS)
    assert.equal(game.isCovered, false)
    const reports = game.take().filter((effect) => effect.startsWith('report'))
    assert.deepEqual(reports, lines)
  }
})

test('asks an app that begins to listen while it is covered, and follows it', () => {
  const game = play({ policy: 'event' })
  game.set('B').wait(CHART_REST_MS)
  game.take()
  game.after(900).shows(1)
  assert.deepEqual([game.isCovered, game.take()], [true, ['send 2 B', ANSWER]])
  game.shows(2)
  assert.equal(game.isCovered, false)
})

test('trusts no app that was asked to switch when its first chart is back [V40]', () => {
  const game = play({ policy: 'event' }).shows(1)
  game.set('B').wait(CHART_REST_MS).set('A').wait(CHART_REST_MS)
  game.take()
  assert.equal(game.isCovered, true)
  game.shows(2)
  assert.equal(game.isCovered, true, 'it shows B')
  game.shows(3)
  assert.equal(game.isCovered, false)
})

test('ignores an answer to a message that was never sent [V40]', () => {
  const game = play({ policy: 'cover' })
  game.set('B').wait(CHART_REST_MS)
  game.take()
  game.shows(7)
  assert.equal(game.phase, 'covered')
  assert.deepEqual(game.take(), [])
})

test('asks a covered app that begins to listen for the chart that is open now', () => {
  const game = play({ policy: 'cover' })
  game.set('B').wait(CHART_REST_MS)
  game.take()
  game.shows(1)
  assert.deepEqual(game.take(), ['send 2 B', ANSWER])
  game.shows(2)
  assert.equal(game.isCovered, false)
})

test('asks an app that is not ready yet once it is', () => {
  const game = play({ policy: 'event' })
  game.apply({ type: 'document_gone' })
  game.take()
  game.set('B').wait(CHART_REST_MS)
  assert.deepEqual(game.take(), [REST, ANSWER])
  game.apply({ type: 'ready' })
  assert.deepEqual(game.take(), ['send 2 A'], 'its own')
  game.shows(2)
  assert.deepEqual(game.take(), ['send 3 B', ANSWER])
  game.shows(3)
  assert.equal(game.isCovered, false)
})

test('covers what has ended and opens it only when asked', () => {
  const game = play().shows(1)
  game.apply({ type: 'ended' })
  game.take()
  game.set('B').wait(CHART_REST_MS)
  assert.equal(game.phase, 'covered')
  assert.deepEqual(game.take(), [REST, 'report 1 cover'])
})

test('covers an app whose next launch fails, and opens it when asked again', () => {
  const game = play()
  game.set('B').wait(CHART_REST_MS)
  game.take()
  game.apply({ type: 'relaunch_failed' })
  assert.equal(game.phase, 'covered')
  game.apply({ type: 'open_asked' })
  assert.deepEqual(game.take(), ['report 1 cover', 'relaunch'])
})

test('keeps an app that the practice keeps, tells it the chart, and writes a line', () => {
  const game = play({ policy: 'keep' })
  game.take()
  game.set('B')
  assert.equal(game.isCovered, false)
  game.wait(CHART_REST_MS)
  assert.deepEqual(game.take(), [REST, 'report 1 keep 250', 'send 2 B'])
})

test('only writes lines while the practice observes', () => {
  const game = play({ mode: 'observe' })
  game.set('B')
  assert.equal(game.isCovered, false)
  game.wait(CHART_REST_MS).set('C').after(10).set('B').wait(CHART_REST_MS)
  assert.deepEqual(game.take(), [REST, 'report 1 observe 250', REST, REST, 'report 2 returned 260'])
})

test('opens a Worker app again, or asks it when it listens', () => {
  for (const policy of ['relaunch', 'cover'] as const) {
    const game = play({ kind: 'worker', policy })
    game.apply({ type: 'unsaved', isUnsaved: true })
    game.take()
    game.set('B').wait(CHART_REST_MS)
    assert.deepEqual(game.take(), [REST, 'relaunch'], policy)
    game.apply({ type: 'relaunch_failed' }).wait(CHART_ANSWER_MS)
    assert.deepEqual(game.take(), [ANSWER, 'relaunch'])
  }
  const listening = play({ kind: 'worker' }).shows(1)
  listening.take()
  listening.set('B').wait(CHART_REST_MS)
  assert.deepEqual(listening.take(), [REST, 'send 2 B', ANSWER])
  listening.wait(CHART_ANSWER_MS)
  assert.deepEqual(listening.take(), ['relaunch'])
})
