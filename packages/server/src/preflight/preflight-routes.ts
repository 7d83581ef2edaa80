// The routes of the pre-flight of an app's pages: who may ask, the schemas, the handlers. Holds no rule;
// routes.ts puts it into the route table. Contract §4.
import { personRoute } from '../route-builders.ts'
import { runPreflight, showLastPreflight } from './preflight-http.ts'
import { LAST_PREFLIGHT, PREFLIGHT, PREFLIGHT_BODY } from './preflight-schema.ts'

export const PREFLIGHT_ROUTES = [
  personRoute({
    method: 'POST',
    path: '/api/apps/:id/preflight',
    operation: 'preflightApp',
    summary:
      'Visit the registered pages of an app, and say what keeps them from opening in the panel.',
    permission: 'develop',
    resource: 'app',
    // It waits for foreign servers, for up to 5 seconds, and must not hold a slot of storage.
    admission: 'throttled',
    body: PREFLIGHT_BODY,
    answers: { 200: PREFLIGHT },
    errors: ['rate_limited'],
    handle: runPreflight,
  }),
  personRoute({
    method: 'GET',
    path: '/api/apps/:id/preflight',
    operation: 'getLastPreflight',
    summary: 'Show when the pages of an app were last visited as a whole, and with which outcome.',
    permission: 'develop',
    resource: 'app',
    answers: { 200: LAST_PREFLIGHT },
    handle: showLastPreflight,
  }),
]
