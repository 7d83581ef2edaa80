// The rules of the outbox: what of a foreign answer is kept, and how attempts are spread. Contract §12.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutAnswer, decideRetryMs, RETRY_MS } from './outbox.ts'

test('keeps no token of the answer of a server, and no control characters [C15]', () => {
  const part = 'eyJhbGciOiJSUzI1NiIsInR5cCI6'
  assert.equal(cutAnswer(`bad\r\ntoken ${part}.${part}.${part}`), 'bad token [token]')
  assert.equal(cutAnswer('x'.repeat(1000)).length, 300)
})

test('spreads the attempts of one moment by a fifth to either side [V41]', () => {
  for (const [attempts, ms] of RETRY_MS.entries()) {
    const [earliest, latest] = [decideRetryMs(attempts, 0), decideRetryMs(attempts, 1)]
    assert.deepEqual([earliest, latest], [Math.round(ms * 0.8), Math.round(ms * 1.2)])
  }
})
