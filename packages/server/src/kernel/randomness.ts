// Owns the source of random bytes. Rules get a Randomness as an argument, so that tests can seed
// it; production draws from the operating system through a pool, because one system call per 32
// bytes costs ten times the bytes themselves.
import { generateKeyPair, type KeyObject, randomFillSync } from 'node:crypto'
import { promisify } from 'node:util'

export interface Randomness {
  /** Returns new random bytes, never the same ones twice. */
  bytes(count: number): Buffer
  /** A new private key for RSA signatures. */
  rsaKey(modulusBits: number): Promise<KeyObject>
  /** A new private key on the curve P-256, for ECDSA signatures. */
  p256Key(): Promise<KeyObject>
}

export interface HasRandomness {
  readonly randomness: Randomness
}

const POOL_BYTES = 8192

export function systemRandomness(): Randomness {
  const pool = Buffer.allocUnsafeSlow(POOL_BYTES)
  let used = POOL_BYTES
  return {
    bytes(count) {
      if (used + count > POOL_BYTES) {
        randomFillSync(pool)
        used = 0
      }
      const taken = Buffer.from(pool.subarray(used, used + count))
      // A drawn secret must not linger in the pool for a heap dump to show.
      pool.fill(0, used, used + count)
      used += count
      return taken
    },
    rsaKey: async (modulusLength) =>
      (await promisify(generateKeyPair)('rsa', { modulusLength })).privateKey,
    p256Key: async () =>
      (await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })).privateKey,
  }
}

/** The clock returns milliseconds since 1970. Rules get it as an argument; main.ts passes Date.now. */
export type Clock = () => number

export interface HasClock {
  /** The time of the database, which nodes agree on; the machine's clock may be wrong. */
  readonly clock: Clock
}
