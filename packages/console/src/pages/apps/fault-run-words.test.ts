// What a run of the fault studio is beside the run before: better, worse, the same, or of other faults.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeRunChange } from './fault-run-words.ts'

const graded = (level: 'A' | 'B' | 'C', points: number, faults = 36) => ({ level, points, faults })

test('says of a run whether it is better or worse than the one before', () => {
  const words = (...[run, before]: Parameters<typeof describeRunChange>) =>
    describeRunChange(run, before).words
  assert.equal(words(graded('B', 80), graded('B', 76)), 'Better (was B, 76)')
  assert.equal(words(graded('B', 76), graded('B', 80)), 'Worse (was B, 80)')
  // A check of safety that fails caps the level.
  assert.equal(words(graded('B', 80), graded('C', 92)), 'Better (was C, 92)')
  assert.equal(words(graded('C', 92), graded('B', 80)), 'Worse (was B, 80)')
  assert.equal(words(graded('A', 95), graded('A', 95)), 'The same')
})

test('compares no run with one of another number of faults', () => {
  assert.equal(describeRunChange(graded('A', 100, 1), graded('C', 60)).tone, 'quiet')
  assert.equal(describeRunChange(graded('A', 100), undefined).words, 'No run before')
})
