// The routes of launches and of the event stream: who may call each, its schemas, its handler. Holds
// no rule; routes.ts puts them into the route table. Contract §3.
import type { Route } from '../http/route.ts'
import { personRoute } from '../http/route-builders.ts'
import { streamSessionEvents } from './launch-events-http.ts'
import { listCausesOf, listLaunchesOf } from './launch-list-http.ts'
import {
  CAUSES,
  CAUSES_QUERY,
  LAUNCH,
  LAUNCH_BODY,
  LAUNCHES,
  LAUNCHES_QUERY,
  OPENED_LAUNCH,
  SESSION_EVENTS,
  STEP_BODY,
} from './launch-schema.ts'
import { openLaunch, reportStep, showLaunch } from './launches-http.ts'

export const LAUNCH_ROUTES: readonly Route[] = [
  personRoute({
    method: 'GET',
    path: '/api/sessions/:id/events',
    operation: 'streamSessionEvents',
    summary: 'The events of an EHR session as a stream.',
    permission: 'own',
    resource: 'session',
    isBackground: true,
    answers: { 200: 'Event stream' },
    events: SESSION_EVENTS,
    handle: streamSessionEvents,
  }),
  personRoute({
    method: 'POST',
    path: '/api/sessions/:id/launches',
    operation: 'openLaunch',
    summary: 'Launch an app in an EHR session.',
    permission: 'self',
    resource: 'session',
    body: LAUNCH_BODY,
    answers: { 201: OPENED_LAUNCH },
    errors: ['session_ended', 'app_not_available'],
    handle: openLaunch,
  }),
  personRoute({
    method: 'GET',
    path: '/api/launches',
    operation: 'listLaunches',
    summary: 'Launches that you see: yours, of your practice, of your apps; newest first.',
    permission: 'trace',
    resource: 'launch',
    query: LAUNCHES_QUERY,
    answers: { 200: LAUNCHES },
    errors: ['not_found'],
    handle: listLaunchesOf,
  }),
  personRoute({
    method: 'GET',
    path: '/api/launches/causes',
    operation: 'listLaunchCauses',
    summary: 'Why launches failed, grouped by reason, step and app; the last week by default.',
    permission: 'trace',
    resource: 'launch',
    query: CAUSES_QUERY,
    answers: { 200: CAUSES },
    errors: ['not_found'],
    handle: listCausesOf,
  }),
  personRoute({
    method: 'GET',
    path: '/api/launches/:id',
    operation: 'showLaunch',
    summary: 'The timeline of a launch.',
    permission: 'trace',
    resource: 'launch',
    answers: { 200: LAUNCH },
    handle: showLaunch,
  }),
  personRoute({
    method: 'POST',
    path: '/api/launches/:id/steps',
    operation: 'reportStep',
    summary: 'Report a step of a launch that only the host can see.',
    permission: 'self',
    resource: 'launch',
    body: STEP_BODY,
    answers: { 204: 'Stored' },
    handle: reportStep,
  }),
]
