// The fake issuer's codes: one live code per launch, redeemed once, invalid after a failed attempt
// of its own client. The rules of the real service in memory. Spec §4.2, §7; contract §2.
import { createHash } from 'node:crypto'
import { type FakeLaunch, mintValue } from './launch.ts'

export interface Grant {
  readonly launch: FakeLaunch
  readonly clientId: string
  readonly redirectUri: string
  readonly scope: string
  readonly nonce?: string | undefined
  readonly codeChallenge?: string | undefined
}

export interface Attempt {
  readonly clientId: string
  readonly isAuthenticated: boolean
  readonly redirectUri: string | undefined
  readonly codeVerifier: string | undefined
}

/** The grant, or why the code is refused. */
export type Redemption = { readonly grant: Grant } | { readonly refused: string }

interface Entry extends Grant {
  readonly expiresAt: number
  isSpent: boolean
}

const CODE_SECONDS = 60

export class Codes {
  readonly #byCode = new Map<string, Entry>()
  readonly #live = new Map<string, string>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Makes a code. Only the newest code of a launch is valid. */
  mint(grant: Grant): string {
    const code = mintValue('code')
    const { launchId } = grant.launch
    this.#byCode.delete(this.#live.get(launchId) ?? '')
    this.#live.set(launchId, code)
    this.#byCode.set(code, {
      ...grant,
      expiresAt: this.#now() + CODE_SECONDS * 1000,
      isSpent: false,
    })
    return code
  }

  /** A launch yields tokens once. */
  isUsed(launchId: string): boolean {
    return this.#byCode.get(this.#live.get(launchId) ?? '')?.isSpent === true
  }

  /** An exchange that failed before it was decided: it spends a code of its own client. Contract §2. */
  spend(code: string, clientId: string): void {
    const entry = this.#byCode.get(code)
    if (entry?.clientId === clientId) entry.isSpent = true
  }

  redeem(code: string, attempt: Attempt): Redemption {
    const entry = this.#byCode.get(code)
    if (!entry || entry.clientId !== attempt.clientId) {
      return { refused: 'No such authorization code exists, or a newer authorize has replaced it.' }
    }
    if (entry.isSpent) return { refused: 'The code has been used, or died with a failed exchange.' }
    entry.isSpent = true
    if (entry.expiresAt <= this.#now()) return { refused: 'The code was exchanged too late.' }
    if (!attempt.isAuthenticated) return { refused: 'The client secret or assertion is wrong.' }
    if (attempt.redirectUri !== undefined && attempt.redirectUri !== entry.redirectUri) {
      return { refused: 'redirect_uri differs from the one of the authorize request.' }
    }
    if (challengeOf(attempt.codeVerifier) !== entry.codeChallenge) {
      return { refused: 'code_verifier does not match the code_challenge.' }
    }
    return { grant: entry }
  }
}

const challengeOf = (verifier: string | undefined): string | undefined =>
  verifier === undefined ? undefined : createHash('sha256').update(verifier).digest('base64url')
