// The routes that give and take access of users: who may call each, its schemas and its handler. routes.ts
// puts them into the table.
import { MAILED_ADDRESS, ONE_TIME_ADDRESS } from '../credentials/credential-schema.ts'
import { personRoute } from '../route-builders.ts'
import { INVITED_USER, PLATFORM_USER, USER_ACCESS_PATCH, USER_BODY } from '../users/user-schema.ts'
import {
  inviteUser,
  patchUser,
  removeLoginMethod,
  removeUser,
  resetUser,
} from './people-access-http.ts'

export const ACCESS_ROUTES = [
  personRoute({
    method: 'POST',
    path: '/api/users',
    operation: 'inviteUser',
    summary: 'Add a user of the platform, with a one-time link to set a login method.',
    permission: 'platform',
    resource: 'user',
    recentAuth: 'always',
    body: USER_BODY,
    answers: { 201: INVITED_USER },
    errors: ['conflict'],
    handle: inviteUser,
  }),
  personRoute({
    method: 'PATCH',
    path: '/api/users/:id',
    operation: 'patchUser',
    summary: 'Change the role of a user, disable or enable them.',
    permission: 'platform',
    resource: 'user',
    recentAuth: { role: 'any', disabled: false },
    body: USER_ACCESS_PATCH,
    answers: { 200: PLATFORM_USER },
    errors: ['precondition_failed', 'conflict'],
    handle: patchUser,
  }),
  personRoute({
    method: 'POST',
    path: '/api/users/:id/reset',
    operation: 'resetUser',
    summary: 'Issue a one-time link at which a user replaces every login method.',
    permission: 'platform',
    resource: 'user',
    recentAuth: 'always',
    // It may wait for the mail server.
    admission: 'throttled',
    answers: { 201: ONE_TIME_ADDRESS, 202: MAILED_ADDRESS },
    errors: ['conflict'],
    handle: resetUser,
  }),
  personRoute({
    method: 'DELETE',
    path: '/api/users/:id',
    operation: 'removeUser',
    summary: 'Remove a user with every sign-in, login method and membership.',
    permission: 'platform',
    resource: 'user',
    recentAuth: 'always',
    answers: { 204: 'Removed' },
    errors: ['precondition_failed', 'conflict'],
    handle: removeUser,
  }),
  personRoute({
    method: 'DELETE',
    path: '/api/users/me/login-methods/:id',
    operation: 'removeLoginMethod',
    summary: 'Remove a login method that is not your last.',
    permission: 'self',
    resource: 'user',
    wholePerson: true,
    recentAuth: 'always',
    answers: { 204: 'Removed' },
    errors: ['conflict'],
    handle: removeLoginMethod,
  }),
]
