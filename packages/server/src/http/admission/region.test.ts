// Who is answered from where, as a table; and which codes may stand in the list of regions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Caller, describeBadNetwork, networkMatcher } from './client-address.ts'
import { decideRegion, describeBadRegion } from './region.ts'

const there: Caller = { address: '193.0.6.139', kind: 'public' }
const inside: Caller = { address: '10.1.2.3', kind: 'internal' }
const nowhere: Caller = { address: '10.1.2.3', kind: 'unknown' }
const US = ['US']

/** Caller, country, list, and who answers: both, outside production only, none. */
const CASES: [Caller, string | undefined, string[], 'both' | 'not production' | 'none'][] = [
  [there, 'US', US, 'both'],
  [there, 'NL', US, 'none'],
  [there, 'PR', US, 'none'],
  [there, 'PR', ['US', 'PR'], 'both'],
  [there, undefined, US, 'none'],
  [inside, undefined, US, 'not production'],
  [nowhere, undefined, US, 'none'],
  // What a database says of an address that is not on the Internet counts for nothing.
  [inside, 'US', US, 'not production'],
]
for (const [caller, country, allowed, answer] of CASES) {
  const where = `${caller.kind} caller in ${country ?? 'no known country'}, ${allowed} allowed`
  test(`${where}: answered by ${answer} [T17]`, () => {
    const isAnswered = (isProduction: boolean) =>
      decideRegion(caller, country, { allowed, isProduction }) === undefined
    assert.equal(isAnswered(true), answer === 'both')
    assert.equal(isAnswered(false), answer !== 'none')
  })
}

test('a refusal names the country, the allowed ones and the fix', () => {
  const refusal = decideRegion(there, 'NL', { allowed: ['US', 'PR'], isProduction: true })
  for (const part of ['193.0.6.139 in NL', 'US, PR', 'hosted there', 'VPN']) {
    assert.ok(refusal?.includes(part), part)
  }
})

test('a refused internal caller reads of the proxy setting, not of its address', () => {
  const refusal = decideRegion(inside, undefined, { allowed: US, isProduction: true }) ?? ''
  assert.match(refusal, /CHARTSIDE_TRUSTED_PROXIES/)
  assert.doesNotMatch(refusal, /10\.1\.2\.3/)
  const untold = decideRegion(nowhere, undefined, { allowed: US, isProduction: true }) ?? ''
  assert.doesNotMatch(untold, /10\.1\.2\.3/)
})

test('explains a bad item of the list of regions', () => {
  for (const item of ['US', 'PR', 'GB', '*']) assert.equal(describeBadRegion(item), undefined)
  for (const item of ['us', 'USA', 'U1', '', 'United States', 'UK', 'ÜS']) {
    assert.match(describeBadRegion(item) ?? '', /^has "/, item)
  }
})

test('answers the networks of the platform in production, and no unknown caller [T17]', () => {
  const rule = { allowed: US, isProduction: true, isOwn: networkMatcher(['10.1.0.0/16']) }
  assert.equal(decideRegion(inside, undefined, rule), undefined)
  assert.ok(decideRegion({ address: '10.2.0.1', kind: 'internal' }, undefined, rule))
  assert.ok(decideRegion(nowhere, undefined, rule), 'a proxy did not tell who called')
  assert.ok(decideRegion(there, 'NL', rule))
  const abroad = { ...rule, isOwn: networkMatcher(['193.0.6.0/24', '2001:db8::/32']) }
  assert.equal(decideRegion(there, 'NL', abroad), undefined)
  assert.ok(decideRegion(inside, undefined, abroad))
})

test('refuses a list of networks that holds every address', () => {
  for (const item of ['10.0.0.0/8', '2001:db8::/32', '127.0.0.1', 'loopback', 'private']) {
    assert.equal(describeBadNetwork(item), undefined)
  }
  for (const item of ['0.0.0.0/0', '::/0', '10.0.0.0/33', 'example.com', '']) {
    assert.match(describeBadNetwork(item) ?? '', /^has "/, item)
  }
})
