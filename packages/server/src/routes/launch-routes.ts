// The routes of the launch story as a host calls them: sign-in, EHR sessions, launches.
// Contract §3.

import { listQuery } from '../http/page-of.ts'
import { openRoute, personRoute, type Route } from '../http/route.ts'
import { streamSessionEvents } from '../launches/launch-events-http.ts'
import {
  LAUNCH_BODY,
  listLaunchesOf,
  openLaunch,
  reportStep,
  STEP_BODY,
  showLaunch,
} from '../launches/launches-http.ts'
import { openSession, removeSession, SESSION_BODY, showSession } from '../sessions/sessions-http.ts'
import { SIGN_IN_BODY, showSignInConfig, signIn, signOut } from '../sign-in/sign-in-http.ts'
import {
  EHR_SESSION,
  LAUNCH,
  LAUNCHES,
  OPENED_LAUNCH,
  SIGN_IN_CONFIG,
  SIGNED_IN,
} from './answers.ts'

export const LAUNCH_ROUTES: readonly Route[] = [
  openRoute({
    method: 'GET',
    path: '/auth/config',
    operation: 'signInConfig',
    summary: 'How a client signs in here.',
    answers: { 200: SIGN_IN_CONFIG },
    handle: showSignInConfig,
  }),
  openRoute({
    method: 'POST',
    path: '/auth/sign-in',
    operation: 'signIn',
    summary: 'Sign in with a password.',
    body: SIGN_IN_BODY,
    answers: { 200: SIGNED_IN },
    handle: signIn,
  }),
  personRoute({
    method: 'POST',
    path: '/auth/sign-out',
    operation: 'signOut',
    summary: 'End the sign-in and everything that hangs on it.',
    answers: { 204: 'Signed out' },
    handle: signOut,
  }),
  personRoute({
    method: 'POST',
    path: '/api/sessions',
    operation: 'openSession',
    summary: 'Open an EHR session.',
    body: SESSION_BODY,
    answers: { 201: EHR_SESSION },
    handle: openSession,
  }),
  personRoute({
    method: 'GET',
    path: '/api/sessions/:id',
    operation: 'showSession',
    summary: 'One EHR session.',
    isBackground: true,
    answers: { 200: EHR_SESSION },
    handle: showSession,
  }),
  personRoute({
    method: 'DELETE',
    path: '/api/sessions/:id',
    operation: 'removeSession',
    summary: 'End an EHR session; its launches and tokens end.',
    answers: { 204: 'Ended' },
    handle: removeSession,
  }),
  personRoute({
    method: 'GET',
    path: '/api/sessions/:id/events',
    operation: 'streamSessionEvents',
    summary: 'What happens in an EHR session, as it happens.',
    isBackground: true,
    answers: { 200: 'Event stream' },
    handle: streamSessionEvents,
  }),
  personRoute({
    method: 'POST',
    path: '/api/sessions/:id/launches',
    operation: 'openLaunch',
    summary: 'Launch an app in an EHR session.',
    body: LAUNCH_BODY,
    answers: { 201: OPENED_LAUNCH },
    handle: openLaunch,
  }),
  personRoute({
    method: 'GET',
    path: '/api/launches',
    operation: 'listLaunches',
    summary: 'Launches of an EHR session, or yours.',
    query: listQuery('sessionId', 'launch_id'),
    answers: { 200: LAUNCHES },
    handle: listLaunchesOf,
  }),
  personRoute({
    method: 'GET',
    path: '/api/launches/:id',
    operation: 'showLaunch',
    summary: 'The timeline of a launch.',
    answers: { 200: LAUNCH },
    handle: showLaunch,
  }),
  personRoute({
    method: 'POST',
    path: '/api/launches/:id/steps',
    operation: 'reportStep',
    summary: 'The host tells a step that only it can see.',
    body: STEP_BODY,
    answers: { 204: 'Noted' },
    handle: reportStep,
  }),
]
