// The SQL of browser steps. Taking a step is one guarded statement: of two who try, one gets it; who
// has another browser, or comes too late, gets nothing.
import { type Database, readOne, type Statement, statement, writeOne } from '../db/database.ts'
import { json } from '../db/row.ts'
import { hashBearer } from '../identifiers.ts'
import type { Browser } from './browser.ts'
import { type BrowserStep, STEP_LIFETIME_MS, type StepData, type StepKind } from './browser-step.ts'

export const insertStep = <Kind extends StepKind>(
  id: string,
  { secret }: Browser,
  kind: Kind,
  data: StepData[Kind],
  now: number,
): Statement =>
  statement(
    `INSERT INTO browser_steps (id, secret_hash, kind, data, created_at, expires_at)
      VALUES (?, ?, ?, ?, ?, ?)`,
    id,
    hashBearer(secret),
    kind,
    JSON.stringify(data),
    now,
    now + STEP_LIFETIME_MS,
  )

/** The step as it stands, to show what is asked. */
export async function findStep<Kind extends StepKind>(
  db: Database,
  id: string,
  { secret }: Browser,
  kind: Kind,
  now: number,
): Promise<BrowserStep<Kind> | undefined> {
  const row = await readOne(
    db,
    `SELECT data FROM browser_steps WHERE id = ? AND secret_hash = ? AND kind = ?
      AND used_at IS NULL AND expires_at > ?`,
    id,
    hashBearer(secret),
    kind,
    now,
  )
  return row && { id, data: json<StepData[Kind]>(row, 'data') }
}

/** Takes the step, once. */
export async function redeemStep<Kind extends StepKind>(
  db: Database,
  id: string,
  { secret }: Browser,
  kind: Kind,
  now: number,
): Promise<BrowserStep<Kind> | undefined> {
  const row = await writeOne(
    db,
    `UPDATE browser_steps SET used_at = ? WHERE id = ? AND secret_hash = ? AND kind = ?
      AND used_at IS NULL AND expires_at > ? RETURNING data`,
    now,
    id,
    hashBearer(secret),
    kind,
    now,
  )
  return row && { id, data: json<StepData[Kind]>(row, 'data') }
}

export const deleteForgottenSteps = (now: number): Statement =>
  statement('DELETE FROM browser_steps WHERE expires_at < ?', now)
