// The edge of problem reports: a member sends one, administrators of the account read them. A launch or an app
// that is not the caller's is left out, and the answer is the same as for one that does not exist. [P01]

import type { HasDatabase } from '../db/database.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { Answer, PayloadOf, PersonCall } from '../http/call.ts'
import { buildPage, newestOf, parsePage } from '../http/input/pagination.ts'
import { newId, redactBearers } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { rfc3339 } from '../kernel/time.ts'
import { loadAccount } from './account-access.ts'
import type {
  PROBLEM_REPORT,
  PROBLEM_REPORT_BODY,
  PROBLEM_REPORTS,
} from './problem-report-schema.ts'
import {
  findReportedApp,
  findReportedLaunch,
  insertProblemReport,
  type ListedProblemReport,
  listProblemReports,
} from './problem-report-store.ts'

const reportBody = (report: ListedProblemReport): PayloadOf<typeof PROBLEM_REPORT> => {
  const { id, userId, userName, message, appId, appName, launchId, traceId, versions } = report
  return {
    id,
    userId,
    userName,
    createdAt: rfc3339(report.createdAt),
    ...(message === undefined ? {} : { message }),
    ...(appId === undefined || appName === undefined ? {} : { app: { id: appId, name: appName } }),
    ...(launchId === undefined ? {} : { launchId }),
    ...(traceId === undefined ? {} : { traceId }),
    ...(versions === undefined ? {} : { versions }),
  }
}

export async function sendProblemReport(
  { db, limits, randomness }: HasDatabase & HasRandomness & HasRateLimits,
  call: PersonCall<'id', typeof PROBLEM_REPORT_BODY>,
): Promise<Answer<201, typeof PROBLEM_REPORT>> {
  const account = await loadAccount({ db }, call)
  const { user } = call.person
  const { address, now, body } = call
  await limits.count({ address, subject: user.id }, now, 'problemReports')
  const who = { accountId: account.id, userId: user.id }
  const { launchId, appId, traceId, versions } = body
  const launched = launchId === undefined ? undefined : await findReportedLaunch(db, who, launchId)
  const app = launched ?? (appId === undefined ? undefined : await findReportedApp(db, who, appId))
  const report = {
    id: newId('rpt', now, randomness),
    ...who,
    message: body.message === undefined ? undefined : redactBearers(body.message),
    appId: app?.id,
    launchId: launched && launchId,
    traceId,
    versions,
    createdAt: now,
  }
  await insertProblemReport(db, report)
  // Its text may name a patient all the same; the list has it. [V11]
  call.log.info({ report: report.id, launch: report.launchId }, 'a member reports a problem')
  const shown = { ...report, userName: user.name, appName: app?.name }
  return { status: 201, headers: { 'cache-control': 'no-store' }, body: reportBody(shown) }
}

export async function listProblemReportsOf(
  { db }: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof PROBLEM_REPORTS>> {
  const account = await loadAccount({ db }, call)
  const page = parsePage(call.query, { of: ['rpt'], start: newestOf('rpt') })
  const found = await listProblemReports(db, account.id, { ...page, limit: page.limit + 1 })
  return { status: 200, body: buildPage(found, page, reportBody) }
}
