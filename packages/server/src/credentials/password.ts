// Hashes and verifies passwords with argon2id: a bounded number at a time, so that sign-ins cannot
// starve token issuance, and the same work for an unknown e-mail address. Knows no user.
// Contract §3, RFC 9106, security K04 and U07.
import { argon2, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { ConcurrencyLimiter } from '../http/admission/concurrency-limiter.ts'
import { ApiError } from '../kernel/errors.ts'
import type { Randomness } from '../kernel/randomness.ts'

/** The cost is 19 MiB, two passes, one lane: the OWASP baseline, about 20 ms of one core. */
export const PASSWORD_COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const TAG_BYTES = 32
/** The hashing may use half of the cores: the other half serves launches during a password flood. */
const MAX_HASHING = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)))
/** The queue takes two and a half seconds of one core. Beyond that, attempts are refused at once. */
const MAX_QUEUED = 100

/** RFC 9106 calls these m (in KiB), t and p. */
export interface PasswordCost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

export interface PasswordHasher {
  /**
   * Runs an attempt to sign in while there is room for it. A refused attempt has cost neither a
   * statement nor a hash. @throws ApiError temporarily_unavailable
   */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** @throws ApiError temporarily_unavailable when too many wait, as {@link isCorrect} does */
  hash(password: string): Promise<string>
  /** Returns false when `stored` is undefined, after the same work. */
  isCorrect(password: string, stored: string | undefined): Promise<boolean>
}

export interface HasPasswords {
  readonly passwords: PasswordHasher
}

/** `cost` is that of new hashes and of the work for an unknown user; a stored hash has its own. */
export function passwordHasher(
  randomness: Randomness,
  cost: PasswordCost = PASSWORD_COST,
): PasswordHasher {
  const decoySalt = randomness.bytes(16)
  const attempts = new ConcurrencyLimiter({ maxRunning: MAX_QUEUED, maxQueued: 0, buildRefusal })
  const hashing = new ConcurrencyLimiter({
    maxRunning: MAX_HASHING,
    maxQueued: MAX_QUEUED,
    buildRefusal,
  })
  const derive = (password: string, nonce: Buffer, spent: PasswordCost) =>
    hashing.run(
      () =>
        new Promise<Buffer>((resolve, reject) => {
          const message = Buffer.from(password.normalize('NFKC'))
          argon2('argon2id', { message, nonce, ...spent, tagLength: TAG_BYTES }, (error, tag) =>
            error ? reject(error) : resolve(tag),
          )
        }),
    )
  return {
    attempt: (work) => attempts.run(work),
    async hash(password) {
      const salt = randomness.bytes(16)
      const tag = await derive(password, salt, cost)
      const { memory, passes, parallelism } = cost
      // The PHC string format, so that the cost of each hash is known when the cost is raised.
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${phc(salt)}$${phc(tag)}`
    },
    async isCorrect(password, stored) {
      const parsed = parseStored(stored)
      const derived = await derive(password, parsed?.salt ?? decoySalt, parsed?.cost ?? cost)
      if (!parsed) return false
      const expected = parsed.tag
      return expected.length === derived.length && timingSafeEqual(expected, derived)
    },
  }
}

/** Matches the salt and the tag of a hash by {@link PasswordHasher.hash}. */
const STORED =
  /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

function parseStored(stored = '') {
  const [, memory, passes, parallelism, salt, tag] = STORED.exec(stored) ?? []
  if (!salt || !tag) return undefined
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  if (cost.parallelism < 1 || cost.passes < 1 || cost.memory < 8 * cost.parallelism)
    return undefined
  return {
    cost,
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

const phc = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

const buildRefusal = () =>
  new ApiError('temporarily_unavailable', 'Too many sign-ins at once. Try again in a moment.')
