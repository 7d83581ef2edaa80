// What reaches a terminal of a text that an attacker has written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toTerminalLine, toTerminalText } from './terminal-text.ts'

const HOSTILE = 'Notes\u001b[2J\u001b]0;title\u0007\u009b31m\r\u202enoitces\u0000'

test('shows control characters of a name in place of sending them [V11]', () => {
  const shown = '\\x1b[2J\\x1b]0;title\\x07\\x9b31m\\x0d\\u202enoitces\\x00'
  assert.equal(toTerminalText(HOSTILE), `Notes${shown}`)
  assert.equal(toTerminalLine(`${HOSTILE}\nfake line`), `Notes${shown}\\nfake line`)
  assert.equal(toTerminalText('a\n\tb é 診療 🩺'), 'a\n\tb é 診療 🩺')
})
