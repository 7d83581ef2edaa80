// The routes of users: who may call each, its schemas and its handler. routes.ts puts them into the
// table.

import { personRoute } from '../route-builders.ts'
import { PLATFORM_USER, PLATFORM_USERS, USER, USER_PATCH, USERS_QUERY } from './user-schema.ts'
import { listUsers, patchMe, showMe, showUser } from './users-http.ts'

export const USER_ROUTES = [
  personRoute({
    method: 'GET',
    path: '/api/users/me',
    operation: 'showMe',
    summary: 'Show the signed-in user.',
    permission: 'self',
    resource: 'user',
    takesDeveloperKey: true,
    answers: { 200: USER },
    handle: showMe,
  }),
  personRoute({
    method: 'PATCH',
    path: '/api/users/me',
    operation: 'patchMe',
    summary: 'Change your name.',
    permission: 'self',
    resource: 'user',
    wholePerson: true,
    body: USER_PATCH,
    answers: { 200: USER },
    errors: ['precondition_failed', 'conflict'],
    handle: patchMe,
  }),
  personRoute({
    method: 'GET',
    path: '/api/users',
    operation: 'listUsers',
    summary: 'List the users of the platform, disabled ones too.',
    permission: 'platform',
    resource: 'user',
    query: USERS_QUERY,
    answers: { 200: PLATFORM_USERS },
    handle: listUsers,
  }),
  personRoute({
    method: 'GET',
    path: '/api/users/:id',
    operation: 'showUser',
    summary: 'Show a user of the platform.',
    permission: 'platform',
    resource: 'user',
    answers: { 200: PLATFORM_USER },
    handle: showUser,
  }),
]
