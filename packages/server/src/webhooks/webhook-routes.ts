// The routes of webhooks: who may call each, its schemas and its handler. Holds no rule; routes.ts puts them into
// the table.
import { personRoute } from '../route-builders.ts'
import {
  NEW_WEBHOOK,
  WEBHOOK_BODY,
  WEBHOOK_DELIVERIES,
  WEBHOOK_TEST,
  WEBHOOKS,
} from './webhook-schema.ts'
import {
  changeSecret,
  createWebhook,
  listDeliveriesOf,
  listWebhooksOf,
  removeWebhook,
  testWebhook,
} from './webhooks-http.ts'

export const WEBHOOK_ROUTES = [
  personRoute({
    method: 'GET',
    path: '/api/accounts/:id/webhooks',
    operation: 'listWebhooks',
    summary: 'List the webhooks of a vendor, without secrets.',
    permission: 'develop',
    resource: 'account',
    answers: { 200: WEBHOOKS },
    handle: listWebhooksOf,
  }),
  personRoute({
    method: 'POST',
    path: '/api/accounts/:id/webhooks',
    operation: 'createWebhook',
    summary: 'Register an address for events; its secret is shown this once.',
    permission: 'develop',
    resource: 'account',
    recentAuth: 'always',
    body: WEBHOOK_BODY,
    answers: { 201: NEW_WEBHOOK },
    errors: ['limit_reached'],
    handle: createWebhook,
  }),
  personRoute({
    method: 'DELETE',
    path: '/api/accounts/:id/webhooks/:webhookId',
    operation: 'removeWebhook',
    summary: 'Delete a webhook, with what it has not taken yet.',
    permission: 'develop',
    resource: 'account',
    answers: { 204: 'Deleted' },
    handle: removeWebhook,
  }),
  personRoute({
    method: 'POST',
    path: '/api/accounts/:id/webhooks/:webhookId/secret',
    operation: 'changeWebhookSecret',
    summary: 'Make a new secret; the one before signs for a day more.',
    permission: 'develop',
    resource: 'account',
    recentAuth: 'always',
    answers: { 201: NEW_WEBHOOK },
    errors: ['conflict'],
    handle: changeSecret,
  }),
  personRoute({
    method: 'GET',
    path: '/api/accounts/:id/webhooks/:webhookId/deliveries',
    operation: 'listWebhookDeliveries',
    summary: 'What became of the newest events of a webhook.',
    permission: 'develop',
    resource: 'account',
    answers: { 200: WEBHOOK_DELIVERIES },
    handle: listDeliveriesOf,
  }),
  personRoute({
    method: 'POST',
    path: '/api/accounts/:id/webhooks/:webhookId/test',
    operation: 'testWebhook',
    summary: 'Send a signed event of nothing to a webhook.',
    permission: 'develop',
    resource: 'account',
    // It waits for a foreign server, for up to 5 seconds, and must not hold a slot of storage.
    admission: 'throttled',
    answers: { 200: WEBHOOK_TEST },
    errors: ['rate_limited'],
    handle: testWebhook,
  }),
]
