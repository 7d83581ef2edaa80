// The handlers of fault runs: take one that the command made, list them, show one beside the run before. Staging
// only: a run is made with an app under development, never with one that providers use. Contract §15; decision 84.
import { gradeOf, outcomeOf, type PlayedFault } from '@chartside/protocol/fault-grade'
import { compareRuns, type Run } from '@chartside/protocol/fault-run'
import type { App } from '../apps/app.ts'
import { loadApp } from '../apps/app-access.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { Answer, PayloadOf, PersonCall, RecordCall } from '../http/call.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasRandomness } from '../kernel/randomness.ts'
import { rfc3339 } from '../kernel/time.ts'
import type { FAULT_RUN, FAULT_RUN_BODY, FAULT_RUNS } from './fault-run-schema.ts'
import { findRun, findRunBefore, insertRun, listRuns, type StoredRun } from './fault-run-store.ts'

type Parts = HasConfig & HasDatabase

/** @throws ApiError 404, 403; 409 staging_only */
async function loadTestedApp(service: Parts, call: RecordCall): Promise<App> {
  const app = await loadApp(service, call)
  if (service.config.environment === 'staging') return app
  const message = `This is ${service.config.environment}. Hand the run in at the staging environment.`
  throw new ApiError('staging_only', message)
}

export async function createFaultRun(
  service: Parts & HasRandomness & HasRateLimits,
  call: PersonCall<'id', typeof FAULT_RUN_BODY>,
): Promise<Answer<201, typeof FAULT_RUN>> {
  const app = await loadTestedApp(service, call)
  await service.limits.count({ address: call.address, subject: app.id }, call.now, 'faultRuns')
  const id = newId('frn', call.now, service.randomness)
  const stored: StoredRun = { id, appId: app.id, receivedAt: call.now, run: grade(call.body) }
  await insertRun(service.db, stored)
  return { status: 201, body: await runBody(service, stored) }
}

/** Grades the checks; what the caller says of outcome and grade does not count. */
function grade({ grade: _, ...run }: PayloadOf<typeof FAULT_RUN_BODY>): Run {
  const faults = run.faults.map(
    (fault): PlayedFault => ({ ...fault, outcome: outcomeOf(fault.checks) }),
  )
  return { ...run, faults, grade: gradeOf(faults) }
}

export async function listFaultRuns(
  service: Parts,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof FAULT_RUNS>> {
  const app = await loadTestedApp(service, call)
  const runs = await listRuns(service.db, app.id)
  const items = runs.map(({ receivedAt, ...run }) => ({ ...run, receivedAt: rfc3339(receivedAt) }))
  return { status: 200, body: { items, nextCursor: null } }
}

export async function showFaultRun(
  service: Parts,
  call: PersonCall<'id' | 'runId'>,
): Promise<Answer<200, typeof FAULT_RUN>> {
  const app = await loadTestedApp(service, call)
  const stored = await findRun(service.db, app.id, call.params.runId)
  if (!stored) throw notFound('fault run')
  return { status: 200, body: await runBody(service, stored) }
}

async function runBody(
  service: HasDatabase,
  stored: StoredRun,
): Promise<PayloadOf<typeof FAULT_RUN>> {
  const { id, appId, receivedAt, run } = stored
  const before = await findRunBefore(service.db, stored)
  return {
    ...{ id, appId, receivedAt: rfc3339(receivedAt) },
    ...run,
    before: before ? compareRuns(before.run, run) : null,
  }
}
