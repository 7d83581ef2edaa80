// The routes of EHR sessions: who may call each, its schemas, its handler. Holds no rule; routes.ts
// puts them into the route table. Contract §3.
import { LIST_QUERY } from '../http/input/pagination.ts'
import type { Route } from '../http/route.ts'
import { personRoute } from '../http/route-builders.ts'
import { reportActivity } from './activity-http.ts'
import { EHR_SESSION, EHR_SESSIONS, PLANNED_END } from './session-schema.ts'
import { listOwnSessions, removeSession, showSession } from './sessions-http.ts'

export const SESSION_ROUTES: readonly Route[] = [
  personRoute({
    method: 'GET',
    path: '/api/sessions',
    operation: 'listSessions',
    summary: 'The live EHR sessions of your sign-in.',
    permission: 'self',
    resource: 'session',
    isBackground: true,
    query: LIST_QUERY,
    answers: { 200: EHR_SESSIONS },
    handle: listOwnSessions,
  }),
  personRoute({
    method: 'GET',
    path: '/api/sessions/:id',
    operation: 'showSession',
    summary: 'One EHR session.',
    permission: 'own',
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
    permission: 'own',
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
