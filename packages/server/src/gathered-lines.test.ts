// Lines of ten milliseconds are one write, in their order; none waits longer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises'
import { gatherLines } from './gathered-lines.ts'

/** As pino writes it. */
const line = (level: number, msg: string) => `${JSON.stringify({ level, msg })}\n`
const [FIRST, SECOND, THIRD] = [line(30, 'first'), line(20, 'second'), line(30, 'third')] as const

test('writes the lines of ten milliseconds together, in their order', async () => {
  const written: string[] = []
  const log = gatherLines((lines) => written.push(lines))
  log.write(FIRST)
  await nextIteration()
  log.write(SECOND)
  assert.deepEqual(written, [])
  await sleep(11)
  assert.deepEqual(written, [FIRST + SECOND])
  log.write(THIRD)
  await sleep(11)
  assert.deepEqual(written, [FIRST + SECOND, THIRD])
})

test('writes a warning and an alert at once, after what waits', async () => {
  const written: string[] = []
  const log = gatherLines((lines) => written.push(lines))
  const [warning, alert] = [line(40, 'slow'), line(50, 'ALERT')]
  log.write(FIRST)
  log.write(warning)
  assert.deepEqual(written, [FIRST + warning])
  log.write(alert)
  log.write('no line of pino\n')
  assert.deepEqual(written, [FIRST + warning, alert, 'no line of pino\n'])
  await sleep(11)
  assert.equal(written.length, 3)
})

test('throws what a later write has thrown at the next line, and then goes on', async () => {
  const written: string[] = []
  let isFull = true
  const log = gatherLines((lines) => {
    if (isFull) throw new Error('ENOSPC')
    written.push(lines)
  })
  log.write(FIRST)
  await sleep(11)
  isFull = false
  assert.throws(() => log.write(SECOND), /ENOSPC/)
  log.write(THIRD)
  await sleep(11)
  assert.deepEqual(written, [THIRD])
})
