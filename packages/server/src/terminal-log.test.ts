// The log in a terminal: for people, and complete.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatForTerminal } from './terminal-log.ts'

const line = (fields: object) =>
  formatForTerminal(
    JSON.stringify({ level: 30, time: '2026-11-21T23:21:24.107Z', ...fields }),
    false,
  )

test('writes local time with its zone, the message and its fields', () => {
  const text = line({ url: 'http://localhost:4700', startedInMs: 812, msg: 'ready' })
  assert.match(
    text,
    /^\d+:21:24\s[AP]M \S+ {2}ready {2}url: http:\/\/localhost:4700, startedInMs: 812\n$/,
  )
})

test('lists the configuration one setting a line, and marks warnings and errors', () => {
  const text = line({ CHARTSIDE_PORT: '4700', CHARTSIDE_OIDC_NAME: '', msg: 'configuration' })
  assert.match(
    text,
    /configuration\n {4}CHARTSIDE_PORT {7}4700\n {4}CHARTSIDE_OIDC_NAME {2}\(not set\)\n$/,
  )
  assert.match(line({ level: 40, msg: 'slow' }), / warning: slow\n$/)
  const failed = line({ level: 50, msg: 'stopped', err: { stack: 'Error: no\n at x' } })
  assert.match(failed, / error: stopped\n {4}Error: no\n {5}at x\n$/)
})

test('leaves a line that is no JSON as it is', () => {
  assert.equal(formatForTerminal('plain text\n', true), 'plain text\n')
})

test('sends no escape sequence of a name or an error to the terminal [V11]', () => {
  const clear = '\u001b[2J\u001b]0;title\u0007'
  const text = line({ msg: `x${clear}`, app: `Notes${clear}`, err: { stack: `Error: ${clear}` } })
  assert.equal(text.includes('\u001b'), false)
  assert.match(text, /app: Notes\\x1b\[2J/)
  assert.equal(formatForTerminal(`${clear}\n`, false).includes('\u001b'), false)
})
