// Tests the judgement of the gate and of rounds that cannot be true: a planted loss fails, a slow machine does
// not, and no operation is cheaper than the signature in it. Measures nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ContenderResult, type ContenderRound, summarize } from './comparison-summary.ts'
import { bestOf, judgeGate, ratiosOf } from './gate.ts'

const SIGNATURE = 250
const FLOW = 500

test('fails on a planted loss of 30 %, and passes one of 10 %', () => {
  const recorded = measure(FLOW)
  assert.deepEqual(lost(recorded, measure(FLOW)), [])
  assert.deepEqual(lost(recorded, measure(FLOW / 0.9)), [])
  assert.deepEqual(lost(recorded, measure(FLOW / 0.7)), ['flow', 'token'])
  assert.deepEqual(lost(recorded, measure(FLOW * 0.5)), [])
})

test('a machine that slows all programs down is no loss, a loss beside it is', () => {
  const recorded = measure(FLOW)
  const slow = 2
  assert.deepEqual(lost(recorded, measure(FLOW * slow, 600 * slow)), [])
  assert.deepEqual(lost(recorded, measure((FLOW * slow) / 0.7, 600 * slow)), ['flow', 'token'])
})

test('a recorded figure that was not measured is lost', () => {
  assert.deepEqual(lost(measure(FLOW), {}), ['flow', 'token'])
})

test('a repeated figure counts with its better measurement', () => {
  const again = bestOf(measure(FLOW / 0.7), measure(FLOW))
  assert.deepEqual(lost(measure(FLOW), again), [])
  assert.deepEqual(bestOf({}, measure(FLOW)), measure(FLOW))
})

test('throws out a round in which a flow is cheaper than its signature', () => {
  const summary = summarize(contender([FLOW, SIGNATURE - 1, FLOW * 2, FLOW * 4]))
  assert.equal(summary.thrownOut, 1)
  assert.equal(summary.figures.flow?.ratio, 0.25)
  assert.equal(summary.figures.flow?.highest, 0.5)
  assert.throws(() => summarize(contender([1, 2])), /cost less than the signature/)
})

test('counts the work between the rounds to the launches that caused it', () => {
  const [round] = contender([FLOW]).rounds
  const { figures } = summarize({
    ...contender([]),
    rounds: [{ ...(round ?? never()), idleCpu: 30_000 }],
  })
  assert.equal(figures.flow?.cpu, FLOW + 300)
  assert.equal(figures.token?.cpu, FLOW + 100)
})

const never = (): never => assert.fail('there is a round')

const measure = (cpu: number, peerCpu = 600) => ratiosOf(contender([cpu]), contender([peerCpu]))

const lost = (...[recorded, measured]: Parameters<typeof judgeGate>) =>
  judgeGate(recorded, measured).flatMap(({ figure, isLost }) => (isLost ? [figure] : []))

/** A contender whose flow and exchange cost so much in each round. */
const contender = (costs: readonly number[]): ContenderResult => ({
  name: 'a server',
  rounds: costs.map((cpu): ContenderRound => {
    const measured = { count: 50, perSecond: 1000, cpu, laterCpu: 0 }
    return {
      signatureCpu: SIGNATURE,
      signaturesPerSecond: 4000,
      figures: { flow: measured, token: measured },
      launches: 100,
      verifiedTokens: 1,
      idleCpu: 0,
    }
  }),
  idleMegabytes: undefined,
  highestMegabytes: undefined,
})
