#!/usr/bin/env node
// The command `create-chartside-app`, run by npm create, or by npm run tool -- create-app in a checkout.
// Owns the process: arguments, terminal, Ctrl-C, exit code. Contract §7.
import { CommanderError } from 'commander'
import { Cancelled, Refusal } from './choices.ts'
import { create } from './create.ts'
import { findPackScript, runPackScript } from './packages.ts'
import { askForMissing } from './questions.ts'
import { toTerminalText } from './terminal-text.ts'

const cancellation = new AbortController()
process.on('SIGINT', () => cancellation.abort(new Cancelled()))

const cwd = process.cwd()
const script = findPackScript()
// In a checkout this runs on a pinned Node.js; npm says on which one it runs itself.
const [, nodeVersion = process.version] =
  /\bnode\/(v[\d.]+)/.exec(process.env.npm_config_user_agent ?? '') ?? []
const isTerminal = process.stdin.isTTY && process.stdout.isTTY

create(process.argv.slice(2), {
  cwd,
  ask: isTerminal ? (flags) => askForMissing(flags, { cwd }) : undefined,
  pack: script ? (folder) => runPackScript(script, folder) : undefined,
  print: (text) => process.stdout.write(toTerminalText(text)),
  printError: (text) => process.stderr.write(toTerminalText(text)),
  nodeVersion,
  signal: cancellation.signal,
}).catch((error: unknown) => {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode
  } else if (error instanceof Cancelled) {
    process.stderr.write('Nothing was written.\n')
    process.exitCode = 130
  } else if (error instanceof Refusal) {
    process.stderr.write(`${toTerminalText(error.message)}\nNothing was written.\n`)
    process.exitCode = 1
  } else {
    throw error
  }
})
