// The routes of apps and their client secrets: who may call each, its schemas, its handler. Holds no
// rule; routes.ts puts them into the route table. Contract §4.
import { LIST_QUERY } from '../http/input/pagination.ts'
import { personRoute } from '../route-builders.ts'
import { APP, APP_BODY, APP_PATCH, APPS, APPS_QUERY } from './app-schema.ts'
import { createApp, listAppsOf, patchApp, removeApp, showApp } from './apps-http.ts'
import { NEW_SECRET, SECRET_BODY, SECRETS } from './client-secret-schema.ts'
import { createSecret, listSecretsOf, retireSecret } from './client-secrets-http.ts'

/** What moves the launches of every practice, or takes a protection away; never the kill switch. */
const APP_ACCESS = {
  launchUrl: 'any',
  workerLaunchUrl: 'any',
  redirectUris: 'any',
  tokenEndpoint: 'any',
  allowedIframeUrls: 'any',
  exchange: 'any',
  backchannelLogoutUri: 'any',
  jwks: 'any',
  requirePkce: false,
  stagingAccess: true,
} as const

export const APP_ROUTES = [
  personRoute({
    method: 'GET',
    path: '/api/apps',
    operation: 'listApps',
    summary: 'Apps that you see.',
    permission: 'read',
    resource: 'app',
    query: APPS_QUERY,
    answers: { 200: APPS },
    errors: ['not_found'],
    handle: listAppsOf,
  }),
  personRoute({
    method: 'POST',
    path: '/api/apps',
    operation: 'createApp',
    summary: 'Register an app.',
    permission: 'develop',
    resource: 'app',
    body: APP_BODY,
    answers: { 201: APP },
    errors: ['limit_reached'],
    handle: createApp,
  }),
  personRoute({
    method: 'GET',
    path: '/api/apps/:id',
    operation: 'showApp',
    summary: 'One app.',
    permission: 'read',
    resource: 'app',
    answers: { 200: APP },
    handle: showApp,
  }),
  personRoute({
    method: 'PATCH',
    path: '/api/apps/:id',
    operation: 'patchApp',
    summary: 'Change an app.',
    permission: 'develop',
    resource: 'app',
    recentAuth: APP_ACCESS,
    body: APP_PATCH,
    answers: { 200: APP },
    errors: ['app_disabled_by_platform', 'precondition_failed', 'conflict'],
    handle: patchApp,
  }),
  personRoute({
    method: 'DELETE',
    path: '/api/apps/:id',
    operation: 'removeApp',
    summary: 'Delete an app.',
    permission: 'develop',
    resource: 'app',
    answers: { 204: 'Deleted' },
    errors: ['precondition_failed', 'conflict'],
    handle: removeApp,
  }),
  personRoute({
    method: 'GET',
    path: '/api/apps/:id/secrets',
    operation: 'listSecrets',
    summary: 'Client secrets of an app, without the secrets.',
    permission: 'develop',
    resource: 'app',
    query: LIST_QUERY,
    answers: { 200: SECRETS },
    handle: listSecretsOf,
  }),
  personRoute({
    method: 'POST',
    path: '/api/apps/:id/secrets',
    operation: 'createSecret',
    summary: 'Make a client secret; it is shown this once.',
    permission: 'develop',
    resource: 'app',
    recentAuth: 'always',
    body: SECRET_BODY,
    answers: { 201: NEW_SECRET },
    errors: ['limit_reached'],
    handle: createSecret,
  }),
  personRoute({
    method: 'DELETE',
    path: '/api/apps/:id/secrets/:secretId',
    operation: 'retireSecret',
    summary: 'Retire a client secret at once.',
    permission: 'develop',
    resource: 'app',
    answers: { 204: 'Retired' },
    handle: retireSecret,
  }),
]
