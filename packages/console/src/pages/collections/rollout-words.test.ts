// What the page of a collection says of a rollout that goes on by itself, or has stopped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeWidening } from './rollout-words.ts'

const plan = { at: 'Friday', readyPercent: 98, stopped: null }
const wordsOf = (ready: number, failed: number) =>
  describeWidening({ ...plan, stopped: { at: 'Monday', ready, failed } }, (at) => at)

test('says when a version goes to all, and what must hold until then', () => {
  const { title, text } = describeWidening(plan, (at) => at)
  assert.match(`${title}. ${text}`, /all practices: Friday\. If at least 98 %/)
})

test('says why a rollout has stopped: launches that failed, or too few of them', () => {
  assert.match(wordsOf(17, 3).text, /^17 of 20 launches opened well, and 98 % were asked for/)
  assert.match(wordsOf(5, 0).text, /^In a week it had only 5 launches/)
  assert.match(wordsOf(0, 0).text, /only 0 launches/)
})
