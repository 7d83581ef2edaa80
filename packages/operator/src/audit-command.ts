// `chartside audit`: writes the trail of an account to a file, and checks such a file without the
// service or its database. Never changes the trail. docs/audit.md.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { PLATFORM } from '@chartside/server/audit/audit.ts'
import { ExportCheck } from '@chartside/server/audit/audit-export.ts'
import { readExport } from '@chartside/server/audit/audit-export-file.ts'
import { countPending } from '@chartside/server/audit/audit-trail.ts'
import { Command } from 'commander'
import { auditAction } from './audit-action.ts'
import {
  type CliContext,
  CommandFailed,
  loadConfig,
  openConfigured,
  withDatabase,
} from './context.ts'

export const auditCommand = (context: CliContext) =>
  new Command('audit')
    .description('The audit trail: export it, and verify an export offline.')
    .addCommand(exportCommand(context))
    .addCommand(verifyCommand(context))

const exportCommand = (context: CliContext) =>
  new Command('export')
    .description('Writes the trail of an account as JSON Lines into a new file.')
    .argument('<file>', 'the file to make; nothing is overwritten')
    .option('--account <id>', 'the account of the trail; without it the platform', PLATFORM)
    .action(async (path: string, { account }: { account: string }) => {
      const file = await open(path, 'wx', 0o600).catch((cause: NodeJS.ErrnoException) => {
        throw new CommandFailed(
          cause.code === 'EEXIST'
            ? `${path} is there already. Choose another name.`
            : `${path} cannot be written: ${cause.message}.`,
          { cause },
        )
      })
      let lines = 0
      let pending = 0
      try {
        await withDatabase(openConfigured(loadConfig(context)), async (db) => {
          for await (const line of readExport(db, account)) {
            await file.write(line)
            lines += 1
          }
          pending = await countPending(db, account)
          const done = { action: 'exportAuditTrail', target: account, accountId: account } as const
          await auditAction(context, db, done)
        })
        await file.sync()
      } finally {
        await file.close()
      }
      context.print(`Wrote ${countEvents(lines - 1)} of ${account} to ${path}.`)
      context.note(
        pending === 0
          ? 'No event is pending: the export has all of them.'
          : `${countEvents(pending)} pending: too new to be in it. Export again in a minute to have ${pending === 1 ? 'it' : 'them'}.`,
      )
    })

const verifyCommand = (context: CliContext) =>
  new Command('verify')
    .description('Checks an export: nothing changed, added, moved, left out or cut off.')
    .argument('<file>', 'a file that chartside audit export or the API made')
    .option('--known <end>', 'the end of an earlier export, as verify printed it', parseKnown)
    .action(async (path: string, { known }: { known?: { seq: number; hash: string } }) => {
      const check = new ExportCheck(known)
      try {
        for await (const line of readLines(path)) check.take(line)
      } catch (cause) {
        throw new CommandFailed(`${path} cannot be read: ${(cause as Error).message}.`, { cause })
      }
      const { accountId, events, head, problems } = check.finish()
      if (problems.length > 0) {
        throw new CommandFailed(`The trail is NOT whole:\n  ${problems.join('\n  ')}`)
      }
      if (events === 0) {
        context.print('The export has no event: there is nothing to verify.')
        context.note('Events are in an export half a minute after they were written.')
        return
      }
      context.print(`Whole: ${countEvents(events)} of ${accountId}.`)
      if (head) {
        context.print(`It ends at ${head.seq}:${head.hash}`)
        if (!known) context.note('Keep that end elsewhere, and pass it as --known next time.')
      }
    })

const countEvents = (count: number) => `${count} ${count === 1 ? 'event' : 'events'}`

/** The lines between line feeds, byte for byte: a carriage return belongs to its line. */
async function* readLines(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

function parseKnown(text: string): { seq: number; hash: string } {
  const [, seq, hash] = /^(\d+):([\w-]{43})$/.exec(text) ?? []
  if (!seq || !hash) throw new CommandFailed(`--known must read <number>:<hash>, not ${text}.`)
  return { seq: Number(seq), hash }
}
