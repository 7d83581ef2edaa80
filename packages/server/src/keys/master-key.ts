// Seals private keys before they reach the database: AES-256-GCM under the master key, bound to
// the identifier of what is sealed, so that one sealed value cannot stand in for another.
// The master key itself is never stored in the database. Contract §2 (private keys), security J08.
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  type KeyObject,
} from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Randomness } from '../kernel/randomness.ts'

const FORMAT = 'v1'
const IV_BYTES = 12

export interface MasterKey {
  /** Identifies the key without revealing it: the first hex digits of its hash. */
  readonly id: string
  readonly key: KeyObject
}

/** The key that seals, and during a change of the master key the one that still opens. */
export interface MasterKeys {
  readonly current: MasterKey
  readonly previous: MasterKey | undefined
}

/** The keys of the configuration; development stores one beside its database. */
export const masterKeysOf = (
  config: {
    readonly masterKey: string
    readonly previousMasterKey: string
    readonly dataDir: string
  },
  randomness: Randomness,
): MasterKeys => ({
  current: config.masterKey
    ? masterKeyFrom(config.masterKey)
    : loadOrCreateMasterKey(config.dataDir, randomness),
  previous: config.previousMasterKey ? masterKeyFrom(config.previousMasterKey) : undefined,
})

export function masterKeyFrom(base64: string): MasterKey {
  const bytes = Buffer.from(base64, 'base64')
  return { id: hash('sha256', bytes, 'hex').slice(0, 8), key: createSecretKey(bytes) }
}

/**
 * The development master key: a file beside the database, readable by its owner only. The complete
 * file has its name before anything is sealed with it; of several starts one creates it.
 */
export function loadOrCreateMasterKey(dataDir: string, randomness: Randomness): MasterKey {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'master.key')
  if (!existsSync(path)) {
    const temporary = join(dataDir, `master.key.${randomness.bytes(6).toString('hex')}`)
    writeFileSync(temporary, `${randomness.bytes(32).toString('base64')}\n`, {
      mode: 0o600,
      flush: true,
    })
    try {
      linkSync(temporary, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      unlinkSync(temporary)
    }
    const directory = openSync(dataDir, 'r')
    fsyncSync(directory)
    closeSync(directory)
  }
  return masterKeyFrom(readFileSync(path, 'utf8').trim())
}

export function seal(
  { current }: MasterKeys,
  name: string,
  secret: Buffer,
  randomness: Randomness,
): string {
  const iv = randomness.bytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', current.key, iv).setAAD(Buffer.from(name))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()])
  return [FORMAT, current.id, iv.toString('base64url'), sealed.toString('base64url')].join('.')
}

/** The id of the master key that a sealed value needs. */
export const sealedWith = (sealed: string) => sealed.split('.')[1] ?? ''

/** @throws Error that says which master key is needed, or that the value was tampered with. */
export function unseal({ current, previous }: MasterKeys, name: string, sealed: string): Buffer {
  const [format, keyId, iv = '', body = ''] = sealed.split('.')
  const master = [current, previous].find((key) => key?.id === keyId)
  if (format !== FORMAT || !master) {
    throw new Error(
      `${name} was sealed with master key ${keyId}, but CHARTSIDE_MASTER_KEY is ${current.id}` +
        `${previous ? ` and CHARTSIDE_PREVIOUS_MASTER_KEY is ${previous.id}` : ''}. ` +
        'Set the master key with which this database was created.',
    )
  }
  const bytes = Buffer.from(body, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', master.key, Buffer.from(iv, 'base64url'))
  decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()])
}
