// The SQL of problem reports. An account keeps its newest ones; those of a member go with the membership and all
// with the account, in the write that removes either. A user whom the platform disabled is not in the list.
import { type Database, type Row, readOne } from '../db/database.ts'
import { findNamedUsers, type NamedUser } from '../db/named-users.ts'
import { hasText } from '../db/page.ts'
import { integer, optionalText, text } from '../db/row.ts'
import { ALWAYS, list, type Statement, sql } from '../db/sql.ts'
import { partOf } from '../kernel/partitions.ts'

export interface ProblemReport {
  readonly id: string
  readonly accountId: string
  readonly userId: string
  readonly message: string | undefined
  readonly appId: string | undefined
  readonly launchId: string | undefined
  readonly traceId: string | undefined
  readonly versions: Readonly<Record<string, string>> | undefined
  /** The time in milliseconds. */
  readonly createdAt: number
}

export interface ListedProblemReport extends ProblemReport {
  readonly userName: string
  readonly appName: string | undefined
}

/** A report whose launch is gone names no launch. */
const listedOf = (row: Row, users: ReadonlyMap<string, NamedUser>): ListedProblemReport => {
  const versions = optionalText(row, 'versions')
  return {
    id: text(row, 'id'),
    accountId: text(row, 'account_id'),
    userId: text(row, 'user_id'),
    userName: users.get(text(row, 'user_id'))?.name ?? '',
    message: optionalText(row, 'message'),
    appId: optionalText(row, 'app_id'),
    appName: optionalText(row, 'app_name'),
    launchId: optionalText(row, 'found_launch_id'),
    traceId: optionalText(row, 'trace_id'),
    versions: versions === undefined ? undefined : JSON.parse(versions),
    createdAt: integer(row, 'created_at'),
  }
}

/** One account keeps this many; the oldest go. */
export const MAX_PROBLEM_REPORTS = 1000

export async function insertProblemReport(db: Database, report: ProblemReport): Promise<void> {
  const { id, accountId } = report
  const part = partOf(accountId)
  const versions = report.versions === undefined ? null : JSON.stringify(report.versions)
  await db.write(
    sql`INSERT INTO problem_reports (id, part, account_id, user_id, app_id, launch_id, trace_id,
        message, versions, created_at)
      VALUES (${id}, ${part}, ${accountId}, ${report.userId}, ${report.appId ?? null},
        ${report.launchId ?? null}, ${report.traceId ?? null}, ${report.message ?? null}, ${versions},
        ${report.createdAt})`,
    sql`DELETE FROM problem_reports WHERE part = ${part} AND account_id = ${accountId} AND id <= (
        SELECT id FROM problem_reports WHERE part = ${part} AND account_id = ${accountId}
        ORDER BY id DESC LIMIT 1 OFFSET ${MAX_PROBLEM_REPORTS})`,
  )
}

/** Lists the newest first, without those of disabled users. */
export async function listProblemReports(
  db: Database,
  accountId: string,
  { cursor, limit }: { readonly cursor: string; readonly limit: number },
): Promise<ListedProblemReport[]> {
  const ofAccount = sql`r.part = ${partOf(accountId)} AND r.account_id = ${accountId}`
  const reporters = await db.read(
    sql`SELECT DISTINCT r.user_id FROM problem_reports r WHERE ${ofAccount}`,
  )
  const users = await findNamedUsers(db, reporters)
  const shown = [...users].filter(([, { isDisabled }]) => !isDisabled).map(([id]) => id)
  if (shown.length === 0) return []
  const rows = await db.read(
    sql`SELECT r.*, a.name AS app_name, l.id AS found_launch_id FROM problem_reports r
      LEFT JOIN apps a ON a.id = r.app_id
      LEFT JOIN launches l ON l.part = r.part AND l.id = r.launch_id
      WHERE ${ofAccount} AND r.id < ${cursor} AND r.user_id IN (${list(shown)})
      ORDER BY r.id DESC LIMIT ${limit}`,
  )
  return rows.map((row) => listedOf(row, users))
}

export interface Reported {
  readonly accountId: string
  readonly userId: string
}

/** The app of a launch that the user has opened in the account; undefined for every other launch. */
export async function findReportedLaunch(
  db: Database,
  { accountId, userId }: Reported,
  launchId: string,
): Promise<{ id: string; name: string } | undefined> {
  const row = await readOne(
    db,
    sql`SELECT a.id, a.name FROM launches l
      JOIN ehr_sessions s ON s.part = l.part AND s.id = l.session_id JOIN apps a ON a.id = l.app_id
      WHERE l.part = ${partOf(accountId)} AND l.id = ${launchId}
        AND s.user_id = ${userId} AND s.account_id = ${accountId}`,
  )
  return row && { id: text(row, 'id'), name: text(row, 'name') }
}

/** The app, when an EHR session of the user in the account has it; undefined for every other app. */
export async function findReportedApp(
  db: Database,
  { accountId, userId }: Reported,
  appId: string,
): Promise<{ id: string; name: string } | undefined> {
  const row = await readOne(
    db,
    sql`SELECT a.id, a.name FROM ehr_sessions s JOIN apps a ON a.id = ${appId}
      WHERE s.part = ${partOf(accountId)} AND s.user_id = ${userId} AND s.account_id = ${accountId}
        AND ${hasText(sql`s.apps`, `"${appId}"`)} LIMIT 1`,
  )
  return row && { id: text(row, 'id'), name: text(row, 'name') }
}

/** Deletes the reports of one member, or all. */
export const deleteProblemReportsStatement = (accountId: string, userId?: string): Statement =>
  sql`DELETE FROM problem_reports WHERE part = ${partOf(accountId)} AND account_id = ${accountId}
    AND ${userId === undefined ? ALWAYS : sql`user_id = ${userId}`}`

/** The statement deletes the reports of the user in every account. */
export const deleteProblemReportsOfUserStatement = (
  userId: string,
  condition: Statement,
): Statement => sql`DELETE FROM problem_reports WHERE user_id = ${userId} AND ${condition}`
