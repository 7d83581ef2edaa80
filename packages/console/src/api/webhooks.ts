// The calls about the webhooks of a vendor: list, register, delete, change the secret, send a test, and what became
// of the newest events. A secret is in the answer that makes it, and in no other.
import type {
  NewWebhook,
  Webhook,
  WebhookDelivery,
  WebhookTest,
} from '@chartside/protocol/payloads'
import { api, type CallOptions, type Page } from './client.ts'

const pathOf = (accountId: string, rest = '') =>
  `/api/accounts/${encodeURIComponent(accountId)}/webhooks${rest}`
const oneOf = (id: string, rest = '') => `/${encodeURIComponent(id)}${rest}`

export const listWebhooks = (accountId: string, options?: CallOptions) =>
  api.get<Page<Webhook>>(pathOf(accountId), options)

export const createWebhook = (accountId: string, url: string) =>
  api.post<NewWebhook>(pathOf(accountId), { url })

export const changeWebhookSecret = (accountId: string, id: string) =>
  api.post<NewWebhook>(pathOf(accountId, oneOf(id, '/secret')))

export const removeWebhook = (accountId: string, id: string) =>
  api.remove(pathOf(accountId, oneOf(id)))

export const testWebhook = (accountId: string, id: string) =>
  api.post<WebhookTest>(pathOf(accountId, oneOf(id, '/test')))

export const listDeliveries = (accountId: string, id: string, options?: CallOptions) =>
  api.get<Page<WebhookDelivery>>(pathOf(accountId, oneOf(id, '/deliveries')), options)
