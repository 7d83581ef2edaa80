// `chartside audit`: the list of its commands, and the export, which writes the trail of an account to a
// file. The others are in verify-command.ts and archive-command.ts. docs/operate/audit.md.
import { open } from 'node:fs/promises'
import { countPending, PLATFORM, readExport } from '@chartside/server/operator/audit'
import { Command } from 'commander'
import { archiveCommand } from './archive-command.ts'
import { auditAction } from './audit-action.ts'
import {
  type CliContext,
  CommandFailed,
  loadConfig,
  openConfigured,
  withDatabase,
} from './context.ts'
import { type Output, printResult, withJson } from './output.ts'
import { verifyCommand } from './verify-command.ts'

export const auditCommand = (context: CliContext) =>
  new Command('audit')
    .description('The audit trail: export it, verify it offline, and archive what is old.')
    .addCommand(exportCommand(context))
    .addCommand(verifyCommand(context))
    .addCommand(archiveCommand(context))

const exportCommand = (context: CliContext) =>
  withJson(new Command('export'))
    .description('Writes the trail of an account as JSON Lines into a new file.')
    .argument('<file>', 'the file to make; nothing is overwritten')
    .option('--account <id>', 'the account of the trail; without it the platform', PLATFORM)
    .action(async (path: string, options: Output & { readonly account: string }) => {
      const { account } = options
      const file = await open(path, 'wx', 0o600).catch((cause: NodeJS.ErrnoException) => {
        throw new CommandFailed(
          cause.code === 'EEXIST'
            ? `${path} is there already. Choose another name.`
            : `${path} cannot be written: ${cause.message}.`,
          { cause },
        )
      })
      let events = 0
      let pending = 0
      try {
        await withDatabase(openConfigured(loadConfig(context)), async (db) => {
          for await (const line of readExport(db, account)) {
            await file.write(line)
            if (line.startsWith('{"id"')) events += 1
          }
          pending = await countPending(db, account)
          const done = { action: 'exportAuditTrail', target: account, accountId: account } as const
          await auditAction(context, db, done)
        })
        await file.sync()
      } finally {
        await file.close()
      }
      const record = { file: path, accountId: account, events, pending }
      printResult(
        context,
        options,
        record,
        `Wrote ${countEvents(events)} of ${account} to ${path}.`,
      )
      context.note(
        pending === 0
          ? 'No event is pending: the export has all of them.'
          : `${countEvents(pending)} pending: too new to be in it. Export again in a minute to have ${pending === 1 ? 'it' : 'them'}.`,
      )
    })

const countEvents = (count: number) => `${count} ${count === 1 ? 'event' : 'events'}`
