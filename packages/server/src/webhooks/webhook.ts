// The rules of webhooks: the body of an event, its signature, what an answer means. Pure; the clock is an
// argument. Standard Webhooks 1.0; decision 74.
import { createHmac } from 'node:crypto'
import { findUrlProblem, isLoopbackHost } from '@chartside/protocol/oauth'
import { rfc3339 } from '../kernel/time.ts'
import { type NoticeAnswer, RETRY_MS } from '../outbox/outbox.ts'
import type { VendorEventType } from '../outbox/vendor-event-store.ts'

export interface Webhook {
  readonly id: string
  readonly accountId: string
  readonly url: string
  /** The secret, and after it the one before. */
  readonly sealed: string
  /** The time in milliseconds; until then the secret before signs too. */
  readonly previousUntil: number | undefined
  /** Its server answered 410. */
  readonly switchedOffAt: number | undefined
  readonly createdAt: number
}

export const SECRET_BYTES = 32
/** Both secrets sign for this time after a change. */
export const OVERLAP_MS = 24 * 3_600_000

/** Formats the secret as it is shown once. */
export const formatSecret = (secret: Buffer): string => `whsec_${secret.toString('base64')}`

/** The secrets that sign now, the newest first. */
export function listSecrets(
  unsealed: Buffer,
  { previousUntil }: Pick<Webhook, 'previousUntil'>,
  now: number,
): Buffer[] {
  const newest = unsealed.subarray(0, SECRET_BYTES)
  const previous = unsealed.subarray(SECRET_BYTES)
  const signsToo = previous.length > 0 && previousUntil !== undefined && now < previousUntil
  return signsToo ? [newest, previous] : [newest]
}

export interface WebhookEvent {
  readonly id: string
  readonly type: VendorEventType | 'webhook.test'
  readonly appId: string | undefined
  readonly practiceId: string | undefined
  readonly detail: Readonly<Record<string, string | number>>
  /** The time in milliseconds. */
  readonly createdAt: number
}

/** Builds identifiers, times and counts; no name and no person. */
export const buildBody = ({ type, appId, practiceId, detail, createdAt }: WebhookEvent): string =>
  JSON.stringify({
    type,
    timestamp: rfc3339(createdAt),
    data: {
      ...(appId === undefined ? {} : { appId }),
      ...(practiceId === undefined ? {} : { practiceId }),
      ...detail,
    },
  })

/** Builds one signature for each secret. The identifier is the same for all attempts, the time is of the attempt. */
export function buildHeaders(
  id: string,
  body: string,
  secrets: readonly Buffer[],
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000))
  const sign = (secret: Buffer) =>
    createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  }
}

export const WEBHOOK_OUTCOMES = [
  /** The answer was 200 to 299. */
  'delivered',
  /** The answer was 410: the server wants no more events; nothing is sent until a test succeeds. */
  'switched_off',
  'will_retry',
  'given_up',
] as const
export type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number]

/** @param attempts those before this one */
export function decideWebhookOutcome(
  { status = 0 }: NoticeAnswer,
  attempts: number,
): WebhookOutcome {
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 410) return 'switched_off'
  return attempts < RETRY_MS.length ? 'will_retry' : 'given_up'
}

/** @param allowsLoopback in development a webhook may be http on loopback */
export function findWebhookProblem(url: string, allowsLoopback: boolean): string | undefined {
  const problem = findUrlProblem(url)
  if (problem) return problem
  return isLoopbackHost(new URL(url).hostname) && !allowsLoopback ? 'is on loopback' : undefined
}

/** More than a tenth of the launches of a quarter of an hour fail, and it is not only one or two. */
export const FAILING = { windowMs: 15 * 60_000, minLaunches: 10, share: 0.1 } as const

export const isFailing = (ready: number, failed: number): boolean =>
  ready + failed >= FAILING.minLaunches && failed > FAILING.share * (ready + failed)
