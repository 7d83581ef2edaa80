// The routes of EHR sessions: who may call each, its schemas, its handler. Holds no rule; routes.ts
// puts them into the route table. Contract §3.
import { personRoute } from '../route-builders.ts'
import { listSessionsOf } from './session-list-http.ts'
import { EHR_SESSION, LISTED_SESSIONS, PLANNED_END, SESSIONS_QUERY } from './session-schema.ts'
import { removeSession, reportActivity, showSession } from './sessions-http.ts'

export const SESSION_ROUTES = [
  personRoute({
    method: 'GET',
    path: '/api/sessions',
    operation: 'listSessions',
    summary: 'EHR sessions that you see: yours, those of your practice; newest first.',
    permission: 'read',
    resource: 'session',
    isBackground: true,
    query: SESSIONS_QUERY,
    answers: { 200: LISTED_SESSIONS },
    errors: ['not_found'],
    handle: listSessionsOf,
  }),
  personRoute({
    method: 'GET',
    path: '/api/sessions/:id',
    operation: 'showSession',
    summary: 'One EHR session.',
    permission: 'oversee',
    resource: 'session',
    isBackground: true,
    answers: { 200: EHR_SESSION },
    handle: showSession,
  }),
  personRoute({
    method: 'DELETE',
    path: '/api/sessions/:id',
    operation: 'removeSession',
    summary: 'End an EHR session; its launches and tokens end.',
    permission: 'oversee',
    resource: 'session',
    isBackground: true,
    answers: { 204: 'Ended' },
    errors: ['precondition_failed'],
    handle: removeSession,
  }),
  personRoute({
    method: 'POST',
    path: '/api/sessions/:id/activity',
    operation: 'reportActivity',
    summary: 'Report that the person is active; moves the end of the sign-in.',
    permission: 'self',
    resource: 'session',
    isBackground: true,
    answers: { 200: PLANNED_END },
    errors: ['session_ended'],
    handle: reportActivity,
  }),
]
