// Two frames of this app in one page share sessionStorage, and must not take each other's launch.
// Security L03, X09.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rememberLaunch, takeLaunch } from '../src/browser/begun-launch.ts'

function createStorage() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

test('keeps the launches of two frames of one page apart, in any order [X09]', () => {
  const storage = createStorage()
  for (const launch of ['lnch_1', 'lnch_2']) rememberLaunch(storage, launch)
  assert.equal(takeLaunch(storage, 'lnch_1'), true)
  assert.equal(takeLaunch(storage, 'lnch_2'), true)
})

test('refuses a launch that this tab did not begin, or took already [L03]', () => {
  const storage = createStorage()
  rememberLaunch(storage, 'lnch_1')
  for (const launch of ['lnch_of_an_attacker', '', '__proto__']) {
    assert.equal(takeLaunch(storage, launch), false)
  }
  assert.equal(takeLaunch(storage, 'lnch_1'), true)
  assert.equal(takeLaunch(storage, 'lnch_1'), false)
})
