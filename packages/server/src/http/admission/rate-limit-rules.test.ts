// The table of limits: what counts as the same, and that docs/operate/callers.md tells the numbers.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { keyOf, LIMITS, type LimitKind } from './rate-limit-rules.ts'

test('docs/operate/callers.md has every limit with its numbers', () => {
  const document = readFileSync(
    new URL('../../../../../docs/operate/callers.md', import.meta.url),
    'utf8',
  )
  const table = document.slice(document.indexOf('| kind | counted for |')).split('\n\n')[0] ?? ''
  const rows = table.split('\n').slice(2)
  const seconds = { min: 60, h: 3600 } as Record<string, number>
  const documented = rows.map((row) => {
    const [, , whom = '', most = '', time = ''] = row.split('|').map((cell) => cell.trim())
    const [count, unit = ''] = time.split(' ')
    return {
      most: Number(most.replace(',', '')),
      windowSeconds: Number(count) * (seconds[unit] ?? Number.NaN),
      isPerNetwork: whom.includes('network'),
      isPerSubject: whom !== 'network',
    }
  })
  const real = Object.values(LIMITS).map(({ most, windowSeconds, per }) => ({
    most,
    windowSeconds,
    isPerNetwork: (per as readonly string[]).includes('network'),
    isPerSubject: (per as readonly string[]).includes('subject'),
  }))
  assert.deepEqual(documented, real)
})

test('a key reveals no name, and differs by kind, network and subject', () => {
  const one = { address: '10.0.0.1', subject: 'user@example.test' }
  const kinds = Object.keys(LIMITS) as LimitKind[]
  const keys = kinds.map((kind) => keyOf(kind, one))
  assert.equal(new Set(keys).size, kinds.length)
  for (const key of keys) assert.match(key, /^[a-zA-Z]+:[\w-]{43}$/)
  for (const kind of kinds) {
    const per: readonly string[] = LIMITS[kind].per
    const elsewhere = { ...one, address: '10.0.0.2' }
    assert.equal(keyOf(kind, elsewhere) !== keyOf(kind, one), per.includes('network'), kind)
    const other = { ...one, subject: 'another' }
    assert.equal(keyOf(kind, other) !== keyOf(kind, one), per.includes('subject'), kind)
    const mapped = { ...one, address: '::ffff:10.0.0.1' }
    assert.equal(keyOf(kind, mapped), keyOf(kind, one), kind)
  }
  // What is sent as a name cannot pose as a network.
  const posing = { address: 'b', subject: 'a","' }
  assert.notEqual(keyOf('password', posing), keyOf('password', { address: 'b', subject: 'a' }))
})
