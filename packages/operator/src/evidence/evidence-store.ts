// The SQL of the evidence: who may sign in and how, which copies of the database were made, what was done
// lately, and how far back the records reach. Reads only; no secret and no hash leaves it.
import { PLATFORM } from '@chartside/server/audit/audit.ts'
import type { Database, Row } from '@chartside/server/db/database.ts'
import { integer, json, optionalInteger, optionalText, text } from '@chartside/server/db/row.ts'
import { list, sql } from '@chartside/server/db/sql.ts'
import { idFloor } from '@chartside/server/kernel/identifiers.ts'

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

/** What `chartside db` has recorded, newest first. */
export async function listCopies(db: Database): Promise<CopyFacts[]> {
  const rows = await db.read(
    sql`SELECT at, action, detail FROM audit_events WHERE account_id = ${PLATFORM}
      AND actor = 'operator' AND action IN (${list(COPIES)}) ORDER BY id DESC LIMIT ${MAX_COPIES}`,
  )
  return rows.map((row) => {
    const { with: file, user } = json<Record<string, string>>(row, 'detail')
    return { at: integer(row, 'at'), action: text(row, 'action'), with: file, by: user }
  })
}

export interface ActionCount {
  readonly action: string
  readonly outcome: string
  readonly count: number
}

/** Events since then: the identifier of an event begins with its time. */
export async function countActions(db: Database, since: number): Promise<ActionCount[]> {
  const rows = await db.read(
    sql`SELECT action, outcome, COUNT(*) AS events FROM audit_events
      WHERE id >= ${idFloor('evt', since)} GROUP BY action, outcome ORDER BY action, outcome`,
  )
  return rows.map((row) => ({
    action: text(row, 'action'),
    outcome: text(row, 'outcome'),
    count: integer(row, 'events'),
  }))
}

/** Every trail that has an event. */
export async function listTrails(db: Database): Promise<string[]> {
  const rows = await db.read(sql`SELECT DISTINCT account_id FROM audit_events ORDER BY account_id`)
  return rows.map((row) => text(row, 'account_id'))
}

export interface ReachFacts {
  readonly oldestEventAt: number | undefined
  readonly oldestLaunchAt: number | undefined
  readonly oldestSignInAt: number | undefined
}

export async function findReach(db: Database): Promise<ReachFacts> {
  const [row = {}] = await db.read(
    sql`SELECT (SELECT MIN(at) FROM audit_events) AS event_at,
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
