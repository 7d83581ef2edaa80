// The handlers of the webhooks of an account: make, list, delete, change the secret, send a test, and what became of
// the newest events. A secret is in the response that makes it, and nowhere else. Decision 74.
import { loadAccount } from '../accounts/account-access.ts'
import type { HasConfig } from '../config/config.ts'
import type { HasDatabase } from '../db/database.ts'
import type { HasRateLimits } from '../http/admission/rate-limits.ts'
import type { Answer, PayloadOf, PersonCall, RecordCall } from '../http/call.ts'
import { pageOf, parsePage } from '../http/input/pagination.ts'
import { ApiError, notFound } from '../kernel/errors.ts'
import { newId } from '../kernel/identifiers.ts'
import type { HasClock, HasRandomness } from '../kernel/randomness.ts'
import { limitReached, MAX_WEBHOOKS } from '../kernel/record-limits.ts'
import { rfc3339 } from '../kernel/time.ts'
import { masterKeysOf, seal, unseal } from '../keys/master-key.ts'
import type { HasNoticeSender } from '../preflight/notice-sender.ts'
import {
  decideWebhookOutcome,
  findWebhookProblem,
  formatSecret,
  OVERLAP_MS,
  SECRET_BYTES,
  type Webhook,
} from './webhook.ts'
import { postEvent } from './webhook-delivery.ts'
import type {
  NEW_WEBHOOK,
  WEBHOOK_BODY,
  WEBHOOK_DELIVERIES,
  WEBHOOK_TEST,
  WEBHOOKS,
} from './webhook-schema.ts'
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  type ShownDelivery,
  switchOn,
  updateSecret,
} from './webhook-store.ts'

type Parts = HasConfig & HasDatabase & HasRandomness
type WebhookCall = Omit<PersonCall<'id' | 'webhookId'>, 'body'>

const optionalTime = (at: number | undefined) => (at === undefined ? null : rfc3339(at))

const webhookBody = (
  { id, url, createdAt, previousUntil, switchedOffAt }: Webhook,
  now: number,
) => ({
  id,
  url,
  createdAt: rfc3339(createdAt),
  previousSecretUntil: optionalTime(
    previousUntil !== undefined && previousUntil > now ? previousUntil : undefined,
  ),
  switchedOffAt: optionalTime(switchedOffAt),
})

export async function listWebhooksOf(
  service: HasDatabase,
  call: PersonCall<'id'>,
): Promise<Answer<200, typeof WEBHOOKS>> {
  const account = await loadAccount(service, call)
  const page = parsePage(call.query, { of: ['whk'] })
  const webhooks = await listWebhooks(service.db, account.id)
  return { status: 200, body: pageOf(webhooks, page, (one) => webhookBody(one, call.now)) }
}

export async function createWebhook(
  service: Parts,
  call: PersonCall<'id', typeof WEBHOOK_BODY>,
): Promise<Answer<201, typeof NEW_WEBHOOK>> {
  const account = await loadAccount(service, call)
  const { url } = call.body
  const problem = findWebhookProblem(url, service.config.environment === 'development')
  if (problem) {
    throw new ApiError('invalid_request', 'Events cannot be sent to this URL.', [
      { field: '/url', message: `This URL ${problem}.` },
    ])
  }
  const id = newId('whk', call.now, service.randomness)
  const secret = service.randomness.bytes(SECRET_BYTES)
  const webhook: Webhook = {
    ...{ id, accountId: account.id, url, createdAt: call.now },
    ...{ previousUntil: undefined, switchedOffAt: undefined },
    sealed: sealed(service, id, secret),
  }
  if (!(await insertWebhook(service.db, webhook))) {
    throw limitReached('account', 'webhooks', MAX_WEBHOOKS)
  }
  return withSecret(webhook, secret, call.now)
}

/** The secret before signs for a day more, so that a server can change over. @throws ApiError conflict */
export async function changeSecret(
  service: Parts,
  call: PersonCall<'id' | 'webhookId'>,
): Promise<Answer<201, typeof NEW_WEBHOOK>> {
  const stored = await loadWebhook(service, call)
  const masters = masterKeysOf(service.config, service.randomness)
  const current = unseal(masters, stored.id, stored.sealed).subarray(0, SECRET_BYTES)
  const secret = service.randomness.bytes(SECRET_BYTES)
  const changed: Webhook = {
    ...stored,
    sealed: sealed(service, stored.id, Buffer.concat([secret, current])),
    previousUntil: call.now + OVERLAP_MS,
  }
  if (!(await updateSecret(service.db, stored, changed))) {
    throw new ApiError('conflict', 'The secret was changed at the same time. Use that one.')
  }
  return withSecret(changed, secret, call.now)
}

const withSecret = (
  webhook: Webhook,
  secret: Buffer,
  now: number,
): Answer<201, typeof NEW_WEBHOOK> => ({
  status: 201,
  headers: { 'cache-control': 'no-store' },
  body: { ...webhookBody(webhook, now), secret: formatSecret(secret) },
})

const sealed = ({ config, randomness }: HasConfig & HasRandomness, id: string, secrets: Buffer) =>
  seal(masterKeysOf(config, randomness), id, secrets, randomness)

export async function removeWebhook(
  service: HasDatabase,
  call: PersonCall<'id' | 'webhookId'>,
): Promise<Answer<204>> {
  const account = await loadAccount(service, call)
  const isDeleted = await deleteWebhook(service.db, account.id, call.params.webhookId)
  if (!isDeleted) throw notFound('webhook')
  return { status: 204 }
}

/** The newest events are shown. */
const MAX_SHOWN = 50

export async function listDeliveriesOf(
  service: HasDatabase,
  call: PersonCall<'id' | 'webhookId'>,
): Promise<Answer<200, typeof WEBHOOK_DELIVERIES>> {
  const webhook = await loadWebhook(service, call)
  const deliveries = await listDeliveries(service.db, webhook.id, MAX_SHOWN)
  return { status: 200, body: { items: deliveries.map(deliveryBody), nextCursor: null } }
}

const deliveryBody = (
  delivery: ShownDelivery,
): PayloadOf<typeof WEBHOOK_DELIVERIES>['items'][number] => {
  const { id, type, appId, practiceId, createdAt, outcome, attempts, status, answer } = delivery
  return {
    ...{ id, type, appId, attempts, at: rfc3339(createdAt), outcome: outcome ?? 'waiting' },
    nextAttemptAt: optionalTime(delivery.dueAt),
    ...(practiceId === undefined ? {} : { practiceId }),
    ...(status === undefined ? {} : { status }),
    ...(answer === undefined ? {} : { answer }),
  }
}

type Testing = HasClock & HasNoticeSender & HasRateLimits & Parts

/** Posts an event of nothing. A webhook that takes it is switched on again. */
export async function testWebhook(
  service: Testing,
  call: PersonCall<'id' | 'webhookId'>,
): Promise<Answer<200, typeof WEBHOOK_TEST>> {
  const webhook = await loadWebhook(service, call)
  const attempt = { address: call.address, subject: call.person.user.id }
  await service.limits.count(attempt, call.now, 'preflights')
  const { status, answer } = await postEvent(service, webhook, {
    ...{ id: newId('evt', call.now, service.randomness), type: 'webhook.test' },
    ...{ appId: undefined, practiceId: undefined, detail: {}, createdAt: call.now },
  })
  const outcome = decideWebhookOutcome({ status, answer }, 0)
  if (outcome === 'delivered') await switchOn(service.db, webhook.id)
  return {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: {
      outcome: outcome === 'delivered' || outcome === 'switched_off' ? outcome : 'failed',
      milliseconds: Math.max(0, service.clock() - call.now),
      answer,
      ...(status === undefined ? {} : { status }),
    },
  }
}

/** @throws ApiError 404 */
async function loadWebhook(service: HasDatabase, call: WebhookCall): Promise<Webhook> {
  const account = await loadAccount(service, call as RecordCall)
  const webhook = await findWebhook(service.db, call.params.webhookId)
  if (webhook?.accountId !== account.id) throw notFound('webhook')
  return webhook
}
