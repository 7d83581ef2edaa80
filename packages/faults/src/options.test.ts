// The command line of the doctor: what it takes, what it refuses, what it says of itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommanderError } from 'commander'
import { parseOptions } from './options.ts'

const written = (...args: readonly string[]): { text: string; exitCode: number } => {
  let text = ''
  try {
    parseOptions(args, (part) => {
      text += part
    })
  } catch (error) {
    if (error instanceof CommanderError) return { text, exitCode: error.exitCode }
    throw error
  }
  throw new Error('It was taken.')
}

test('takes the folder at hand and the grade C where nothing is said', () => {
  assert.deepEqual(parseOptions([]), { app: '.', atLeast: 'C', json: false, only: [] })
})

test('takes an address, a grade, a file and names by comma or one by one', () => {
  const app = 'http://localhost:5173/launch'
  const flags = ['--app', app, '--at-least', 'A', '--junit', 'f.xml', '--json']
  assert.deepEqual(parseOptions([...flags, '--only', 'denied,region', '--only', 'offline']), {
    ...{ app, atLeast: 'A', junit: 'f.xml', json: true },
    only: ['denied', 'region', 'offline'],
  })
})

test('names the grades that there are, and every flag at --help', () => {
  const { text, exitCode } = written('--at-least', 'D')
  assert.match(text, /Allowed choices are A, B, C\.[\s\S]*--help/)
  assert.notEqual(exitCode, 0)
  const help = written('--help')
  assert.equal(help.exitCode, 0)
  for (const flag of [
    '--app',
    '--at-least',
    '--json',
    '--junit',
    '--only',
    '--hand-in',
    '--app-id',
  ]) {
    assert.match(help.text, new RegExp(`${flag}\\b`))
  }
  assert.match(help.text, /exit code.*0.*1.*2/is)
})
