// The command line of the scripts in this folder: --help for each, a hint for an unknown option, and
// a usage for a wrong argument. Ends the process in these cases; the scripts get parsed values.
import { Command } from 'commander'

/** `script` is the name in package.json. */
export function defineScript(script: string, description: string): Command {
  return new Command(`npm run ${script} --`)
    .description(description)
    .showHelpAfterError()
    .allowExcessArguments(false)
}
