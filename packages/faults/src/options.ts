// The command line of the doctor: its options and their texts. Pure; main.ts runs, prints and exits.
// Contract §15.

import type { Level } from '@chartside/protocol/fault-grade'
import { Command, Option } from 'commander'

export interface Options {
  /** The folder of the app, or the Launch URL of one that runs. */
  readonly app: string
  readonly atLeast: Level
  readonly json: boolean
  /** A file for JUnit. */
  readonly junit?: string
  readonly only: readonly string[]
  /** The base URL of a staging environment that keeps the run. */
  readonly handIn?: string
  /** The id of the app there. */
  readonly appId?: string
}

const collect = (value: string, earlier: readonly string[]) => [...earlier, ...value.split(',')]

const EXIT_CODES = `
The exit code is 0 from the wanted grade, 1 below it, and 2 when the run could not be made
or not handed in. The developer key for --hand-in stands in CHARTSIDE_DEVELOPER_KEY: the
console makes one on Settings, Developer keys.`

/**
 * `write` gets help and errors; without it they go to the terminal.
 * @throws CommanderError after it has written its text
 */
export function parseOptions(args: readonly string[], write?: (text: string) => void): Options {
  return new Command('chartside-faults')
    .description('Plays about thirty faults against an app and grades what it does.')
    .option(
      '--app <folder|url>',
      'a folder with chartside.app.json, or the Launch URL of a running app',
      '.',
    )
    .addOption(
      new Option('--at-least <grade>', 'exit 1 below this grade')
        .choices(['A', 'B', 'C'])
        .default('C'),
    )
    .option('--json', 'the whole run as JSON on standard output', false)
    .option('--junit <file>', 'a test case for each fault')
    .option('--only <names>', 'these faults alone, by comma', collect, [])
    .option('--hand-in <url>', 'the base URL of a staging environment that keeps the run')
    .option('--app-id <id>', 'the app there')
    .showHelpAfterError('Run it with --help for all flags.')
    .addHelpText('after', EXIT_CODES)
    .configureOutput(write ? { writeOut: write, writeErr: write } : {})
    .exitOverride()
    .parse(args, { from: 'user' })
    .opts<Options>()
}
