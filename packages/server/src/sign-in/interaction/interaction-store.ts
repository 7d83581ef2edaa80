// The SQL of browser steps. Taking a step is one guarded statement: of two who try, one gets it; who
// has another browser, or comes too late, gets nothing.

import { type Database, readOne, writeOne } from '../../db/database.ts'
import { json } from '../../db/row.ts'
import { type Statement, sql } from '../../db/sql.ts'
import { hashBearer } from '../../kernel/identifiers.ts'
import {
  type Interaction,
  type InteractionData,
  STEP_LIFETIME_MS,
  type StepKind,
} from './interaction.ts'
import type { Browser } from './pre-auth-session.ts'

export const insertStep = <Kind extends StepKind>(
  id: string,
  { secret }: Browser,
  kind: Kind,
  data: InteractionData[Kind],
  now: number,
): Statement =>
  sql`INSERT INTO browser_steps (id, secret_hash, kind, data, created_at, expires_at)
      VALUES (${id}, ${hashBearer(secret)}, ${kind}, ${JSON.stringify(data)}, ${now}, ${now + STEP_LIFETIME_MS})`

/** The step as it stands, to show what is asked. */
export async function findStep<Kind extends StepKind>(
  db: Database,
  id: string,
  { secret }: Browser,
  kind: Kind,
  now: number,
): Promise<Interaction<Kind> | undefined> {
  const row = await readOne(
    db,
    sql`SELECT data FROM browser_steps WHERE id = ${id} AND secret_hash = ${hashBearer(secret)} AND kind = ${kind}
      AND used_at IS NULL AND expires_at > ${now}`,
  )
  return row && { id, data: json<InteractionData[Kind]>(row, 'data') }
}

/** Takes the step, once. */
export async function redeemStep<Kind extends StepKind>(
  db: Database,
  id: string,
  { secret }: Browser,
  kind: Kind,
  now: number,
): Promise<Interaction<Kind> | undefined> {
  const row = await writeOne(
    db,
    sql`UPDATE browser_steps SET used_at = ${now} WHERE id = ${id} AND secret_hash = ${hashBearer(secret)} AND kind = ${kind}
      AND used_at IS NULL AND expires_at > ${now} RETURNING data`,
  )
  return row && { id, data: json<InteractionData[Kind]>(row, 'data') }
}

export const deleteForgottenSteps = (now: number): Statement =>
  sql`DELETE FROM browser_steps WHERE expires_at < ${now}`
