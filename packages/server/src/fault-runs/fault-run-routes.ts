// The routes of fault runs: who may call each, its schemas and its handler. Holds no rule; routes.ts puts them
// into the table. Contract §15.
import { MAX_BODY_BYTES, personRoute } from '../route-builders.ts'
import { FAULT_RUN, FAULT_RUN_BODY, FAULT_RUNS } from './fault-run-schema.ts'
import { createFaultRun, listFaultRuns, showFaultRun } from './fault-runs-http.ts'

export const FAULT_RUN_ROUTES = [
  personRoute({
    method: 'POST',
    path: '/api/apps/:id/fault-runs',
    operation: 'createFaultRun',
    summary: 'Hand in a run of the fault studio, as the command writes it. Staging only.',
    permission: 'develop',
    resource: 'app',
    takesDeveloperKey: true,
    body: FAULT_RUN_BODY,
    maxBodyBytes: MAX_BODY_BYTES.faultRun,
    answers: { 201: FAULT_RUN },
    errors: ['staging_only', 'rate_limited'],
    handle: createFaultRun,
  }),
  personRoute({
    method: 'GET',
    path: '/api/apps/:id/fault-runs',
    operation: 'listFaultRuns',
    summary: 'List the newest runs of the fault studio against an app. Staging only.',
    permission: 'develop',
    resource: 'app',
    takesDeveloperKey: true,
    answers: { 200: FAULT_RUNS },
    errors: ['staging_only'],
    handle: listFaultRuns,
  }),
  personRoute({
    method: 'GET',
    path: '/api/apps/:id/fault-runs/:runId',
    operation: 'getFaultRun',
    summary: 'Show a run of the fault studio, compared with the one before. Staging only.',
    permission: 'develop',
    resource: 'app',
    answers: { 200: FAULT_RUN },
    errors: ['staging_only'],
    handle: showFaultRun,
  }),
]
