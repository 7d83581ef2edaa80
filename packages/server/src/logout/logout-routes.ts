// The routes of logout notices: who may call each, its schemas, its handler. Holds no rule; routes.ts puts
// them into the route table. Contract §12.
import { personRoute } from '../route-builders.ts'
import { listLogoutNotices, testLogout } from './logout-http.ts'
import { LOGOUT_NOTICES, LOGOUT_TEST } from './logout-schema.ts'

export const LOGOUT_ROUTES = [
  personRoute({
    method: 'GET',
    path: '/api/apps/:id/logout-notices',
    operation: 'listLogoutNotices',
    summary: 'What became of the last logout notices to the server of an app.',
    permission: 'develop',
    resource: 'app',
    answers: { 200: LOGOUT_NOTICES },
    handle: listLogoutNotices,
  }),
  personRoute({
    method: 'POST',
    path: '/api/apps/:id/logout-notices/test',
    operation: 'testLogout',
    summary: 'Send a logout token of no session to the server of an app.',
    permission: 'develop',
    resource: 'app',
    // It waits for a foreign server, for up to 5 seconds, and must not hold a slot of storage.
    admission: 'throttled',
    answers: { 200: LOGOUT_TEST },
    errors: ['rate_limited'],
    handle: testLogout,
  }),
]
