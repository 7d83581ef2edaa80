// The one warning of a proxy that is missing from the list: given when it is, and not used up by a caller inside.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callerFinder } from './client-address-finder.ts'

test('warns once of a proxy that is not on the list', () => {
  const warned: unknown[] = []
  const find = callerFinder(['loopback'], { warn: (about: unknown) => warned.push(about) })
  for (let i = 0; i < 3; i++) assert.equal(find('10.0.0.5', '9.9.9.9').kind, 'internal')
  assert.deepEqual(warned, [{ address: '10.0.0.5' }])
})

test('does not take a caller beside a trusted proxy for a missing proxy', () => {
  const warned: unknown[] = []
  const find = callerFinder(['loopback'], { warn: (about: unknown) => warned.push(about) })
  assert.equal(find('127.0.0.1', '127.0.0.1').kind, 'internal')
  assert.equal(find('::1', '127.0.0.1').kind, 'internal')
  assert.equal(find('127.0.0.1', '9.9.9.9').kind, 'public')
  assert.deepEqual(warned, [], 'an operator with curl on the machine of nginx')
  find('10.0.0.5', '9.9.9.9')
  assert.equal(warned.length, 1, 'the warning is still there for a proxy that is missing')
})
