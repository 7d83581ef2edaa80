// The SQL of the evidence: who may sign in and how, which copies of the database were made, what was done
// lately, and how far back the records reach. Reads only; no secret and no hash leaves it.
import {
  NEWEST,
  PLATFORM,
  type PlacedEvent,
  readEventsBetween,
  scanEvents,
} from '@chartside/server/operator/audit'
import {
  type Database,
  integer,
  optionalInteger,
  optionalText,
  type Row,
  sql,
  text,
} from '@chartside/server/operator/database'

export interface PersonFacts {
  readonly id: string
  readonly email: string
  readonly platformRole: string
  readonly isDisabled: boolean
  readonly isEmergency: boolean
  readonly secondFactor: 'off' | 'unconfirmed' | 'on'
  readonly recoveryCodesLeft: number
  readonly loginMethods: readonly string[]
  readonly memberships: readonly {
    readonly accountId: string
    readonly role: string
    readonly isInvited: boolean
  }[]
}

export async function listPeople(db: Database): Promise<PersonFacts[]> {
  const [users, methods, members, codes] = await Promise.all([
    db.read(sql`SELECT u.id, u.email, u.role, u.disabled_at, u.emergency_at,
        f.user_id AS factor_of, f.confirmed_at
      FROM users u LEFT JOIN second_factors f ON f.user_id = u.id ORDER BY u.id`),
    db.read(sql`SELECT user_id, kind FROM login_methods ORDER BY user_id, kind`),
    db.read(sql`SELECT m.user_id, m.account_id, m.role, m.invited_at FROM members m
      JOIN accounts a ON a.id = m.account_id AND a.deleted_at IS NULL
      ORDER BY m.user_id, m.account_id`),
    db.read(sql`SELECT user_id, COUNT(*) AS codes FROM recovery_codes
      WHERE used_at IS NULL GROUP BY user_id`),
  ])
  const ofUser = (rows: readonly Row[]) => Map.groupBy(rows, (row) => text(row, 'user_id'))
  const [methodsOf, membersOf, codesOf] = [ofUser(methods), ofUser(members), ofUser(codes)]
  return users.map((row) => {
    const id = text(row, 'id')
    const [left] = codesOf.get(id) ?? []
    return {
      id,
      email: text(row, 'email'),
      platformRole: text(row, 'role'),
      isDisabled: row.disabled_at !== null,
      isEmergency: row.emergency_at !== null,
      secondFactor:
        row.factor_of === null ? 'off' : row.confirmed_at === null ? 'unconfirmed' : 'on',
      recoveryCodesLeft: left ? integer(left, 'codes') : 0,
      loginMethods: (methodsOf.get(id) ?? []).map((method) => text(method, 'kind')),
      memberships: (membersOf.get(id) ?? []).map((member) => ({
        accountId: text(member, 'account_id'),
        role: text(member, 'role'),
        isInvited: member.invited_at !== null,
      })),
    }
  })
}

export interface AccountFacts {
  readonly id: string
  readonly name: string
  readonly requiresSecondFactor: boolean
}

export async function listAccountFacts(db: Database): Promise<AccountFacts[]> {
  const rows = await db.read(
    sql`SELECT id, name, second_factor_required_at FROM accounts WHERE deleted_at IS NULL ORDER BY id`,
  )
  return rows.map((row) => ({
    id: text(row, 'id'),
    name: text(row, 'name'),
    requiresSecondFactor: row.second_factor_required_at !== null,
  }))
}

const COPIES = ['backUpDatabase', 'copyDatabase', 'restoreDatabase']
const MAX_COPIES = 50

export interface CopyFacts {
  readonly at: number
  readonly action: string
  readonly with: string | undefined
  readonly by: string | undefined
}

/** Lists what `chartside db` has recorded, newest first. */
export async function listCopies(db: Database): Promise<CopyFacts[]> {
  const found: PlacedEvent[] = []
  for (const about of COPIES) {
    for (let before: string | undefined = NEWEST; before !== undefined; ) {
      const page = { accountId: PLATFORM, before, limit: MAX_COPIES, about }
      const { events, next } = await scanEvents(db, page)
      found.push(...events.filter(({ actor }) => actor === 'operator'))
      before = next
    }
  }
  const newest = found.sort((a, b) => b.at - a.at).slice(0, MAX_COPIES)
  return newest.map(({ at, action, detail }) => ({
    ...{ at, action, with: detail.with, by: detail.user },
  }))
}

interface ActionCount {
  readonly action: string
  readonly outcome: string
  readonly count: number
}

/** Events from that time to this. */
export async function countActions(
  db: Database,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ActionCount[]> {
  const counts = new Map<string, ActionCount>()
  for await (const { action, outcome } of readEventsBetween(db, { from, to })) {
    const name = `${action} ${outcome}`
    counts.set(name, { action, outcome, count: (counts.get(name)?.count ?? 0) + 1 })
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
}

/** Every trail that has an event. */
export async function listTrails(db: Database): Promise<string[]> {
  const rows = await db.read(
    sql`SELECT account_id FROM audit_entries WHERE account_id IS NOT NULL
      UNION SELECT account_id FROM audit_archives ORDER BY account_id`,
  )
  return rows.map((row) => text(row, 'account_id'))
}

export interface ReachFacts {
  readonly oldestEventAt: number | undefined
  readonly oldestLaunchAt: number | undefined
  readonly oldestSignInAt: number | undefined
}

export async function findReach(db: Database): Promise<ReachFacts> {
  const [row = {}] = await db.read(
    sql`SELECT (SELECT MIN(at) FROM audit_entries) AS event_at,
      (SELECT MIN(created_at) FROM launches) AS launch_at,
      (SELECT MIN(created_at) FROM sign_ins) AS sign_in_at`,
  )
  return {
    oldestEventAt: optionalInteger(row, 'event_at'),
    oldestLaunchAt: optionalInteger(row, 'launch_at'),
    oldestSignInAt: optionalInteger(row, 'sign_in_at'),
  }
}

/** The version of the database server, as it calls itself. */
export async function findEngine(db: Database, databaseUrl: string): Promise<string> {
  const isSqlite = databaseUrl.startsWith('file:')
  const [row = {}] = await db.read(
    isSqlite ? sql`SELECT sqlite_version() AS version` : sql`SELECT version() AS version`,
  )
  return `${isSqlite ? 'SQLite ' : ''}${optionalText(row, 'version') ?? ''}`
}
