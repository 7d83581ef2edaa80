// The routes of directory tokens: who may call each, its schemas and its handler. routes.ts puts them into
// the table.
import { personRoute } from '../route-builders.ts'
import {
  DIRECTORY_TOKEN_BODY,
  DIRECTORY_TOKENS,
  NEW_DIRECTORY_TOKEN,
} from './directory-token-schema.ts'
import { createToken, deleteToken, listTokensOf } from './directory-tokens-http.ts'

export const DIRECTORY_TOKEN_ROUTES = [
  personRoute({
    method: 'GET',
    path: '/api/accounts/:id/scim-tokens',
    operation: 'listDirectoryTokens',
    summary: 'List the tokens of the directory of an account, without values.',
    permission: 'run',
    resource: 'account',
    answers: { 200: DIRECTORY_TOKENS },
    handle: listTokensOf,
  }),
  personRoute({
    method: 'POST',
    path: '/api/accounts/:id/scim-tokens',
    operation: 'createDirectoryToken',
    summary: 'Make a token for the directory of an account, shown once.',
    permission: 'run',
    resource: 'account',
    recentAuth: 'always',
    body: DIRECTORY_TOKEN_BODY,
    answers: { 201: NEW_DIRECTORY_TOKEN },
    errors: ['limit_reached'],
    handle: createToken,
  }),
  personRoute({
    method: 'DELETE',
    path: '/api/accounts/:id/scim-tokens/:tokenId',
    operation: 'deleteDirectoryToken',
    summary: 'Delete a token; the directory that has it is refused at once.',
    permission: 'run',
    resource: 'account',
    answers: { 204: 'Deleted' },
    handle: deleteToken,
  }),
]
