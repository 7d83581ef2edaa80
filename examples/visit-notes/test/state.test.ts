// The CSRF half of `state`: made once, checked once, kept per launch. Spec §2.2.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginState, redeemState } from '../src/browser/state.ts'

class MemoryStorage {
  readonly values = new Map<string, string>()
  get length(): number {
    return this.values.size
  }
  clear(): void {
    this.values.clear()
  }
  key(index: number): string | null {
    return [...this.values.keys()][index] ?? null
  }
  getItem(key: string): string | null {
    return this.values.get(key) ?? null
  }
  setItem(key: string, value: string): void {
    this.values.set(key, value)
  }
  removeItem(key: string): void {
    this.values.delete(key)
  }
}

test('joins the launch and at least 128 random bits with one colon [R05]', () => {
  const state = beginState('lnch_a', new MemoryStorage())
  const [launch, csrf = '', ...rest] = state.split(':')
  assert.equal(launch, 'lnch_a')
  assert.equal(rest.length, 0)
  assert.ok(Buffer.from(csrf, 'base64url').length * 8 >= 128)
})

test('redeems a state once and removes what was stored [R05]', () => {
  const storage = new MemoryStorage()
  const state = beginState('lnch_a', storage)
  assert.equal(redeemState(state, storage), true)
  assert.equal(storage.length, 0)
  assert.equal(redeemState(state, storage), false)
})

test('refuses a forged, truncated or foreign state and keeps the stored value [R06]', () => {
  const storage = new MemoryStorage()
  const state = beginState('lnch_a', storage)
  const forged = [
    '',
    'lnch_a',
    'lnch_a:',
    `lnch_b:${state.slice(7)}`,
    state.slice(0, -1),
    `${state}x`,
  ]
  for (const attempt of forged) assert.equal(redeemState(attempt, storage), false, attempt)
  assert.equal(redeemState(state, storage), true)
})

test('keeps the states of two launches in one tab apart [R05]', () => {
  const storage = new MemoryStorage()
  const [first, second] = [beginState('lnch_a', storage), beginState('lnch_b', storage)]
  assert.equal(redeemState(second, storage), true)
  assert.equal(redeemState(first, storage), true)
})
