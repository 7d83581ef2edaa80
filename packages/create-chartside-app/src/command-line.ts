// The command line: every question as a flag, and the text of --help. Asks nothing; writes only
// that text and messages about flags.
import { Command, Option } from 'commander'
import { type Choices, FRAMEWORKS, KINDS, OPTIONS, parseName, requirePossible } from './choices.ts'

export interface Flags extends Partial<Choices> {
  readonly directory?: string
  readonly packages?: string
  readonly yes?: true
}

const list = (choices: Readonly<Record<string, { label: string }>>): string =>
  Object.entries(choices)
    .map(([value, { label }]) => `${value}: ${label}`)
    .join('; ')

/** @throws CommanderError after --help or a wrong flag, its text is written; Refusal for a name */
export function parseCommandLine(
  args: readonly string[],
  write: { readonly out: (text: string) => void; readonly error: (text: string) => void },
): Flags {
  const command = new Command('create-chartside-app')
    .usage('[directory] [options]')
    .description('Writes a new app that Chartside launches: TypeScript, tests, ready to run.')
    .argument('[directory]', 'where the app goes; created if it does not exist')
    .option('--name <name>', 'as people read it (default: from the directory)')
    .addOption(
      new Option(
        '--option <number>',
        `how it gets its tokens; ${list(OPTIONS)} (default: 1)`,
      ).choices(Object.keys(OPTIONS)),
    )
    .addOption(
      new Option(
        '--framework <name>',
        `of its server and its page; ${list(FRAMEWORKS)} (default: express)`,
      ).choices(Object.keys(FRAMEWORKS)),
    )
    .addOption(
      new Option('--kind <kind>', `${list(KINDS)} (default: ui)`).choices(Object.keys(KINDS)),
    )
    .option(
      '--packages <folder>',
      'take the Chartside packages from .tgz files made by npm run pack',
    )
    .option('-y, --yes', 'ask nothing; use the defaults')
    .addHelpText(
      'after',
      `
Asks what no flag answers. Never asks outside a terminal.

  npm create chartside-app
  npm create chartside-app my-app -- --option 2 --framework hono
  npm create chartside-app my-app -- --framework react-vite
  npm create chartside-app my-app -- --framework next
  npm run tool -- create-app ../my-app --kind worker --yes     (in a checkout of Chartside)
`,
    )
    .showHelpAfterError('Run it with --help for all flags.')
    .configureOutput({ writeOut: write.out, writeErr: write.error })
    .exitOverride()
    .parse(args, { from: 'user' })
  const { name, ...others } = requirePossible(command.opts<Flags>())
  const [directory] = command.args
  return {
    ...others,
    ...(name === undefined ? {} : { name: parseName(name) }),
    ...(directory === undefined ? {} : { directory }),
  }
}
