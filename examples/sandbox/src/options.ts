// The command line of the sandbox: parses it and explains it.
// Pure: prints nothing, exits nowhere; main.ts does. Contract §7.
import { parseArgs } from 'node:util'

export interface Options {
  readonly help: boolean
  /** Forget everything that earlier runs stored. */
  readonly reset: boolean
  /** The service's port; the EHR and the two apps take the three after it. 0: any free ones. */
  readonly port: number
}

export const DEFAULT_PORT = 4700

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export function parseOptions(args: readonly string[]): Options {
  const { help = false, reset = false, port } = readArguments(args)
  if (port === undefined) return { help, reset, port: DEFAULT_PORT }
  const parsed = Number(port)
  if (!/^\d+$/.test(port) || (parsed !== 0 && parsed < 1024) || parsed > 65_532) {
    throw new UsageError(`--port ${port} does not work: give a number from 1024 to 65532.`)
  }
  return { help, reset, port: parsed }
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h' },
        reset: { type: 'boolean' },
        port: { type: 'string' },
      },
    }).values
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : 'Unreadable arguments.', {
      cause,
    })
  }
}

export const HELP = `Starts the Chartside sandbox: the service, a sample EHR and two sample apps, on this machine only.

  npm start                      start with what earlier runs stored
  npm start -- --reset           start afresh
  npm start -- --port 4800       use the ports 4800 to 4803 (default: 4700 to 4703)
  npm start -- --help            show this text

Data is kept in .chartside/sandbox. Ctrl-C stops everything. NO_COLOR=1 switches colours off.
`
