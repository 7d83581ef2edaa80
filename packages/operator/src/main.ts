// The process of the command line: its arguments, environment, clock, terminal and exit code. Each
// command is a file beside this one and gets these as a context. Holds no command.

import { hostname, userInfo } from 'node:os'
import {
  explainFailure,
  systemRandomness,
  toTerminalText,
} from '@chartside/server/operator/runtime'
import { buildCli } from './cli.ts'
import { CommandFailed } from './context.ts'

const ONE_LINE_UP_AND_CLEAR = '\x1b[1A\x1b[2K'

/** A container may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

const abort = new AbortController()
process.once('SIGINT', () => abort.abort())
process.once('SIGTERM', () => abort.abort())

const cli = buildCli({
  env: process.env,
  clock: Date.now,
  randomness: systemRandomness(),
  operator: { user: userName(), host: hostname() },
  print: (text) => process.stdout.write(`${toTerminalText(text)}\n`),
  note: (text) => process.stderr.write(`${toTerminalText(text)}\n`),
  redraw: (text) => process.stderr.write(`${ONE_LINE_UP_AND_CLEAR}${toTerminalText(text)}\n`),
  isTerminal: process.stderr.isTTY === true,
  signal: abort.signal,
})

try {
  await cli.parseAsync()
} catch (error) {
  process.stderr.write(`${toTerminalText(explainFailure(error))}\n`)
  process.exitCode = error instanceof CommandFailed ? error.exitCode : 1
}
