// The routes of credentials: who may call each, its schemas and its handler. routes.ts puts them into
// the table.
import { LIST_QUERY } from '../http/input/pagination.ts'
import type { Route } from '../route.ts'
import { personRoute } from '../route-builders.ts'
import {
  CODE_BODY,
  LOGIN_METHODS,
  NEW_SECOND_FACTOR,
  ONE_TIME_ADDRESS,
  RECOVERY_CODES,
  SECOND_FACTOR,
} from './credential-schema.ts'
import { addLoginMethod, listMyLoginMethods } from './login-methods-http.ts'
import {
  confirmSecondFactor,
  removeSecondFactor,
  replaceMyRecoveryCodes,
  setUpSecondFactor,
  showSecondFactor,
} from './second-factor-http.ts'

export const CREDENTIAL_ROUTES: readonly Route[] = [
  personRoute({
    method: 'GET',
    path: '/api/users/me/login-methods',
    operation: 'listLoginMethods',
    summary: 'List your login methods.',
    permission: 'self',
    resource: 'user',
    query: LIST_QUERY,
    answers: { 200: LOGIN_METHODS },
    handle: listMyLoginMethods,
  }),
  personRoute({
    method: 'POST',
    path: '/api/users/me/login-methods',
    operation: 'addLoginMethod',
    summary: 'Issue a one-time link at which you add a login method.',
    permission: 'self',
    resource: 'user',
    answers: { 201: ONE_TIME_ADDRESS },
    errors: ['sign_in_again'],
    handle: addLoginMethod,
  }),
  personRoute({
    method: 'GET',
    path: '/api/users/me/second-factor',
    operation: 'showSecondFactor',
    summary: 'Show whether your sign-in needs a code of an authenticator app.',
    permission: 'self',
    resource: 'user',
    answers: { 200: SECOND_FACTOR },
    handle: showSecondFactor,
  }),
  personRoute({
    method: 'POST',
    path: '/api/users/me/second-factor',
    operation: 'setUpSecondFactor',
    summary: 'Create a secret for an authenticator app; a code of it confirms it.',
    permission: 'self',
    resource: 'user',
    answers: { 201: NEW_SECOND_FACTOR },
    errors: ['sign_in_again', 'conflict'],
    handle: setUpSecondFactor,
  }),
  personRoute({
    method: 'POST',
    path: '/api/users/me/second-factor/confirm',
    operation: 'confirmSecondFactor',
    summary: 'Turn the second factor on with a code of it.',
    permission: 'self',
    resource: 'user',
    body: CODE_BODY,
    answers: { 200: RECOVERY_CODES },
    errors: ['conflict', 'rate_limited'],
    handle: confirmSecondFactor,
  }),
  personRoute({
    method: 'POST',
    path: '/api/users/me/second-factor/recovery-codes',
    operation: 'replaceRecoveryCodes',
    summary: 'Replace the recovery codes by new ones, with a code.',
    permission: 'self',
    resource: 'user',
    body: CODE_BODY,
    answers: { 200: RECOVERY_CODES },
    errors: ['sign_in_again', 'not_found', 'rate_limited'],
    handle: replaceMyRecoveryCodes,
  }),
  personRoute({
    method: 'POST',
    path: '/api/users/me/second-factor/remove',
    operation: 'removeSecondFactor',
    summary: 'Turn the second factor off with a code of it.',
    permission: 'self',
    resource: 'user',
    body: CODE_BODY,
    answers: { 204: 'Off' },
    errors: ['sign_in_again', 'not_found', 'conflict', 'rate_limited'],
    handle: removeSecondFactor,
  }),
]
