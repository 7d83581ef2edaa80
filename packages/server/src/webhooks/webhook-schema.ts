// The schemas of the payloads of webhooks, requests and responses. The check of requests, the types of the handlers
// and the OpenAPI document come from them.
import {
  atMost,
  closed,
  id,
  integer,
  like,
  oneOf,
  optionalTime,
  pageOf,
  time,
  titled,
} from '../http/payload.ts'
import { VENDOR_EVENTS } from '../outbox/vendor-event-store.ts'
import { WEBHOOK_OUTCOMES } from './webhook.ts'

const URL_EXAMPLE = 'https://notes.example/webhooks/chartside'

const WEBHOOK_FIELDS = {
  id: id('whk'),
  url: like(URL_EXAMPLE),
  createdAt: time,
  previousSecretUntil: {
    ...optionalTime,
    description: 'Until then the secret before signs too; null when one secret signs.',
  },
  switchedOffAt: {
    ...optionalTime,
    description: 'Since your server answered 410 nothing is sent. A test that it takes ends that.',
  },
} as const

export const WEBHOOKS = pageOf(titled('Webhook', closed(WEBHOOK_FIELDS)))

export const NEW_WEBHOOK = titled(
  'NewWebhook',
  closed({
    ...WEBHOOK_FIELDS,
    secret: {
      type: 'string',
      pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
      examples: ['whsec_Zm9yLXRoaXMtZXhhbXBsZS1vbmx5LW5vdC1hLXNlY3I='],
      description: 'Shown once, in this response only.',
    },
  }),
)

export const WEBHOOK_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: { url: { ...atMost(2000), examples: [URL_EXAMPLE] } },
} as const

const STATUS = {
  ...integer,
  description: 'Of the answer; absent without one.',
  examples: [200],
} as const
const ANSWER = {
  ...like('connection_refused'),
  description: 'The first 300 characters of the answer, or why there was none.',
} as const

export const WEBHOOK_DELIVERIES = pageOf(
  titled(
    'WebhookDelivery',
    closed(
      {
        id: like('evt_01jnye6xw8q2v5n0m4r7ta'),
        type: oneOf(...VENDOR_EVENTS),
        appId: id('app'),
        at: time,
        outcome: { ...oneOf('waiting', ...WEBHOOK_OUTCOMES), examples: ['delivered'] },
        attempts: { ...integer, examples: [1] },
        nextAttemptAt: optionalTime,
      },
      { practiceId: id('acc'), status: STATUS, answer: ANSWER },
    ),
  ),
)

export const WEBHOOK_TEST = titled(
  'WebhookTest',
  closed(
    {
      outcome: oneOf('delivered', 'switched_off', 'failed'),
      milliseconds: { ...integer, examples: [48] },
      answer: ANSWER,
    },
    { status: STATUS },
  ),
)
