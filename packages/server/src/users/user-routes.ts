// The routes of users: who may call each, its schemas and its handler. routes.ts puts them into the
// table.

import type { Route } from '../http/route.ts'
import { personRoute } from '../http/route-builders.ts'
import { USER, USER_PATCH } from './user-schema.ts'
import { patchMe, showMe } from './users-http.ts'

export const USER_ROUTES: readonly Route[] = [
  personRoute({
    method: 'GET',
    path: '/api/users/me',
    operation: 'showMe',
    summary: 'Show the signed-in user.',
    permission: 'self',
    resource: 'user',
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
    body: USER_PATCH,
    answers: { 200: USER },
    errors: ['precondition_failed', 'conflict'],
    handle: patchMe,
  }),
]
