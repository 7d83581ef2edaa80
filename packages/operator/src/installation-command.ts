// `chartside installation`: shows which environment and issuer a database belongs to, and moves it to
// those of the settings on purpose: a new domain, or a copy of production that becomes staging. The service
// itself never changes that record. docs/operate/operations.md, security V14.
import {
  findInstallation,
  type Installation,
  updateInstallation,
} from '@chartside/server/operator/database'
import { Command } from 'commander'
import { auditAction } from './audit-action.ts'
import {
  type CliContext,
  CommandFailed,
  loadConfig,
  openConfigured,
  withDatabase,
} from './context.ts'
import { type Output, printResult, withJson } from './output.ts'

export const installationCommand = (context: CliContext) =>
  new Command('installation')
    .description('The environment and the issuer that the database belongs to.')
    .addCommand(showCommand(context))
    .addCommand(changeCommand(context))

const describe = ({ environment, issuer }: Installation) => `${environment}, issuer ${issuer}`

const showCommand = (context: CliContext) =>
  withJson(new Command('show'))
    .description('What the first start recorded. Another start is refused.')
    .action((output: Output) =>
      withDatabase(openConfigured(loadConfig(context)), async (db) => {
        const recorded = await findInstallation(db)
        const text = recorded ? describe(recorded) : 'Nothing is recorded before the first start.'
        printResult(context, output, recorded ?? null, text)
      }),
    )

const changeCommand = (context: CliContext) =>
  withJson(new Command('change'))
    .description('Records the environment and the issuer of the settings in place of the old ones.')
    .option('--dry-run', 'only show what would happen')
    .action(({ dryRun, ...output }: Output & { readonly dryRun?: true }) => {
      const config = loadConfig(context)
      const next = { environment: config.environment, issuer: config.issuerUrl }
      return withDatabase(openConfigured(config), async (db) => {
        const seen = await findInstallation(db)
        if (!seen) {
          throw new CommandFailed(
            'Nothing is recorded yet: the first start of the service records its settings.',
          )
        }
        const print = (isChanged: boolean, text: string) => {
          const record = { changed: isChanged, dryRun: dryRun === true, from: seen, to: next }
          printResult(context, output, record, text)
        }
        if (seen.environment === next.environment && seen.issuer === next.issuer) {
          return print(false, `Nothing to change: ${describe(seen)}.`)
        }
        const change = `from ${describe(seen)} to ${describe(next)}`
        if (dryRun) return print(false, `Would change ${change}.`)
        if (!(await updateInstallation(db, seen, next, context.clock()))) {
          throw new CommandFailed(
            'It was changed meanwhile. Look with chartside installation show, and run the command again.',
          )
        }
        await auditAction(context, db, {
          action: 'changeInstallation',
          target: 'installation',
          detail: { from: describe(seen), to: describe(next) },
        })
        print(true, `Changed ${change}.`)
        context.note(
          'Nodes that run keep the old issuer until they are restarted with the new settings. Apps verify ID\n' +
            'tokens against the issuer: give every vendor the new one. What was issued before stays valid in this\n' +
            'database: in a copy of production, end the sign-ins and retire the client secrets.',
        )
      })
    })
