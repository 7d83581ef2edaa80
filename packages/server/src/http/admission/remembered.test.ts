// Tests the memory of answers: each text is computed once, the oldest goes, long texts are not kept.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remembered } from './remembered.ts'

test('computes each text once, an answer of undefined too', () => {
  const computed: string[] = []
  const find = remembered((text) => {
    computed.push(text)
    return text === 'none' ? undefined : text.toUpperCase()
  })
  assert.deepEqual(['a', 'none', 'a', 'none'].map(find), ['A', undefined, 'A', undefined])
  assert.deepEqual(computed, ['a', 'none'])
})

test('keeps a bounded number of answers, and none to a long text', () => {
  let count = 0
  const find = remembered(() => ++count)
  for (let index = 0; index < 10_000; index++) find(`text ${index}`)
  assert.equal(find('text 1'), 2)
  find('one more')
  assert.equal(find('text 1'), 2)
  assert.equal(find('text 0'), 10_002, 'the oldest is computed again')
  const long = 'x'.repeat(200)
  assert.notEqual(find(long), find(long))
})
