// The SQL of webhooks and their deliveries. A secret is stored sealed only. Taking a delivery moves `due_at`: the node
// that moved it holds it until then, and a node that dies gives it back by time. Decision 74.
import type { AuditEvent } from '../audit/audit.ts'
import { insertEventStatement } from '../audit/audit-store.ts'
import { type Database, type Row, readOne } from '../db/database.ts'
import { insertWithinStatements, isOverLimit } from '../db/record-limit.ts'
import { integer, json, optionalInteger, optionalText, text } from '../db/row.ts'
import { ALWAYS, list, type Statement, sql } from '../db/sql.ts'
import { MAX_WEBHOOKS } from '../kernel/record-limits.ts'
import type { NoticeAnswer } from '../outbox/outbox.ts'
import type { Taking } from '../outbox/outbox-delivery.ts'
import type { VendorEventType } from '../outbox/vendor-event-store.ts'
import type { Webhook, WebhookEvent, WebhookOutcome } from './webhook.ts'

const webhookOf = (row: Row): Webhook => ({
  id: text(row, 'id'),
  accountId: text(row, 'account_id'),
  url: text(row, 'url'),
  sealed: text(row, 'sealed'),
  previousUntil: optionalInteger(row, 'previous_until'),
  switchedOffAt: optionalInteger(row, 'switched_off_at'),
  createdAt: integer(row, 'created_at'),
})

export async function listWebhooks(db: Database, accountId: string): Promise<Webhook[]> {
  const rows = await db.read(
    sql`SELECT * FROM webhooks WHERE account_id = ${accountId} ORDER BY id`,
  )
  return rows.map(webhookOf)
}

export async function findWebhook(db: Database, id: string): Promise<Webhook | undefined> {
  const row = await readOne(db, sql`SELECT * FROM webhooks WHERE id = ${id}`)
  return row && webhookOf(row)
}

/** Returns false when the account has as many as it may. */
export async function insertWebhook(db: Database, webhook: Webhook): Promise<boolean> {
  const { id, accountId, url, sealed, createdAt } = webhook
  const limit = {
    ...({ ownerTable: 'accounts', ownerId: accountId, table: 'webhooks' } as const),
    ...({ ownerColumn: 'account_id', isCounted: ALWAYS, max: MAX_WEBHOOKS } as const),
  }
  const insert = sql`INSERT INTO webhooks (id, account_id, url, sealed, created_at)
    VALUES (${id}, ${accountId}, ${url}, ${sealed}, ${createdAt})`
  return !isOverLimit(await db.write(...insertWithinStatements(limit, id, insert)))
}

/** Returns false when the account has no such webhook. What it has not taken yet goes with it. */
export async function deleteWebhook(db: Database, accountId: string, id: string): Promise<boolean> {
  const [rows = []] = await db.write(
    sql`DELETE FROM webhooks WHERE id = ${id} AND account_id = ${accountId} RETURNING id`,
    sql`DELETE FROM webhook_deliveries WHERE webhook_id = ${id}
      AND NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.id = ${id})`,
  )
  return rows.length > 0
}

/** Returns false when another change of the secret came first. */
export async function updateSecret(
  db: Database,
  stored: Webhook,
  { sealed, previousUntil }: Pick<Webhook, 'sealed' | 'previousUntil'>,
): Promise<boolean> {
  const [rows = []] = await db.write(
    sql`UPDATE webhooks SET sealed = ${sealed}, previous_until = ${previousUntil ?? null}
      WHERE id = ${stored.id} AND sealed = ${stored.sealed} RETURNING id`,
  )
  return rows.length > 0
}

/** Events are written for it again. */
export async function switchOn(db: Database, id: string): Promise<void> {
  await db.write(sql`UPDATE webhooks SET switched_off_at = NULL WHERE id = ${id}`)
}

export interface Delivery extends WebhookEvent {
  readonly type: VendorEventType
  readonly appId: string
  readonly webhookId: string
  readonly attempts: number
  /** The delivery is held until this time, and is then due again; undefined once it is settled. */
  readonly dueAt: number | undefined
}

export interface ShownDelivery extends Delivery {
  readonly outcome: WebhookOutcome | undefined
  readonly status: number | undefined
  readonly answer: string | undefined
}

const deliveryOf = (row: Row): ShownDelivery => ({
  webhookId: text(row, 'webhook_id'),
  id: text(row, 'id'),
  type: text(row, 'type') as VendorEventType,
  appId: text(row, 'app_id'),
  practiceId: optionalText(row, 'practice_id'),
  detail: json(row, 'detail'),
  createdAt: integer(row, 'created_at'),
  attempts: integer(row, 'attempts'),
  dueAt: optionalInteger(row, 'due_at'),
  outcome: optionalText(row, 'outcome') as WebhookOutcome | undefined,
  status: optionalInteger(row, 'status'),
  answer: optionalText(row, 'answer'),
})

/** The newest ones of a webhook. */
export async function listDeliveries(
  db: Database,
  webhookId: string,
  limit: number,
): Promise<ShownDelivery[]> {
  const rows = await db.read(
    sql`SELECT * FROM webhook_deliveries WHERE webhook_id = ${webhookId}
      ORDER BY id DESC LIMIT ${limit}`,
  )
  return rows.map(deliveryOf)
}

/** Takes due deliveries; each goes to one of several nodes that take at once. */
export async function takeDueDeliveries(
  db: Database,
  { now, heldUntil, limit, without }: Taking,
): Promise<Delivery[]> {
  const isFree = without.length === 0 ? ALWAYS : sql`webhook_id NOT IN (${list(without)})`
  const due = await db.read(
    sql`SELECT webhook_id, id FROM webhook_deliveries
      WHERE due_at <= ${now} AND ${isFree} ORDER BY due_at LIMIT ${limit}`,
  )
  if (due.length === 0) return []
  // In one order, so that two nodes wait for each other and not both at once.
  const taken = due
    .map((row) => [text(row, 'webhook_id'), text(row, 'id')] as const)
    .sort(([a, x], [b, y]) => (a + x < b + y ? -1 : 1))
    .map(
      ([webhookId, id]) =>
        sql`UPDATE webhook_deliveries SET due_at = ${heldUntil}
          WHERE webhook_id = ${webhookId} AND id = ${id} AND due_at <= ${now} RETURNING *`,
    )
  return (await db.write(...taken)).flatMap((rows) => rows.map(deliveryOf))
}

const held = ({ webhookId, id, dueAt }: Delivery): Statement =>
  sql`webhook_id = ${webhookId} AND id = ${id} AND due_at = ${dueAt ?? null}`

export async function putBackDelivery(
  db: Database,
  delivery: Delivery,
  dueAt: number,
): Promise<void> {
  await db.write(sql`UPDATE webhook_deliveries SET due_at = ${dueAt} WHERE ${held(delivery)}`)
}

export interface WebhookAttempt extends NoticeAnswer {
  readonly at: number
  readonly outcome: WebhookOutcome
  /** The time at which the next one is due; undefined when this settles it. */
  readonly dueAt: number | undefined
}

/** Records the attempt; `event` goes into the trail with it. A webhook that answered 410 is switched off. */
export async function recordAttempt(
  db: Database,
  delivery: Delivery,
  { at, outcome, status, answer, dueAt }: WebhookAttempt,
  event: AuditEvent | undefined,
): Promise<void> {
  await db.write(
    sql`UPDATE webhook_deliveries SET due_at = ${dueAt ?? null}, attempts = attempts + 1,
        outcome = ${outcome}, status = ${status ?? null}, answer = ${answer}, attempted_at = ${at}
      WHERE ${held(delivery)}`,
    ...(outcome === 'switched_off'
      ? [
          sql`UPDATE webhooks SET switched_off_at = ${at}
            WHERE id = ${delivery.webhookId} AND switched_off_at IS NULL`,
        ]
      : []),
    ...(event ? [insertEventStatement(event)] : []),
  )
}

/** Settles the delivery of a webhook that was deleted or switched off meanwhile: nothing is sent. */
export async function dropDelivery(db: Database, delivery: Delivery): Promise<void> {
  await db.write(
    sql`UPDATE webhook_deliveries SET due_at = NULL, outcome = 'switched_off'
      WHERE ${held(delivery)}`,
  )
}

/** Lists the apps with a webhook of which no event says since this time that their launches fail. */
export async function listWatchedApps(
  db: Database,
  since: number,
  limit: number,
): Promise<string[]> {
  const rows = await db.read(
    sql`SELECT DISTINCT p.id FROM webhooks w JOIN apps p ON p.account_id = w.account_id
      WHERE w.switched_off_at IS NULL AND p.deleted_at IS NULL AND p.disabled_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id
          AND d.app_id = p.id AND d.type = 'launches.failing' AND d.created_at > ${since})
      ORDER BY p.id LIMIT ${limit}`,
  )
  return rows.map((row) => text(row, 'id'))
}

/** The newest launches of the app are read. */
const MAX_LAUNCHES = 2000

/** Counts the launches of an app from the id `floor` on: how many became ready, and how many failed. */
export async function countLaunches(
  db: Database,
  appId: string,
  floor: string,
): Promise<{ readonly ready: number; readonly failed: number }> {
  const row = await readOne(
    db,
    sql`SELECT SUM(CASE WHEN newest.context_at IS NOT NULL THEN 1 ELSE 0 END) AS ready,
        SUM(CASE WHEN newest.context_at IS NULL AND newest.failure_count > 0 THEN 1 ELSE 0 END) AS failed
      FROM (SELECT part, context_at, failure_count FROM launches
        WHERE app_id = ${appId} AND id >= ${floor} ORDER BY id DESC LIMIT ${MAX_LAUNCHES}) AS newest`,
  )
  const count = (column: string) => (row && optionalInteger(row, column)) ?? 0
  return { ready: count('ready'), failed: count('failed') }
}
