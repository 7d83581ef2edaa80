// The routes of what an account runs: who may call each, its schemas, its handler. Holds no rule;
// routes.ts puts them into the table. Contract §16.
import { personRoute } from '../route-builders.ts'
import { showRollout } from './rollout-http.ts'
import { letAppRun, showAppStops, showRunning, stopAppHere } from './running-http.ts'
import { APP_STOPS, ROLLOUT, RUNNING, STOP_BODY, STOPPED_APP } from './running-schema.ts'

export const RUNNING_ROUTES = [
  personRoute({
    method: 'GET',
    path: '/api/apps/:id/stops',
    operation: 'showAppStops',
    summary: 'In which accounts an app is stopped, since when and why.',
    permission: 'run',
    resource: 'app',
    answers: { 200: APP_STOPS },
    handle: showAppStops,
  }),
  personRoute({
    method: 'GET',
    path: '/api/collections/:id/rollout',
    operation: 'showRollout',
    summary: 'How far the newest version is given out, and how it does beside the one before.',
    permission: 'read',
    resource: 'collection',
    answers: { 200: ROLLOUT },
    handle: showRollout,
  }),
  personRoute({
    method: 'GET',
    path: '/api/accounts/:id/running',
    operation: 'showRunning',
    summary: 'What an account runs: the version, its apps and their last week.',
    permission: 'run',
    resource: 'account',
    answers: { 200: RUNNING },
    handle: showRunning,
  }),
  personRoute({
    method: 'PUT',
    path: '/api/accounts/:id/stopped-apps/:appId',
    operation: 'stopAppInAccount',
    summary: 'Stop an app in an account; its launches there end.',
    permission: 'run',
    resource: 'account',
    body: STOP_BODY,
    answers: { 200: STOPPED_APP },
    handle: stopAppHere,
  }),
  personRoute({
    method: 'DELETE',
    path: '/api/accounts/:id/stopped-apps/:appId',
    operation: 'letAppRunInAccount',
    summary: 'Let a stopped app run in an account again; no launch comes back.',
    permission: 'run',
    resource: 'account',
    recentAuth: 'always',
    answers: { 204: 'Runs again' },
    handle: letAppRun,
  }),
]
