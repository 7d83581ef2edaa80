// Which text is a domain, what a look at DNS makes of one, and how long it stays while DNS is silent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  checkedDomain,
  type Domain,
  domainOfAddress,
  judgeRecords,
  parseDomain,
  recordValueOf,
  stateOf,
} from './domain.ts'

test('takes the names of public domains, in the form that DNS has', () => {
  const names = [
    ['Lakeside.Example', 'lakeside.example'],
    [' lakeside.example. ', 'lakeside.example'],
    ['mail.lakeside.example', 'mail.lakeside.example'],
    ['PRAXIS-MÜLLER.example', 'xn--praxis-mller-klb.example'],
    ['ｌａｋｅｓｉｄｅ.example', 'lakeside.example'],
  ] as const
  for (const [typed, name] of names) assert.equal(parseDomain(typed), name, typed)
})

test('takes no address, no part of a name, and nothing that DNS has not', () => {
  const long = `${'a'.repeat(60)}.`.repeat(4)
  for (const typed of [
    ...['', 'localhost', '.example', 'lakeside..example', '-lakeside.example', 'lake_side.example'],
    ...[
      '10.0.0.1',
      '[::1]',
      'lakeside.1',
      'https://lakeside.example',
      'lakeside.example/x',
      'lake%2eside.example',
    ],
    ...['a@lakeside.example', '*.example', 'lakeside.example:443', `${long}example`, 'a b.example'],
  ])
    assert.equal(parseDomain(typed), undefined, typed)
})

test('compares the domain of an address as a whole', () => {
  const of = [
    ['amy@lakeside.example', 'lakeside.example'],
    ['amy@LAKESIDE.example', 'lakeside.example'],
    ['"a@northgate.example"@lakeside.example', 'lakeside.example'],
    ['amy@sub.lakeside.example', 'sub.lakeside.example'],
    ['amy@lakeside.example.', 'lakeside.example'],
    ['@lakeside.example', undefined],
    ['lakeside.example', undefined],
    ['amy@lakeside.example@', undefined],
  ] as const
  for (const [address, domain] of of) assert.equal(domainOfAddress(address), domain, address)
})

const NOW = Date.parse('2026-11-27T12:00:00Z')
const DAY = 24 * 60 * 60_000
const DOMAIN: Domain = {
  ...{ id: 'dom_1', accountId: 'acc_1', domain: 'lakeside.example', token: 'Jd0v', createdAt: NOW },
  ...{ verifiedAt: undefined, provedAt: undefined, checkedAt: undefined, finding: undefined },
}

test('finds the own record among others, and says what is missing', () => {
  const right = recordValueOf('Jd0v')
  assert.equal(judgeRecords('Jd0v', ['v=spf1 -all', right]), 'proved')
  assert.equal(judgeRecords('Jd0v', [` ${right} `]), 'proved')
  assert.equal(judgeRecords('Jd0v', []), 'record_missing')
  assert.equal(judgeRecords('Jd0v', 'unreachable'), 'dns_unreachable')
  for (const other of [`${right}x`, right.toUpperCase(), 'Jd0v', recordValueOf('other')])
    assert.equal(judgeRecords('Jd0v', [other]), 'record_differs', other)
})

test('ends a proof with its record at once, and after three days of silence', () => {
  const proved = checkedDomain(DOMAIN, 'proved', NOW)
  assert.deepEqual([stateOf(DOMAIN), stateOf(proved)], ['pending', 'verified'])
  const again = checkedDomain(proved, 'proved', NOW + DAY)
  assert.deepEqual([again.verifiedAt, again.provedAt], [NOW, NOW + DAY])
  for (const finding of ['record_missing', 'record_differs', 'held_by_another'] as const)
    assert.equal(stateOf(checkedDomain(again, finding, NOW + 2 * DAY)), 'lapsed')
  const silent = (at: number) => stateOf(checkedDomain(again, 'dns_unreachable', at))
  assert.equal(silent(NOW + 4 * DAY - 1), 'verified')
  assert.equal(silent(NOW + 4 * DAY), 'lapsed')
  assert.equal(stateOf(checkedDomain(DOMAIN, 'dns_unreachable', NOW)), 'pending')
})
