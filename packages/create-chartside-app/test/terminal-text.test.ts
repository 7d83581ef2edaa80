// The command as a process: what it repeats of its input does not steer the terminal.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

test('sends no control character of a name or a folder to the terminal [V11]', () => {
  for (const args of [
    ['x', '--yes', '--name', '\x9b2J\x1b[2J\u202e evil'],
    ['a\x1b]0;gone\x07\x9b2J', '--framework', 'nope'],
  ]) {
    const { stdout, stderr, status } = spawnSync(process.execPath, [MAIN, ...args], {
      encoding: 'utf8',
      input: '',
    })
    assert.notEqual(status, 0)
    assert.match(`${stdout}${stderr}`, /Nothing was written|--framework/)
    assert.doesNotMatch(`${stdout}${stderr}`, /[^\P{Cc}\n\t]|\u202e/u)
  }
})
