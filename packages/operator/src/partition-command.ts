// `chartside db partition`: shows the statements that divide the tables that grow, and runs them with
// --apply. Owns the options and the output; partition/ does the work. docs/operate/scaling.md.
import { Command, InvalidArgumentError } from 'commander'
import { auditAction } from './audit-action.ts'
import { type CliContext, loadConfig, openForOperator, withDatabase } from './context.ts'
import { describeUrl } from './copy/url.ts'
import { type Output, printResult, withJson } from './output.ts'
import { type Division, divide, planDivision } from './partition/partition.ts'

const DEFAULT_PARTITIONS = 16
const MAX_PARTITIONS = 256

const parsePartitions = (text: string): number => {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 2 && count <= MAX_PARTITIONS) return count
  throw new InvalidArgumentError(`Must be a whole number from 2 to ${MAX_PARTITIONS}.`)
}

interface Options extends Output {
  readonly citus?: true
  readonly partitions: number
  readonly apply?: true
  readonly database?: string
}

export const partitionCommand = (context: CliContext) =>
  withJson(new Command('partition'))
    .description(
      'Divides the tables that grow, by account: hash partitions, or the machines of Citus. Without\n' +
        '--apply it only prints the statements.',
    )
    .option('--citus', 'distribute the tables over the workers of Citus')
    .option(
      '--partitions <count>',
      'hash partitions of each table',
      parsePartitions,
      DEFAULT_PARTITIONS,
    )
    .option('--apply', 'run the statements, in one transaction; every node must be stopped')
    .option('--database <url>', 'postgres://… (default: the database of the environment)')
    .addHelpText(
      'after',
      '\nIt locks each table and copies its rows: measured two minutes for a million launches and a million\n' +
        'audit events on two busy cores, and as much free disk as these tables have. Nothing changes when it fails. Back up first.',
    )
    .action(async ({ citus, partitions, apply, database: given, ...output }: Options) => {
      const database = given ?? loadConfig(context).databaseUrl
      const division: Division = citus ? { kind: 'citus' } : { kind: 'hash', partitions }
      if (!apply) {
        const statements = await planDivision(database, division)
        const text = statements.map((statement) => `${statement};`).join('\n')
        if (output.json || text) printResult(context, output, { applied: false, statements }, text)
        context.note(
          statements.length === 0
            ? 'The tables are divided already. There is nothing to do.'
            : '\nNothing was changed. Stop every node, back up, and run it again with --apply.',
        )
        return
      }
      const startedAt = context.clock()
      const done = await divide(database, division, (statement, number, of) =>
        context.note(`${number}/${of}  ${statement}`),
      )
      const record = { applied: done.length > 0, statements: done }
      if (done.length === 0) {
        const text = 'The tables are divided already. There is nothing to do.'
        return printResult(context, output, record, text)
      }
      await withDatabase(openForOperator(database), (db) =>
        auditAction(context, db, {
          action: 'partitionDatabase',
          target: 'database',
          detail: { by: citus ? 'citus' : `hash ${partitions}` },
        }),
      )
      const seconds = ((context.clock() - startedAt) / 1000).toFixed(1)
      const text = `Divided ${describeUrl(database)} in ${seconds} s. Start the nodes.`
      printResult(context, output, record, text)
    })
