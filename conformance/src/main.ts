#!/usr/bin/env node
// The command `chartside-conformance`; in a checkout, npm run tool -- conformance. Owns the process:
// arguments, environment, terminal, Ctrl-C, exit code.
import { readFileSync } from 'node:fs'
import { runCommand } from './command.ts'
import { printableLines } from './report/printable.ts'

const stop = new AbortController()
process.once('SIGINT', () => stop.abort())

const isTerminal = process.stdout.isTTY === true
process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  sandboxPassword: readSandboxPassword(),
  hasColor: isTerminal && process.env.NO_COLOR === undefined,
  isInteractive: isTerminal,
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(printableLines(text)),
  signal: stop.signal,
})

function readSandboxPassword(): string {
  try {
    return readFileSync('.chartside/sandbox/administrator-password', 'utf8').trim()
  } catch {
    return ''
  }
}
