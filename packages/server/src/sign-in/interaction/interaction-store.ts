// The SQL of interactions (table browser_steps). Redeeming is one guarded UPDATE: of parallel requests
// exactly one redeems the interaction. Another session, another kind and a later time match no row.

import { type Database, readOne, writeOne } from '../../db/database.ts'
import { json } from '../../db/row.ts'
import { type Statement, sql } from '../../db/sql.ts'
import { hashBearer } from '../../kernel/identifiers.ts'
import {
  INTERACTION_LIFETIME_MS,
  type Interaction,
  type InteractionData,
  type InteractionKind,
} from './interaction.ts'
import type { PreAuthSession } from './pre-auth-session.ts'

/** A request must present these to redeem an interaction. */
export interface InteractionKey<Kind extends InteractionKind> {
  readonly id: string
  readonly session: PreAuthSession
  readonly kind: Kind
  readonly now: number
  /** The default is ten minutes from now. */
  readonly expiresAt?: number
}

export const insertInteractionStatement = <Kind extends InteractionKind>(
  { id, session, kind, now, expiresAt = now + INTERACTION_LIFETIME_MS }: InteractionKey<Kind>,
  data: InteractionData[Kind],
): Statement =>
  sql`INSERT INTO browser_steps (id, secret_hash, kind, data, created_at, expires_at)
      VALUES (${id}, ${hashBearer(session.secret)}, ${kind}, ${JSON.stringify(data)}, ${now},
        ${expiresAt})`

const isRedeemable = ({ id, session, kind, now }: InteractionKey<InteractionKind>): Statement =>
  sql`id = ${id} AND secret_hash = ${hashBearer(session.secret)} AND kind = ${kind}
      AND used_at IS NULL AND expires_at > ${now}`

/** The interaction while it can be redeemed, for the page that asks its question. */
export async function findInteraction<Kind extends InteractionKind>(
  db: Database,
  key: InteractionKey<Kind>,
): Promise<Interaction<Kind> | undefined> {
  const row = await readOne(db, sql`SELECT data FROM browser_steps WHERE ${isRedeemable(key)}`)
  return row && { id: key.id, data: json<InteractionData[Kind]>(row, 'data') }
}

/** Redeems the interaction, once. */
export async function redeemInteraction<Kind extends InteractionKind>(
  db: Database,
  key: InteractionKey<Kind>,
): Promise<Interaction<Kind> | undefined> {
  const row = await writeOne(
    db,
    sql`UPDATE browser_steps SET used_at = ${key.now} WHERE ${isRedeemable(key)} RETURNING data`,
  )
  return row && { id: key.id, data: json<InteractionData[Kind]>(row, 'data') }
}

export const deleteExpiredInteractionsStatement = (now: number): Statement =>
  sql`DELETE FROM browser_steps WHERE expires_at < ${now}`
