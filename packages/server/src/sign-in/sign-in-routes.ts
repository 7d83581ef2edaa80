// The API routes of sign-in: who may call each, its schemas and its handler. routes.ts puts them into
// the table.

import { LIST_QUERY } from '../http/input/pagination.ts'
import { openRoute, personRoute } from '../route-builders.ts'
import { pollToken } from './client-flow/token-polling-http.ts'
import { endMySignIn, listMySignIns, reportMyActivity, showSignInEnd } from './my-sign-ins-http.ts'
import { showSignInConfig, signIn, signOut } from './sign-in-http.ts'
import {
  OPEN_SIGN_INS,
  PENDING,
  SIGN_IN_BODY,
  SIGN_IN_CONFIG,
  SIGN_IN_END,
  SIGN_OUT_BODY,
  SIGNED_IN,
} from './sign-in-schema.ts'

export const SIGN_IN_ROUTES = [
  openRoute({
    method: 'GET',
    path: '/auth/config',
    admission: 'throttled',
    operation: 'signInConfig',
    summary: 'Show how a client signs in here.',
    answers: { 200: SIGN_IN_CONFIG },
    hasHead: true,
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
    method: 'GET',
    path: '/api/users/me/sign-ins',
    operation: 'listMySignIns',
    summary: 'List where you are signed in.',
    permission: 'self',
    resource: 'user',
    query: LIST_QUERY,
    answers: { 200: OPEN_SIGN_INS },
    isBackground: true,
    handle: listMySignIns,
  }),
  personRoute({
    method: 'DELETE',
    path: '/api/users/me/sign-ins/:id',
    operation: 'endMySignIn',
    summary: 'End one of your sign-ins with its EHR sessions and launches.',
    permission: 'self',
    resource: 'user',
    answers: { 204: 'Ended' },
    handle: endMySignIn,
  }),
  personRoute({
    method: 'GET',
    path: '/api/users/me/sign-in',
    operation: 'showSignInEnd',
    summary: 'Show when your sign-in ends; asking is no activity.',
    permission: 'self',
    resource: 'user',
    answers: { 200: SIGN_IN_END },
    isBackground: true,
    handle: showSignInEnd,
  }),
  personRoute({
    method: 'POST',
    path: '/api/users/me/activity',
    operation: 'reportMyActivity',
    summary: 'Report that you are active on a page; the end of your sign-in moves.',
    permission: 'self',
    resource: 'user',
    answers: { 200: SIGN_IN_END },
    isBackground: true,
    handle: reportMyActivity,
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
