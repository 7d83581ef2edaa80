// The command line of the scripts and tools: --help for each, a hint for an unknown option, and a
// usage for a wrong argument. Ends the process in these cases; the programs get parsed values.
import { Command } from 'commander'

/** A script of package.json. */
export const defineScript = (name: string, description: string): Command =>
  define(`npm run ${name} --`, description)

/** A tool of scripts/tool.ts. */
export const defineTool = (name: string, description: string): Command =>
  define(`npm run tool -- ${name}`, description)

const define = (usage: string, description: string): Command =>
  new Command(usage).description(description).showHelpAfterError().allowExcessArguments(false)
