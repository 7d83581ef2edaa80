// The routes of identity providers: who may call each, its schemas and its handler. routes.ts puts them
// into the table.
import { personRoute } from '../route-builders.ts'
import {
  IDENTITY_PROVIDER,
  IDENTITY_PROVIDERS,
  PROVIDER_BODY,
  PROVIDER_CHECK,
  PROVIDER_PATCH,
} from './identity-provider-schema.ts'
import {
  checkProvider,
  createProvider,
  deleteProvider,
  listProvidersOf,
  patchProvider,
} from './identity-providers-http.ts'

export const IDENTITY_PROVIDER_ROUTES = [
  personRoute({
    method: 'GET',
    path: '/api/accounts/:id/identity-providers',
    operation: 'listIdentityProviders',
    summary: 'List the identity providers of an account, without secrets.',
    permission: 'run',
    resource: 'account',
    answers: { 200: IDENTITY_PROVIDERS },
    handle: listProvidersOf,
  }),
  personRoute({
    method: 'POST',
    path: '/api/accounts/:id/identity-providers',
    operation: 'createIdentityProvider',
    summary: 'Register an OpenID Connect provider of an account.',
    permission: 'run',
    resource: 'account',
    recentAuth: 'always',
    body: PROVIDER_BODY,
    answers: { 201: IDENTITY_PROVIDER },
    errors: ['limit_reached', 'conflict'],
    handle: createProvider,
  }),
  personRoute({
    method: 'PATCH',
    path: '/api/accounts/:id/identity-providers/:providerId',
    operation: 'patchIdentityProvider',
    summary: 'Change an identity provider; a new issuer takes its secret anew.',
    permission: 'run',
    resource: 'account',
    recentAuth: 'always',
    body: PROVIDER_PATCH,
    answers: { 200: IDENTITY_PROVIDER },
    errors: ['precondition_failed', 'conflict'],
    handle: patchProvider,
  }),
  personRoute({
    method: 'DELETE',
    path: '/api/accounts/:id/identity-providers/:providerId',
    operation: 'deleteIdentityProvider',
    summary: 'Delete an identity provider; its sign-ins end.',
    permission: 'run',
    resource: 'account',
    recentAuth: 'always',
    answers: { 204: 'Deleted' },
    handle: deleteProvider,
  }),
  personRoute({
    method: 'POST',
    path: '/api/accounts/:id/identity-providers/:providerId/check',
    operation: 'checkIdentityProvider',
    summary: 'Read the discovery document of an identity provider, and explain it.',
    permission: 'run',
    resource: 'account',
    admission: 'throttled',
    answers: { 200: PROVIDER_CHECK },
    errors: ['rate_limited'],
    handle: checkProvider,
  }),
]
