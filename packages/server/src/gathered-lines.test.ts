// Lines of one iteration are one write, in their order; none waits longer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { gatherLines } from './gathered-lines.ts'

test('writes the lines of one iteration together, in their order', async () => {
  const written: string[] = []
  const log = gatherLines((lines) => written.push(lines))
  log.write('first\n')
  await Promise.resolve()
  log.write('second\n')
  assert.deepEqual(written, [])
  await nextIteration()
  assert.deepEqual(written, ['first\nsecond\n'])
  log.write('third\n')
  await nextIteration()
  assert.deepEqual(written, ['first\nsecond\n', 'third\n'])
})

test('keeps lines that the write of others brings', async () => {
  const written: string[] = []
  const log = gatherLines((lines) => {
    written.push(lines)
    if (written.length === 1) log.write('the disk is full\n')
  })
  log.write('one\n')
  await nextIteration()
  await nextIteration()
  assert.deepEqual(written, ['one\n', 'the disk is full\n'])
})
