// Every command of the command line has --help and --json. Contract §10.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandomness } from '@chartside/server/operator/runtime'
import type { Command } from 'commander'
import { buildCli } from './cli.ts'

const cli = buildCli({
  env: {},
  clock: () => 0,
  randomness: systemRandomness(),
  operator: { user: 'u', host: 'h' },
  print: assert.fail,
  note: assert.fail,
  redraw: assert.fail,
  isTerminal: false,
  signal: AbortSignal.abort(),
})

const leaves = (command: Command, path: string): [string, Command][] =>
  command.commands.length === 0
    ? [[path, command]]
    : command.commands.flatMap((inner) => leaves(inner, `${path} ${inner.name()}`.trim()))

const commands = leaves(cli, '')

test('has the commands that operators know by name', () => {
  const names = commands.map(([path]) => path)
  const users = ['list', 'create', 'invite', 'reset', 'disable', 'enable', 'promote', 'demote']
  for (const name of [
    ...users.map((command) => `users ${command}`),
    ...['db partition', 'audit archive', 'import', 'evidence', 'serve', 'health'],
  ]) {
    assert.ok(names.includes(name), name)
  }
})

for (const [path, command] of commands) {
  // The service writes a log, and is no command with a result.
  if (path === 'serve') continue
  test(`${path} has --help and --json`, () => {
    assert.ok(command.options.some(({ long }) => long === '--json'))

    assert.match(command.helpInformation(), /-h, --help/)
  })
}
