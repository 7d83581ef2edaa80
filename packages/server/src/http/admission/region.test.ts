// Who is answered from where, as a table; and which codes may stand in the list of regions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from './client-address.ts'
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
