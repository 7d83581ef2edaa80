// The command line of the doctor: its options and their texts. Pure; main.ts runs, prints and exits.
// Contract §15.
import { Command, Option } from 'commander'
import type { Level } from './grade.ts'

export interface Options {
  /** The folder of the app. */
  readonly app: string
  readonly atLeast: Level
  readonly json: boolean
  /** A file for JUnit. */
  readonly junit?: string
  readonly only: readonly string[]
}

const collect = (value: string, earlier: readonly string[]) => [...earlier, ...value.split(',')]

/** @throws CommanderError after it has written its text */
export function parseOptions(args: readonly string[]): Options {
  return new Command('chartside-faults')
    .description('Plays about thirty faults against an app and grades what it does.')
    .option('--app <folder>', 'the app, with its chartside.app.json', '.')
    .addOption(
      new Option('--at-least <grade>', 'exit 1 below this grade')
        .choices(['A', 'B', 'C'])
        .default('C'),
    )
    .option('--json', 'the whole run as JSON on standard output', false)
    .option('--junit <file>', 'a test case for each fault')
    .option('--only <names>', 'these faults alone, by comma', collect, [])
    .showHelpAfterError('Run it with --help for all flags.')
    .exitOverride()
    .parse(args, { from: 'user' })
    .opts<Options>()
}
