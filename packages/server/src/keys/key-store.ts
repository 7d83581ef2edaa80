// The SQL of keys. A private key is stored and returned sealed; a withdrawn one is wiped. The next key
// of a purpose takes the next generation, so of several nodes exactly one inserts it.

import { bumpVersionStatement } from '../cluster/cache-versions.ts'
import type { Database, Row } from '../db/database.ts'
import { integer, json, optionalInteger, text } from '../db/row.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { ScheduledKey } from './key-schedule.ts'
import type { PublicJwk, SigningAlgorithm } from './signing-key.ts'

/** A signing key as it is stored. */
export interface StoredKey extends ScheduledKey {
  readonly publicJwk: PublicJwk
  /** The sealed key; empty once it is retired. */
  readonly sealed: string
}

/** The column `purpose` of a signing key has this value. */
const PURPOSES: Readonly<Record<SigningAlgorithm, string>> = {
  RS256: 'signature',
  ES256: 'signature_es256',
}

function signingKeyOf(row: Row): StoredKey {
  const publicJwk = json<PublicJwk>(row, 'public_jwk')
  return {
    kid: text(row, 'id'),
    alg: publicJwk.alg,
    generation: integer(row, 'generation'),
    createdAt: integer(row, 'created_at'),
    signsFrom: integer(row, 'signs_from'),
    retiredAt: optionalInteger(row, 'retired_at'),
    publicJwk,
    sealed: text(row, 'sealed'),
  }
}

/** Lists all signing keys, the retired ones too: those of RS256 first, oldest first. */
export async function listSigningKeys(db: Database): Promise<StoredKey[]> {
  const rows = await db.read(
    sql`SELECT * FROM keys WHERE purpose IN (${PURPOSES.RS256}, ${PURPOSES.ES256}) ORDER BY purpose, generation`,
  )
  return rows.map(signingKeyOf)
}

/** The sealed key from which launch_ids are derived, and its name. */
export async function findLaunchKey(
  db: Database,
): Promise<{ id: string; sealed: string } | undefined> {
  const [row] = await db.read(sql`SELECT id, sealed FROM keys WHERE purpose = 'launch'`)
  return row && { id: text(row, 'id'), sealed: text(row, 'sealed') }
}

/** @throws UniqueViolation when another node inserted the key of this algorithm and generation. */
export async function insertSigningKey(
  db: Database,
  key: StoredKey,
  ...others: readonly Statement[]
): Promise<void> {
  const { kid, alg, generation, publicJwk, sealed, createdAt, signsFrom } = key
  await db.write(
    sql`INSERT INTO keys (id, purpose, generation, public_jwk, sealed, created_at, signs_from)
      VALUES (${kid}, ${PURPOSES[alg]}, ${generation}, ${JSON.stringify(publicJwk)}, ${sealed},
        ${createdAt}, ${signsFrom})`,
    ...others,
    bumpVersionStatement('keys'),
  )
}

export const insertLaunchKeyStatement = (id: string, sealed: string, now: number): Statement =>
  sql`INSERT INTO keys (id, purpose, generation, public_jwk, sealed, created_at, signs_from)
    VALUES (${id}, 'launch', 1, NULL, ${sealed}, ${now}, ${now})`

/** Changes when a published key starts to sign. Returns false when another write changed it first. */
export async function updateSignsFrom(
  db: Database,
  kid: string,
  seen: number,
  signsFrom: number,
): Promise<boolean> {
  const [rows] = await db.write(
    sql`UPDATE keys SET signs_from = ${signsFrom} WHERE id = ${kid} AND signs_from = ${seen} AND retired_at IS NULL
        RETURNING id`,
    bumpVersionStatement('keys'),
  )
  return rows?.length === 1
}

/** Retires a key and wipes its private key. */
export const retireKeyStatement = (kid: string, now: number): Statement =>
  sql`UPDATE keys SET retired_at = ${now}, sealed = '' WHERE id = ${kid} AND retired_at IS NULL`

export async function retireKeys(
  db: Database,
  kids: readonly string[],
  now: number,
): Promise<void> {
  await db.write(...kids.map((kid) => retireKeyStatement(kid, now)), bumpVersionStatement('keys'))
}

/** Lists everything sealed: keys of every purpose, second factors, secrets of identity providers and webhooks. */
export async function listSealed(db: Database): Promise<{ id: string; sealed: string }[]> {
  const rows = await db.read(
    sql`SELECT id, sealed FROM keys WHERE sealed <> ''
      UNION ALL SELECT user_id AS id, sealed FROM second_factors
      UNION ALL SELECT id, sealed FROM identity_providers WHERE sealed IS NOT NULL
      UNION ALL SELECT id, sealed FROM webhooks ORDER BY id`,
  )
  return rows.map((row) => ({ id: text(row, 'id'), sealed: text(row, 'sealed') }))
}

/** Replaces the sealed value. Returns false when another write replaced it first. */
export async function updateSealed(
  db: Database,
  id: string,
  previous: string,
  sealed: string,
): Promise<boolean> {
  const [keys = [], factors = [], providers = [], webhooks = []] = await db.write(
    sql`UPDATE keys SET sealed = ${sealed} WHERE id = ${id} AND sealed = ${previous} RETURNING id`,
    sql`UPDATE second_factors SET sealed = ${sealed} WHERE user_id = ${id} AND sealed = ${previous} RETURNING user_id`,
    sql`UPDATE identity_providers SET sealed = ${sealed} WHERE id = ${id} AND sealed = ${previous} RETURNING id`,
    sql`UPDATE webhooks SET sealed = ${sealed} WHERE id = ${id} AND sealed = ${previous} RETURNING id`,
    bumpVersionStatement('keys'),
  )
  return keys.length + factors.length + providers.length + webhooks.length === 1
}
