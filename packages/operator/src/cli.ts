// The list of the commands of `chartside`. Each command is a file of its own; context.ts has what they
// get. Configured by the same environment as the service (docs/operate/configuration.md). Runs nothing.
import { readVersion } from '@chartside/server/operator/runtime'
import { Command } from 'commander'
import { accountsCommand } from './accounts-command.ts'
import { auditCommand } from './audit-command.ts'
import type { CliContext } from './context.ts'
import { dbCommand } from './db-command.ts'
import { emergencyCommand } from './emergency-command.ts'
import { evidenceCommand } from './evidence-command.ts'
import { healthCommand } from './health-command.ts'
import { importCommand } from './import-command.ts'
import { installationCommand } from './installation-command.ts'
import { keysCommand } from './keys-command.ts'
import { logsCommand } from './logs-command.ts'
import { migrateCommand } from './migrate-command.ts'
import { usersCommand } from './users-command.ts'

const EXAMPLES = `
Configured by the same environment as the service, above all CHARTSIDE_DATABASE_URL,
CHARTSIDE_DATA_DIR and CHARTSIDE_MASTER_KEY (docs/operate/configuration.md). Times are UTC.
Every command has --help, and --json for a program: one document on standard output.

Examples:
  chartside serve                   the service; chartside serve --help lists its settings
  chartside migrate --status        what is applied, what is pending
  chartside db backup today.db      a backup while the service runs
  chartside users list              who may sign in, who administers
  chartside users reset <email>     a link for a person who lost the password
  chartside keys list               which key signs, which comes next
  chartside keys rotate --dry-run   what a rotation would do
  chartside logs --tail             the launches that you may see, as they come
  chartside import practices.csv    practices, with invitations for their people
  chartside evidence today.json     what an auditor asks for, in one file
`

/** The bundler sets CHARTSIDE_PACKAGED. */
const DESCRIPTION = process.env.CHARTSIDE_PACKAGED
  ? 'Runs and operates an installation of Chartside. Without a command it starts the service.'
  : 'Runs and operates an installation of Chartside.'

/** This entry only serves the help: main.mjs starts the service before this file is loaded. */
const serveCommand = () =>
  new Command('serve').description(
    'Starts the service, until SIGTERM or Ctrl-C. --help lists its settings.',
  )

export function buildCli(context: CliContext): Command {
  const cli = new Command('chartside')
    .description(DESCRIPTION)
    .version(readVersion())
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('(see chartside --help)')
    .addCommand(serveCommand())
    .addCommand(healthCommand())
    .addCommand(migrateCommand(context))
    .addCommand(dbCommand(context))
    .addCommand(keysCommand(context))
    .addCommand(logsCommand(context))
    .addCommand(auditCommand(context))
    .addCommand(usersCommand(context))
    .addCommand(accountsCommand(context))
    .addCommand(emergencyCommand(context))
    .addCommand(evidenceCommand(context))
    .addCommand(importCommand(context))
    .addCommand(installationCommand(context))
  for (const group of cli.commands) {
    for (const command of [group, ...group.commands]) command.showHelpAfterError()
  }
  return cli
}
