// The routes of developer keys: who may call each, its schemas and its handler. routes.ts puts them into the
// table.
import { personRoute } from '../route-builders.ts'
import { DEVELOPER_KEY_BODY, DEVELOPER_KEYS, NEW_DEVELOPER_KEY } from './developer-key-schema.ts'
import { createKey, deleteKey, listMyKeys } from './developer-keys-http.ts'

export const DEVELOPER_KEY_ROUTES = [
  personRoute({
    method: 'GET',
    path: '/api/users/me/developer-keys',
    operation: 'listDeveloperKeys',
    summary: 'List your developer keys, without values.',
    permission: 'self',
    resource: 'user',
    wholePerson: true,
    answers: { 200: DEVELOPER_KEYS },
    handle: listMyKeys,
  }),
  personRoute({
    method: 'POST',
    path: '/api/users/me/developer-keys',
    operation: 'createDeveloperKey',
    summary: 'Make a key for programs of yours in one account, shown once.',
    permission: 'develop',
    resource: 'account',
    wholePerson: true,
    recentAuth: 'always',
    body: DEVELOPER_KEY_BODY,
    answers: { 201: NEW_DEVELOPER_KEY },
    errors: ['conflict', 'limit_reached'],
    handle: createKey,
  }),
  personRoute({
    method: 'DELETE',
    path: '/api/users/me/developer-keys/:id',
    operation: 'deleteDeveloperKey',
    summary: 'Delete one of your developer keys; a program that has it is refused at once.',
    permission: 'self',
    resource: 'user',
    wholePerson: true,
    answers: { 204: 'Deleted' },
    handle: deleteKey,
  }),
]
