// Sends the events of webhooks out of the outbox: signs each with the secrets that are valid, posts it and records
// what came back. Never decides what an event is. Decision 74.
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasLog } from '../kernel/log.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { masterKeysOf, unseal } from '../keys/master-key.ts'
import type { NoticeAnswer } from '../outbox/outbox.ts'
import { type OutboxDelivery, outboxDelivery, planRetry } from '../outbox/outbox-delivery.ts'
import type { HasNoticeSender } from '../preflight/notice-sender.ts'
import {
  buildBody,
  buildHeaders,
  decideWebhookOutcome,
  listSecrets,
  type Webhook,
  type WebhookEvent,
} from './webhook.ts'
import {
  type Delivery,
  dropDelivery,
  findWebhook,
  putBackDelivery,
  recordAttempt,
  takeDueDeliveries,
  type WebhookAttempt,
} from './webhook-store.ts'

type Sending = HasClock & HasConfig & HasNoticeSender & HasRandomness
type Parts = HasDatabase & HasLog & Sending

export const webhookDelivery = (service: Parts): OutboxDelivery =>
  outboxDelivery<Delivery, Webhook>(service, {
    what: 'webhook event',
    takeDue: (taking) => takeDueDeliveries(service.db, taking),
    receiverIdOf: ({ webhookId }) => webhookId,
    putBack: (delivery, dueAt) => putBackDelivery(service.db, delivery, dueAt),
    async prepare(delivery) {
      const webhook = await findWebhook(service.db, delivery.webhookId)
      if (webhook && webhook.switchedOffAt === undefined) return webhook
      await dropDelivery(service.db, delivery)
      return undefined
    },
    deliver: (delivery, webhook, signal) => deliver(service, delivery, webhook, signal),
  })

/** Posts an event; the test of a developer uses it too. */
export function postEvent(
  service: Sending,
  webhook: Webhook,
  event: WebhookEvent,
  signal?: AbortSignal,
): Promise<NoticeAnswer> {
  const { clock, config, noticeSender, randomness } = service
  const now = clock()
  const unsealed = unseal(masterKeysOf(config, randomness), webhook.id, webhook.sealed)
  const json = buildBody(event)
  const headers = buildHeaders(event.id, json, listSecrets(unsealed, webhook, now), now)
  const sending = { userAgent: 'Chartside-Webhooks/1.0', json, headers }
  return noticeSender.send(webhook.url, sending, signal)
}

async function deliver(
  service: Parts,
  delivery: Delivery,
  webhook: Webhook,
  signal: AbortSignal,
): Promise<void> {
  const answer = await postEvent(service, webhook, delivery, signal)
  if (signal.aborted) return
  const at = service.clock()
  const outcome = decideWebhookOutcome(answer, delivery.attempts)
  const dueAt = outcome === 'will_retry' ? planRetry(service, delivery.attempts, at) : undefined
  const attempt = { ...answer, at, outcome, dueAt }
  const isLost = outcome === 'given_up' || outcome === 'switched_off'
  const event = isLost ? buildEvent(service, delivery, webhook, attempt) : undefined
  await recordAttempt(service.db, delivery, attempt, event)
}

/** Builds the event for the trail of the vendor: this event did not arrive. */
const buildEvent = (
  { randomness }: HasRandomness,
  { id, type, attempts }: Delivery,
  webhook: Webhook,
  { at, outcome, status }: WebhookAttempt,
) =>
  ({
    id: newId('evt', at, randomness),
    at,
    accountId: webhook.accountId,
    actor: 'service',
    action: 'sendWebhookEvent',
    target: webhook.id,
    launchId: undefined,
    ip: 'local',
    outcome: 'refused',
    detail: {
      ...{ outcome, event: id, type, attempts: String(attempts + 1) },
      ...(status === undefined ? {} : { status: String(status) }),
    },
  }) as const
