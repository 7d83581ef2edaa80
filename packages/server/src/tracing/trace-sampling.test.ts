// Which traces are sent: a share, the same on every node, and never more than a number in a second.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { traceSampler } from './trace-sampling.ts'

const PER_SECOND = 100
const newTraceId = () => randomBytes(16).toString('hex')

function sampler(share: number) {
  let now = 0
  const isSent = traceSampler({ share, perSecond: PER_SECOND }, () => now)
  /** Gives the trace ids that were sent. */
  const offer = (traceIds: readonly string[], milliseconds: number) =>
    traceIds.filter((traceId) => {
      const sent = isSent(traceId)
      now += milliseconds / traceIds.length
      return sent
    })
  return { offer }
}

const traceIds = (count: number) => Array.from({ length: count }, newTraceId)

test('a node that is not busy sends every trace, and none at share 0', () => {
  assert.equal(sampler(1).offer(traceIds(90), 1000).length, 90)
  assert.equal(sampler(0).offer(traceIds(90), 1000).length, 0)
})

test('a share of the traces is sent', () => {
  const { length } = sampler(0.1).offer(traceIds(5000), 60_000)
  assert.ok(length > 400 && length < 600, `${length} of 5,000`)
})

test('a busy node sends at most a number in each second, spread over it', () => {
  const { offer } = sampler(1)
  assert.equal(offer(traceIds(3000), 1000).length, PER_SECOND, 'in the second that the load began')
  const later = traceIds(3000)
  const sent = offer(later, 1000)
  assert.ok(sent.length > PER_SECOND / 2 && sent.length <= PER_SECOND, `${sent.length} sent`)
  const isLate = (traceId: string) => later.indexOf(traceId) > later.length / 2
  assert.ok(sent.some(isLate), 'also from the second half')
  assert.equal(
    offer(traceIds(50), 3000).length < 50,
    true,
    'the second after it knows only its load',
  )
  assert.equal(offer(traceIds(50), 1000).length, 50, 'and then every trace again')
})

test('what a busy node sends, a quiet one sends too', () => {
  const [busy, quiet] = [sampler(1), sampler(1)]
  busy.offer(traceIds(1000), 1000)
  const ids = traceIds(1000)
  const ofBusy = new Set(busy.offer(ids, 1000))
  assert.ok(ofBusy.size > 0)
  const ofQuiet = new Set(quiet.offer(ids, 20_000))
  for (const traceId of ofBusy) assert.ok(ofQuiet.has(traceId))
})

test('a caller that chooses its trace ids cannot have more of them sent', () => {
  const { offer } = sampler(1)
  const chosen = Array.from({ length: 5000 }, () => 'f'.repeat(32))
  assert.equal(offer(chosen, 1000).length, PER_SECOND)
  assert.equal(offer(chosen, 1000).length, PER_SECOND)
})
