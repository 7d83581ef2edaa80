// `chartside migrate`: applies migrations, or shows their state. docs/inside/decisions/0012 says what a
// migration may do while older nodes run. Never defines one.

import { listMigrations, type MigrationState, migrate } from '@chartside/server/operator/database'
import { rfc3339 } from '@chartside/server/operator/runtime'
import { Command } from 'commander'
import { auditAction } from './audit-action.ts'
import {
  type CliContext,
  loadConfig,
  openConfigured,
  openForOperator,
  withDatabase,
} from './context.ts'
import { type Output, printResult, withJson } from './output.ts'
import { formatTable, formatTime } from './table.ts'

interface Options extends Output {
  readonly status?: true
  readonly contract?: true
}

export const migrateCommand = (context: CliContext) =>
  withJson(new Command('migrate'))
    .description('Applies the pending migrations. Nodes of the previous version continue to work.')
    .option('--status', 'only show what is applied and what is pending')
    .option('--contract', 'also remove what no running version needs; only when all nodes are new')
    .action(async ({ status, contract, ...output }: Options) => {
      const { databaseUrl } = loadConfig(context)
      if (status) return showStatus(context, output)
      await withDatabase(openForOperator(databaseUrl), async (db) => {
        const ran = await migrate(db, context.clock, { contract: contract === true })
        const target = `version ${ran.at(-1)?.version}`
        if (ran.length > 0) await auditAction(context, db, { action: 'migrateDatabase', target })
        const waiting = contractPending(await listMigrations(db))
        const lines = ran.map(({ version, name }) => `Applied ${version}: ${name}.`)
        if (ran.length === 0) lines.push('Nothing was pending.')
        const record = {
          applied: ran.map(({ version, name }) => ({ version, name })),
          toContract: waiting.map(({ version, name }) => ({ version, name })),
        }
        const text = [...lines, ...describeContractPending(waiting)].join('\n')
        printResult(context, output, record, text)
      })
    })

async function showStatus(context: CliContext, output: Output): Promise<void> {
  const states = await withDatabase(openConfigured(loadConfig(context)), (db) => listMigrations(db))
  const rows = states.map(({ version, phase, name, appliedAt, isKnown }) => [
    version,
    phase,
    appliedAt === undefined ? 'pending' : formatTime(appliedAt),
    isKnown ? name : `${name} (of a newer version)`,
  ])
  const pending = states.filter(({ appliedAt, phase }) => !appliedAt && phase === 'expand')
  const text = [
    formatTable(['version', 'phase', 'applied', 'name'], rows),
    ...(pending.length > 0
      ? [`\n${pending.length} pending. Run chartside migrate, or start the service.`]
      : []),
    ...describeContractPending(contractPending(states)),
  ]
  const record = states.map(({ version, phase, name, appliedAt, isKnown }) => ({
    ...{ version, phase, name, isKnown },
    appliedAt: appliedAt === undefined ? null : rfc3339(appliedAt),
  }))
  printResult(context, output, record, text.join('\n'))
}

const contractPending = (states: readonly MigrationState[]) =>
  states.filter(({ phase, appliedAt }) => phase === 'contract' && !appliedAt)

const describeContractPending = ({ length }: readonly MigrationState[]) =>
  length > 0
    ? [`\n${length} to contract. When every node runs this version: chartside migrate --contract.`]
    : []
