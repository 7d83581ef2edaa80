// What the address of the list of launches says, and the line that sums the list up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LaunchSummary } from '@chartside/protocol/payloads'
import type { Scope } from '../../session/scopes.ts'
import { describeSummary, isOver, readListedLaunches, timeOf } from './launch-list.ts'

const PRACTICE: Scope = { id: 'acc_1', name: 'Lakeside', kind: 'account', role: 'admin' }
const PLATFORM: Scope = { id: 'platform', name: 'Platform', kind: 'platform', role: 'platform' }

const read = (query: string, scope = PRACTICE) =>
  readListedLaunches(new URLSearchParams(query), scope)

test('lists the last day of the account without a filter', () => {
  const listed = read('')
  assert.equal(listed.filter.accountId, 'acc_1')
  assert.equal(listed.hasFilter, false)
  const now = Date.parse('2026-01-02T09:00:00Z')
  assert.deepEqual(timeOf(listed, now), { from: '2026-01-01T09:00:00.000Z' })
})

test('takes no other window than those it offers', () => {
  assert.equal(read('in=week').window, 'week')
  assert.equal(read('in=century').window, 'day')
})

test('lists a time of its own, which is over when its end has passed', () => {
  const now = Date.parse('2026-01-09T09:00:00Z')
  const [from, to] = ['2026-01-08T09:02:00.000Z', '2026-01-08T09:22:00.000Z']
  const listed = read(`from=${from}&to=${to}&in=hour`)
  assert.deepEqual([listed.window, listed.hasFilter, isOver(listed, now)], ['own', true, true])
  assert.deepEqual(timeOf(listed, now), { from, to })
  assert.deepEqual(timeOf(read(`to=${to}`), now), { from: '2026-01-01T09:22:00.000Z', to })
  const since = read(`from=${from}`)
  assert.deepEqual([timeOf(since, now), isOver(since, now)], [{ from }, false])
  assert.equal(read('from=tomorrow').window, 'day')
})

test('knows each choice as a filter, and another account only on the platform', () => {
  for (const query of [
    'outcome=failed',
    'reason=pkce_missing',
    'appId=app_1',
    'practiceId=acc_2',
    'userId=usr_1',
  ])
    assert.equal(read(query).hasFilter, true, query)
  assert.equal(read('accountId=acc_2').filter.accountId, 'acc_1')
  assert.equal(read('accountId=acc_2').hasFilter, false)
  assert.equal(read('accountId=acc_2', PLATFORM).filter.accountId, 'acc_2')
  assert.equal(read('accountId=acc_2', PLATFORM).hasFilter, true)
})

test('has one key for each list', () => {
  assert.notEqual(read('outcome=failed').key, read('').key)
  assert.notEqual(read('in=hour').key, read('').key)
  assert.notEqual(read('to=2026-01-08T09:02:00Z').key, read('to=2026-01-08T09:03:00Z').key)
  assert.equal(read('accountId=acc_2').key, read('').key)
})

test('sums up what the service counted', () => {
  const summary = { launches: 1, isCapped: false, successRate: null, toReady: null }
  assert.equal(describeSummary(summary as unknown as LaunchSummary), '1 launch')
  const many = { launches: 12, isCapped: true, successRate: 0.834, toReady: { p50Ms: 1200 } }
  assert.match(
    describeSummary(many as unknown as LaunchSummary),
    /^the newest 12 launches · 83 % ready · median /,
  )
})
