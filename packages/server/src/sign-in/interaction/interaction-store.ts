// The SQL of interactions (table browser_steps). Redeeming is one guarded UPDATE: of parallel requests
// exactly one redeems the interaction. Another session, another kind and a later time match no row.

import { type Database, type Row, readOne, writeOne } from '../../db/database.ts'
import { json } from '../../db/row.ts'
import { type Statement, sql } from '../../db/sql.ts'
import { hashBearer } from '../../kernel/identifiers.ts'
import {
  INTERACTION_LIFETIME_MS,
  type Interaction,
  type InteractionData,
  type InteractionKind,
  type SignInIntent,
} from './interaction.ts'
import type { PreAuthSession } from './pre-auth-session.ts'

export const insertInteractionStatement = <Kind extends InteractionKind>(
  id: string,
  { secret }: PreAuthSession,
  kind: Kind,
  data: InteractionData[Kind],
  now: number,
): Statement =>
  sql`INSERT INTO browser_steps (id, secret_hash, kind, data, created_at, expires_at)
      VALUES (${id}, ${hashBearer(secret)}, ${kind}, ${columnOf(data)}, ${now},
        ${now + INTERACTION_LIFETIME_MS})`

const isRedeemable = (
  id: string,
  { secret }: PreAuthSession,
  kind: InteractionKind,
  now: number,
): Statement =>
  sql`id = ${id} AND secret_hash = ${hashBearer(secret)} AND kind = ${kind}
      AND used_at IS NULL AND expires_at > ${now}`

/** The interaction while it can be redeemed, for the page that asks its question. */
export async function findInteraction<Kind extends InteractionKind>(
  db: Database,
  id: string,
  session: PreAuthSession,
  kind: Kind,
  now: number,
): Promise<Interaction<Kind> | undefined> {
  const row = await readOne(
    db,
    sql`SELECT data FROM browser_steps WHERE ${isRedeemable(id, session, kind, now)}`,
  )
  return row && { id, data: dataOf(row) }
}

/** Redeems the interaction, once. */
export async function redeemInteraction<Kind extends InteractionKind>(
  db: Database,
  id: string,
  session: PreAuthSession,
  kind: Kind,
  now: number,
): Promise<Interaction<Kind> | undefined> {
  const row = await writeOne(
    db,
    sql`UPDATE browser_steps SET used_at = ${now}
      WHERE ${isRedeemable(id, session, kind, now)} RETURNING data`,
  )
  return row && { id, data: dataOf(row) }
}

/** The stored JSON calls the intent `errand`. */
function columnOf(data: InteractionData[InteractionKind]): string {
  if (!('intent' in data)) return JSON.stringify(data)
  const { intent: errand, ...rest } = data
  return JSON.stringify({ errand, ...rest })
}

function dataOf<Kind extends InteractionKind>(row: Row): InteractionData[Kind] {
  const { errand: intent, ...rest } = json<{ readonly errand?: SignInIntent }>(row, 'data')
  return (intent === undefined ? rest : { intent, ...rest }) as InteractionData[Kind]
}

export const deleteExpiredInteractionsStatement = (now: number): Statement =>
  sql`DELETE FROM browser_steps WHERE expires_at < ${now}`
