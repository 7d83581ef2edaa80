// `chartside migrate`: applies migrations, or shows their state. docs/decisions/0012 says what a
// migration may do while older nodes run. Never defines one.

import { convertEarlierTrail } from '@chartside/server/audit/audit-conversion-store.ts'
import {
  listMigrations,
  type MigrationState,
  migrate,
} from '@chartside/server/db/migrations/migrate.ts'
import { Command } from 'commander'
import { auditAction } from './audit-action.ts'
import {
  type CliContext,
  loadConfig,
  openConfigured,
  openForOperator,
  withDatabase,
} from './context.ts'
import { formatTable, formatTime } from './table.ts'

export const migrateCommand = (context: CliContext) =>
  new Command('migrate')
    .description('Applies the pending migrations. Nodes of the previous version continue to work.')
    .option('--status', 'only show what is applied and what is pending')
    .option('--contract', 'also remove what no running version needs; only when all nodes are new')
    .action(async ({ status, contract }: { status?: true; contract?: true }) => {
      const { databaseUrl } = loadConfig(context)
      if (status) return showStatus(context)
      await withDatabase(openForOperator(databaseUrl), async (db) => {
        const ran = await migrate(db, context.clock, { contract: contract === true })
        const target = `version ${ran.at(-1)?.version}`
        if (ran.length > 0) await auditAction(context, db, { action: 'migrateDatabase', target })
        for (const { version, name } of ran) context.print(`Applied ${version}: ${name}.`)
        const moved = await convertEarlierTrail(db)
        if (moved > 0) context.print(`Moved ${moved} audit events into the tables of this version.`)
        else if (ran.length === 0) context.print('Nothing was pending.')
        printContractPending(context, await listMigrations(db))
      })
    })

async function showStatus(context: CliContext): Promise<void> {
  const states = await withDatabase(openConfigured(loadConfig(context)), (db) => listMigrations(db))
  const rows = states.map(({ version, phase, name, appliedAt, isKnown }) => [
    version,
    phase,
    appliedAt === undefined ? 'pending' : formatTime(appliedAt),
    isKnown ? name : `${name} (of a newer version)`,
  ])
  context.print(formatTable(['version', 'phase', 'applied', 'name'], rows))
  const pending = states.filter(({ appliedAt, phase }) => !appliedAt && phase === 'expand')
  if (pending.length > 0) {
    context.print(`\n${pending.length} pending. Run chartside migrate, or start the service.`)
  }
  printContractPending(context, states)
}

function printContractPending(context: CliContext, states: readonly MigrationState[]): void {
  const waiting = states.filter(({ phase, appliedAt }) => phase === 'contract' && !appliedAt)
  if (waiting.length > 0) {
    context.print(
      `\n${waiting.length} to contract. When every node runs this version: chartside migrate --contract.`,
    )
  }
}
