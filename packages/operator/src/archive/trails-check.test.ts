// Files of one account together: whole from the first event to the last, or the sentence that says where not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainRoot } from '@chartside/server/operator/audit'
import { joinSections, type Section } from './trails-check.ts'

const ROOT = { seq: 0, hash: chainRoot('acc_1') }
const at = (seq: number) => (seq === 0 ? ROOT : { seq, hash: `hash of ${seq}` })
const section = (from: number, to: number, file = `${from}.jsonl`): Section => ({
  ...{ file, accountId: 'acc_1', begin: at(from), end: at(to) },
})
const problemsOf = (sections: readonly Section[], isFromStart = true) =>
  joinSections(sections, { isFromStart }).problems

test('puts sections together in the order of their events', () => {
  const { trails, problems } = joinSections([section(5, 9), section(0, 5)], { isFromStart: true })
  assert.deepEqual(problems, [])
  assert.deepEqual(trails, [{ accountId: 'acc_1', begin: ROOT, end: at(9), events: 9 }])
})

test('names events that are missing, there twice, or of another trail', () => {
  assert.deepEqual(problemsOf([section(0, 5), section(7, 9)]), [
    'acc_1: the events 6 to 7 are missing, before 7.jsonl',
  ])
  assert.deepEqual(problemsOf([section(0, 5), section(3, 9)]), [
    'acc_1: the events 4 to 5 are there twice, the second time in 3.jsonl',
  ])
  const foreign = { ...section(5, 9), begin: { seq: 5, hash: 'another' } }
  assert.deepEqual(problemsOf([section(0, 5), foreign]), ['acc_1: 5.jsonl continues another trail'])
})

test('takes a trail without its first events only where it may begin later', () => {
  assert.deepEqual(problemsOf([section(4, 9)]), [
    'acc_1: the events 1 to 4 are missing, before 4.jsonl',
  ])
  assert.deepEqual(problemsOf([section(4, 9)], false), [])
})
