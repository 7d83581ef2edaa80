// The days that the chips of the audit pages mean, over a change of the clock too, and what an address may say.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

// The module keeps the choice of a zone in the browser.
Object.assign(globalThis, { localStorage: { getItem: () => null } })
const { actionsOf, nameOfSpan, readEventFilter, spanOf } = await import('./event-filter.ts')

const zone = process.env.TZ
before(() => {
  process.env.TZ = 'America/New_York'
})
after(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

test('a day is that of the chosen zone, also when the clocks change in it', () => {
  // 9 PM of March 8 in New York; the clocks went forward that morning.
  const now = Date.parse('2026-03-09T01:00:00Z')
  assert.equal(spanOf('today', now, 'local').from, '2026-03-08T05:00:00.000Z')
  assert.equal(spanOf('today', now, 'utc').from, '2026-03-09T00:00:00.000Z')
  const morning = Date.parse('2026-03-09T13:00:00Z')
  const yesterday = { from: '2026-03-08T05:00:00.000Z', to: '2026-03-09T04:00:00.000Z' }
  assert.deepEqual(spanOf('yesterday', morning, 'local'), yesterday)
  assert.equal(spanOf('week', morning, 'local').from, '2026-03-03T05:00:00.000Z')
  assert.equal(nameOfSpan(yesterday, morning, 'local'), 'yesterday')
  assert.equal(nameOfSpan(yesterday, morning, 'utc'), undefined)
})

test('an address names a kind that exists, or none', () => {
  assert.match(actionsOf('keys') ?? '', /(^|,)createSecret(,|$)/)
  assert.equal(actionsOf('toString'), undefined)
  const { action, actor } = readEventFilter(new URLSearchParams('kind=nothing&actor='))
  assert.deepEqual([action, actor], [undefined, undefined])
})
