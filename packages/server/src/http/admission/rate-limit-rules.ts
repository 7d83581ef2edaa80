// Owns the rate limits: how many failures of each kind are allowed, and the key of each counter. Only
// failures count, so successful requests write nothing. Keys are hashes: the counters reveal no
// address and no name. Pure. docs/operate/callers.md has the table, decision 18, security T16, U07.
import { hash } from 'node:crypto'
import { networkOf } from './client-address.ts'

/** The caller and the subject of a failure: a client, an account, a session. */
export interface Attempt {
  readonly address: string
  readonly subject?: string
}

interface Limit {
  /** The allowed failures; further ones are answered with 429. */
  readonly most: number
  readonly windowSeconds: number
  readonly per: readonly ('network' | 'subject')[]
  readonly message: string
}

const MINUTE = 60
const HOUR = 60 * MINUTE

const WRONG_SECRETS =
  'Too many wrong client secrets or assertions. Right ones are accepted at any time.'
const WRONG_TOKENS =
  'Too many requests with a token that is not valid. Right ones are accepted at any time.'
const WRONG_PASSWORDS = 'Too many wrong passwords. Wait, or sign in in another way.'
const WRONG_POLLS = 'Too many requests for unknown sign-ins.'
const PREFLIGHTS = 'The pages were checked very often. Wait a minute.'

export const LIMITS = {
  // 256 bits cannot be guessed: this bounds the cost of a broken or hostile caller.
  clientSecret: {
    most: 20,
    windowSeconds: MINUTE,
    per: ['subject', 'network'],
    message: WRONG_SECRETS,
  },
  clientSecretsOfNetwork: {
    most: 200,
    windowSeconds: MINUTE,
    per: ['network'],
    message: WRONG_SECRETS,
  },
  // A hospital is one address: thousands of people and their stale tabs.
  authorize: {
    most: 300,
    windowSeconds: MINUTE,
    per: ['network'],
    message:
      'Too many authorize requests that failed. Launch the app again; a live launch is served.',
  },
  // Users mistype a few times, not ten times in a quarter of an hour.
  password: {
    most: 10,
    windowSeconds: 15 * MINUTE,
    per: ['subject', 'network'],
    message: WRONG_PASSWORDS,
  },
  // One password tried on many accounts.
  passwordsOfNetwork: {
    most: 100,
    windowSeconds: 15 * MINUTE,
    per: ['network'],
    message: WRONG_PASSWORDS,
  },
  // One account tried from many networks; more than one network alone can use up.
  passwordsOfAccount: { most: 50, windowSeconds: HOUR, per: ['subject'], message: WRONG_PASSWORDS },
  // Six digits, and the caller knows the password: guessing takes two years at this rate.
  secondFactor: {
    most: 5,
    windowSeconds: 15 * MINUTE,
    per: ['subject'],
    message: 'Too many wrong codes. Wait, then use a new code.',
  },
  // A separate budget, so that a stolen token cannot use up the attempts of its owner's sign-in: for the
  // set-up, new recovery codes and the removal.
  secondFactorChange: {
    most: 5,
    windowSeconds: 15 * MINUTE,
    per: ['subject'],
    message: 'Too many wrong codes. Wait, then use a new code.',
  },
  // A client whose user has not opened the page yet polls every two seconds.
  poll: { most: 60, windowSeconds: MINUTE, per: ['subject', 'network'], message: WRONG_POLLS },
  pollsOfNetwork: { most: 1200, windowSeconds: MINUTE, per: ['network'], message: WRONG_POLLS },
  // Each view of the sign-in page writes a row or two before authentication. A hospital is one
  // address, and its staff signs in at the same hour.
  signInPage: {
    most: 600,
    windowSeconds: MINUTE,
    per: ['network'],
    message: 'Too many sign-in pages were opened from your network. Try again in a minute.',
  },
  // A page of another site that navigates windows by itself has a budget apart from that of people.
  signInPageFromElsewhere: {
    most: 60,
    windowSeconds: MINUTE,
    per: ['network'],
    message: 'Too many sign-in pages were opened by other sites. Open the address in a new tab.',
  },
  // 256 bits cannot be guessed: this bounds the cost of a directory with a deleted token.
  directoryToken: {
    most: 100,
    windowSeconds: MINUTE,
    per: ['network'],
    message: WRONG_TOKENS,
  },
  // As of a directory: this bounds the cost of a program with a deleted key.
  developerKey: {
    most: 100,
    windowSeconds: MINUTE,
    per: ['network'],
    message: WRONG_TOKENS,
  },
  // No failure, but each one sends requests to servers of others.
  preflightOfApp: { most: 10, windowSeconds: MINUTE, per: ['subject'], message: PREFLIGHTS },
  preflights: { most: 30, windowSeconds: MINUTE, per: ['subject'], message: PREFLIGHTS },
  // No failure, but a large row each.
  faultRuns: {
    most: 30,
    windowSeconds: HOUR,
    per: ['subject'],
    message: 'Thirty runs of this app were handed in within an hour. Wait for the next hour.',
  },
  // In production a silent app is visited once, for all who launch it.
  diagnosis: { most: 1, windowSeconds: HOUR, per: ['subject'], message: PREFLIGHTS },
  // No failure, but a text that administrators read. A user sends one, and one more when it goes on.
  problemReports: {
    most: 10,
    windowSeconds: HOUR,
    per: ['subject'],
    message: 'You have sent ten reports in an hour. Call your administrators, or wait.',
  },
} as const satisfies Record<string, Limit>

export type LimitKind = keyof typeof LIMITS

export const windowMsOf = (kind: LimitKind): number => LIMITS[kind].windowSeconds * 1000

export function keyOf(kind: LimitKind | 'familiar', { address, subject = '' }: Attempt): string {
  const per: readonly string[] = kind === 'familiar' ? ['subject', 'network'] : LIMITS[kind].per
  const who = [
    per.includes('subject') ? subject : '',
    per.includes('network') ? networkOf(address) : '',
  ]
  return `${kind}:${hash('sha256', JSON.stringify(who), 'base64url')}`
}
