// `chartside accounts`: erases a deleted account at the end of a contract. docs/operate/compliance.md says what
// stays. Each erasure is an event of the platform's audit trail.
import { isShared } from '@chartside/server/operator/database'
import {
  eraseAccount,
  sessionBroadcast,
  sessionSubscriptions,
} from '@chartside/server/operator/people'
import { Command } from 'commander'
import { auditAction } from './audit-action.ts'
import { type CliContext, loadConfig, openConfigured, refused, withDatabase } from './context.ts'
import { type Output, printResult, withJson } from './output.ts'

interface Options extends Output {
  readonly dryRun?: true
}

export function accountsCommand(context: CliContext): Command {
  const accounts = new Command('accounts').description('The accounts of the installation.')
  withJson(accounts.command('erase'))
    .description(
      'Erases the name of a deleted account, its memberships, and the people who belong to no other account.',
    )
    .argument('<id>', 'the account, such as acc_01jnye6xw8q2v5n0m4r7ta')
    .option('--dry-run', 'only say how many people it would erase')
    .action((id: string, options: Options) => erase(context, id, options))
  return accounts
}

const erase = (context: CliContext, id: string, { dryRun, ...output }: Options) => {
  const config = loadConfig(context)
  return withDatabase(openConfigured(config), async (db) => {
    const { clock, note, randomness } = context
    const onLost = () => note('The nodes see the end within 15 seconds.')
    const broadcast = isShared(config.databaseUrl)
      ? sessionBroadcast({ db, clock, randomness, onLost })
      : undefined
    const subscriptions = sessionSubscriptions(broadcast)
    const isDryRun = dryRun === true
    const record = (target: string) => auditAction(context, db, { action: 'eraseUser', target })
    const options = { now: clock(), isDryRun, record }
    const { people } = await eraseAccount({ db, subscriptions }, id, options).catch(refused)
    if (!isDryRun) {
      const detail = { people: String(people.length) }
      await auditAction(context, db, { action: 'eraseAccount', target: id, detail })
    }
    const count = people.length === 1 ? '1 person' : `${people.length.toLocaleString('en')} people`
    const text = `${isDryRun ? 'Would erase' : 'Erased'} ${id} and ${count} of no other account.`
    printResult(context, output, { dryRun: isDryRun, id, people }, text)
    if (!isDryRun)
      note(
        'Names of apps and collections, launches until the retention is over, and the audit trail stay.',
      )
  })
}
