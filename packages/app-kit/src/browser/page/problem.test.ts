// What an app's page says and logs of anything that was thrown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeProblem } from './problem.ts'

test('logs a thrown value that names no fix, for its place in the code', (t) => {
  const logged = t.mock.method(console, 'error', () => {})
  const thrown = new TypeError('note is undefined')
  const { error, cause, fix } = describeProblem(thrown)
  assert.deepEqual([error, cause], ['unexpected_error', 'note is undefined'])
  assert.match(fix, /console of the browser/)
  assert.deepEqual(logged.mock.calls[0]?.arguments, [thrown])
  describeProblem(
    Object.assign(new Error('late'), { code: 'HANDSHAKE_TIMEOUT', fix: 'Try again.' }),
  )
  assert.equal(logged.mock.callCount(), 1)
})
