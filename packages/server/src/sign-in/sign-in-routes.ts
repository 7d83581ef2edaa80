// The API routes of sign-in: who may call each, its schemas and its handler. routes.ts puts them into
// the table.

import { ONE_TIME_ADDRESS } from '../credentials/credential-schema.ts'
import type { Route } from '../http/route.ts'
import { openRoute, personRoute } from '../http/route-builders.ts'
import { pollToken } from './client-flow/token-polling-http.ts'
import { removeLoginMethod, removeUser, resetUser } from './people-access-http.ts'
import { showSignInConfig, signIn, signOut } from './sign-in-http.ts'
import {
  PENDING,
  SIGN_IN_BODY,
  SIGN_IN_CONFIG,
  SIGN_OUT_BODY,
  SIGNED_IN,
} from './sign-in-schema.ts'

export const SIGN_IN_ROUTES: readonly Route[] = [
  openRoute({
    method: 'GET',
    path: '/auth/config',
    admission: 'throttled',
    operation: 'signInConfig',
    summary: 'Show how a client signs in here.',
    answers: { 200: SIGN_IN_CONFIG },
    handle: showSignInConfig,
  }),
  openRoute({
    method: 'POST',
    path: '/auth/sign-in',
    admission: 'throttled',
    operation: 'signIn',
    summary: 'Sign in with a password.',
    body: SIGN_IN_BODY,
    answers: { 200: SIGNED_IN },
    errors: [
      'wrong_credentials',
      'second_factor_required',
      'second_factor_setup_required',
      'not_found',
      'rate_limited',
    ],
    handle: signIn,
  }),
  personRoute({
    method: 'POST',
    path: '/auth/sign-out',
    operation: 'signOut',
    regions: 'any',
    summary: 'End the sign-in with its EHR sessions and launches.',
    permission: 'self',
    resource: 'user',
    body: SIGN_OUT_BODY,
    answers: { 204: 'Signed out' },
    handle: signOut,
  }),
  personRoute({
    method: 'POST',
    path: '/api/users/:id/reset',
    operation: 'resetUser',
    summary: 'Issue a one-time link at which a user replaces every login method.',
    permission: 'platform',
    resource: 'user',
    answers: { 201: ONE_TIME_ADDRESS },
    errors: ['conflict'],
    handle: resetUser,
  }),
  personRoute({
    method: 'DELETE',
    path: '/api/users/:id',
    operation: 'removeUser',
    summary: 'Disable a user and end every sign-in of theirs.',
    permission: 'platform',
    resource: 'user',
    answers: { 204: 'Removed' },
    errors: ['conflict'],
    handle: removeUser,
  }),
  personRoute({
    method: 'DELETE',
    path: '/api/users/me/login-methods/:id',
    operation: 'removeLoginMethod',
    summary: 'Remove a login method that is not your last.',
    permission: 'self',
    resource: 'user',
    answers: { 204: 'Removed' },
    errors: ['sign_in_again', 'conflict'],
    handle: removeLoginMethod,
  }),
  openRoute({
    method: 'GET',
    path: '/auth/token/:sessionId',
    admission: 'throttled',
    operation: 'pollToken',
    summary: 'Poll for the session token, delivered once; the verifier is the Bearer value.',
    answers: { 200: SIGNED_IN, 202: PENDING },
    errors: ['used_already', 'rate_limited'],
    handle: pollToken,
  }),
]
