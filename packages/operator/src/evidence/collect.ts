// Collects the evidence: reads the facts, verifies every audit trail, and puts all of it into one object.
// Changes nothing in the database.
import { countPending, ExportCheck, PLATFORM, readExport } from '@chartside/server/operator/audit'
import {
  type Database,
  findInstallation,
  listMigrations,
} from '@chartside/server/operator/database'
import { keyTimesOf, listSigningKeys } from '@chartside/server/operator/keys'
import type { Config } from '@chartside/server/operator/runtime'
import type { CliContext } from '../context.ts'
import {
  describeAdministrators,
  describeBackups,
  describeConfiguration,
  describeKeys,
  describeRetention,
  describeSchema,
  describeSessions,
  describeTransport,
  describeUsers,
} from './evidence.ts'
import {
  countActions,
  findEngine,
  findReach,
  listAccountFacts,
  listCopies,
  listPeople,
  listTrails,
} from './evidence-store.ts'

const FORMAT = 'chartside-evidence/1'
const COUNTED_DAYS = 30
const DAY_MS = 86_400_000

export interface Sources {
  readonly db: Database
  readonly config: Config
  readonly version: string
  readonly nodeVersion: string
  /** The SBOM of the service with its digest; undefined when no SBOM lies beside the command. */
  readonly sbom: { readonly path: string; readonly sha256: string } | undefined
  readonly hasAddresses: boolean
}

export type Evidence = Awaited<ReturnType<typeof collectEvidence>>

export async function collectEvidence(
  { clock, operator, note }: Pick<CliContext, 'clock' | 'note' | 'operator'>,
  { db, config, version, nodeVersion, sbom, hasAddresses }: Sources,
) {
  const now = clock()
  const [people, accounts, migrations, keys] = await Promise.all([
    listPeople(db),
    listAccountFacts(db),
    listMigrations(db),
    listSigningKeys(db),
  ])
  const times = keyTimesOf(config)
  const rotationDays = config.keyRotationDays
  return {
    format: FORMAT,
    madeAt: new Date(now).toISOString(),
    madeBy: operator,
    software: { version, node: nodeVersion, sbom: sbom ?? null },
    installation: (await findInstallation(db)) ?? null,
    configuration: describeConfiguration(config),
    schema: describeSchema(await findEngine(db, config.databaseUrl), migrations),
    keys: describeKeys(keys, { now, times, rotationDays }),
    users: describeUsers(people, hasAddresses),
    administrators: describeAdministrators(people),
    accounts,
    sessions: describeSessions(config, accounts),
    audit: {
      trails: await verifyTrails(db, note),
      countedDays: COUNTED_DAYS,
      actions: await countActions(db, { from: now - COUNTED_DAYS * DAY_MS, to: now + DAY_MS }),
    },
    backups: describeBackups(await listCopies(db), now),
    retention: describeRetention(config, await findReach(db), now),
    transport: describeTransport(config),
  }
}

/** The check of `chartside audit verify`, of every trail as an export would have it now. */
async function verifyTrails(db: Database, note: CliContext['note']) {
  const trails = await listTrails(db)
  const verified = []
  for (const [index, accountId] of trails.entries()) {
    note(`Verifying the trail of ${accountId} (${index + 1} of ${trails.length}).`)
    const check = new ExportCheck()
    for await (const line of readExport(db, accountId)) check.take(line.replace(/\n$/, ''))
    const { begin, events, head, problems } = check.finish()
    verified.push({
      accountId,
      isPlatform: accountId === PLATFORM,
      events,
      /** The events up to this number are in archives, which `chartside audit verify` checks. */
      archivedTo: begin?.seq ?? 0,
      isWhole: problems.length === 0,
      problems,
      /** These events are too new to have a place in the chain. */
      pending: await countPending(db, accountId),
      end: head ? `${head.seq}:${head.hash}` : null,
    })
  }
  return verified
}
