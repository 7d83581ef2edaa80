// What the audit trail says of a change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeChanges } from './call-audit-rules.ts'

test('tells the old and the new value of each changed field, and of no other [P06]', () => {
  const before = {
    id: 'x',
    name: 'Old',
    role: 'provider',
    iconUrl: 'https://a.example/i',
    updatedAt: 1,
  }
  const after = {
    id: 'x',
    name: 'New',
    role: 'provider',
    launchUrl: 'https://a.example/l',
    updatedAt: 2,
  }
  assert.deepEqual(describeChanges(before, after), {
    'old.iconUrl': '"https://a.example/i"',
    'new.iconUrl': 'none',
    'old.launchUrl': 'none',
    'new.launchUrl': '"https://a.example/l"',
    'old.name': '"Old"',
    'new.name': '"New"',
  })
})

test('records no bearer value, and no long value at full length [P06]', () => {
  const secret = `cs_${'x'.repeat(60)}`
  const changes = describeChanges(
    { name: 'a', draft: ['y'.repeat(100_000)] },
    { name: `the secret is ${secret}`, draft: ['z'.repeat(100_000)] },
  )
  assert.equal(changes['new.name'], '"the secret is cs_…"')
  assert.match(changes['old.draft'] ?? '', /^sha256 [\w-]{43} of 100004 characters$/)
  assert.notEqual(changes['old.draft'], changes['new.draft'])
})
