// Holds the unsealed keys of a running node: the RSA keys that sign ID tokens and the key from
// which launch_ids are derived. Makes both at the first start and reads them at every other.
// Never gives a private key to anything that answers requests with it.
import { createPrivateKey } from 'node:crypto'
import { type Database, UniqueViolation } from '../db/database.ts'
import { integer, text } from '../db/row.ts'
import type { Clock, Randomness } from '../randomness.ts'
import { type LaunchKey, launchKeyFrom } from './launch-key.ts'
import { type MasterKey, seal, unseal } from './master-key.ts'
import {
  buildPublicJwk,
  decideSigner,
  makeSigningKey,
  type PublicJwk,
  type SigningKey,
} from './signing-key.ts'

export interface KeyRing {
  signer(now: number): SigningKey
  /** What the JWKS endpoint shows. */
  readonly publicKeys: readonly PublicJwk[]
  /** HMAC-SHA-256 key for launch_ids (docs/decisions/0004). */
  readonly launchKey: LaunchKey
}

const INSERT = `INSERT INTO keys (id, purpose, public_jwk, sealed, created_at, signs_from)
  VALUES (?, ?, ?, ?, ?, ?)`

/** Loads every live key; a database without keys gets its first ones. */
export async function loadKeyRing(
  db: Database,
  master: MasterKey,
  clock: Clock,
  randomness: Randomness,
): Promise<KeyRing> {
  let rows = await listKeys(db)
  if (rows.length === 0) {
    try {
      await insertFirstKeys(db, master, clock(), randomness)
    } catch (error) {
      // Another node that starts at the same moment was first; its keys are everybody's.
      if (!(error instanceof UniqueViolation)) throw error
    }
    rows = await listKeys(db)
  }
  const signing: SigningKey[] = []
  let launchKey: LaunchKey | undefined
  for (const row of rows) {
    const secret = unseal(master, text(row, 'id'), text(row, 'sealed'))
    if (row.purpose === 'launch') {
      launchKey = launchKeyFrom(secret)
      continue
    }
    const privateKey = createPrivateKey({ key: secret, format: 'der', type: 'pkcs8' })
    const publicJwk = buildPublicJwk(privateKey)
    const signsFrom = integer(row, 'signs_from')
    signing.push({ kid: publicJwk.kid, privateKey, publicJwk, signsFrom })
  }
  if (!launchKey) throw new Error('the database has signing keys but no launch key')
  return {
    signer: (now) => decideSigner(signing, now),
    publicKeys: signing.map((key) => key.publicJwk),
    launchKey,
  }
}

const listKeys = (db: Database) =>
  db.read('SELECT id, purpose, sealed, signs_from FROM keys WHERE retired_at IS NULL ORDER BY id')

async function insertFirstKeys(
  db: Database,
  master: MasterKey,
  now: number,
  randomness: Randomness,
): Promise<void> {
  const { kid, privateKey, publicJwk } = await makeSigningKey(now)
  const der = privateKey.export({ format: 'der', type: 'pkcs8' })
  const jwk = JSON.stringify(publicJwk)
  const launchSecret = randomness.bytes(32)
  await db.write(
    {
      sql: INSERT,
      args: [kid, 'signature', jwk, seal(master, kid, der, randomness), now, now],
    },
    {
      sql: INSERT,
      args: [
        'launch-1',
        'launch',
        null,
        seal(master, 'launch-1', launchSecret, randomness),
        now,
        now,
      ],
    },
  )
}
