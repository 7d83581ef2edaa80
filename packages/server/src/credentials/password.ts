// Owns how passwords are hashed and checked: argon2id, a bounded number at a time so that sign-ins
// cannot starve token issuance, and the same work for an address that nobody has. Knows no user.
// Contract §3, RFC 9106, security K04 and U07.
import { argon2, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { ApiError } from '../kernel/errors.ts'
import type { Randomness } from '../kernel/randomness.ts'

/** 19 MiB, two passes, one lane: the OWASP baseline, about 20 ms of one core. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
/** Half of the cores: the other half goes on serving launches while passwords are guessed. */
const AT_A_TIME = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)))
/** Two seconds and a half of one core. Who comes after that is told to come back. */
const MAX_WAITING = 100

export interface PasswordHasher {
  /**
   * Runs an attempt to sign in while there is room for it. Who is turned away has cost nothing yet, no
   * statement and no hash. @throws ApiError temporarily_unavailable
   */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** @throws ApiError temporarily_unavailable when too many wait, as {@link isCorrect} does */
  hash(password: string): Promise<string>
  /** `stored` undefined does the same work and answers false. */
  isCorrect(password: string, stored: string | undefined): Promise<boolean>
}

export function passwordHasher(randomness: Randomness): PasswordHasher {
  const decoySalt = randomness.bytes(16)
  const inTurn = limitConcurrency(AT_A_TIME, MAX_WAITING)
  const derive = (password: string, nonce: Buffer) =>
    inTurn(
      () =>
        new Promise<Buffer>((resolve, reject) => {
          const message = Buffer.from(password.normalize('NFKC'))
          argon2('argon2id', { message, nonce, ...COST }, (error, tag) =>
            error ? reject(error) : resolve(tag),
          )
        }),
    )
  let attempts = 0
  return {
    async attempt(work) {
      if (attempts >= MAX_WAITING) throw tooMany()
      attempts += 1
      try {
        return await work()
      } finally {
        attempts -= 1
      }
    },
    async hash(password) {
      const salt = randomness.bytes(16)
      const tag = await derive(password, salt)
      const { memory, passes, parallelism } = COST
      // The PHC string format, so that the cost of each hash is known when the cost is raised.
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${phc(salt)}$${phc(tag)}`
    },
    async isCorrect(password, stored) {
      const [, salt, tag] = STORED.exec(stored ?? '') ?? []
      const derived = await derive(password, salt ? Buffer.from(salt, 'base64') : decoySalt)
      if (!tag) return false
      const expected = Buffer.from(tag, 'base64')
      return expected.length === derived.length && timingSafeEqual(expected, derived)
    },
  }
}

/** The salt and the tag of a hash that {@link PasswordHasher.hash} made. */
const STORED = /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

const phc = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function limitConcurrency(limit: number, mostWaiting: number) {
  let running = 0
  const queue: (() => void)[] = []
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= limit && queue.length >= mostWaiting) throw tooMany()
    if (running >= limit) await new Promise<void>((go) => queue.push(go))
    else running += 1
    try {
      return await task()
    } finally {
      // The place is handed on, not given back, so nobody can slip in between.
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}

const tooMany = () =>
  new ApiError(
    'temporarily_unavailable',
    'More people sign in than can be checked at once. Try again in a moment.',
  )
