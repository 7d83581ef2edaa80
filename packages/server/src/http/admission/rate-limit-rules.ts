// Owns how often something may go wrong, for whom, and under which key that is counted. Only failures
// count, so nothing is written while nothing is wrong. Keys are hashes: the table of counters tells
// nobody's address and nobody's name. Pure. docs/callers.md has the reasons, security T16, U07.
import { hash } from 'node:crypto'
import { networkOf } from './client-address.ts'

/** Who failed: from where, and at what: a client, an account, a session. */
export interface Attempt {
  readonly address: string
  readonly subject?: string
}

interface Limit {
  /** So many failures are answered as what they are; the ones after that with 429. */
  readonly most: number
  readonly windowSeconds: number
  readonly per: readonly ('network' | 'subject')[]
  readonly told: string
}

const MINUTE = 60
const HOUR = 60 * MINUTE

const WRONG_SECRETS = 'Too many wrong client secrets. The right one is accepted at any time.'
const WRONG_PASSWORDS = 'Too many wrong passwords. Wait, or sign in in another way.'
const WRONG_POLLS = 'Too many requests for sign-ins that nobody began.'

export const LIMITS = {
  // Nobody guesses 256 bits: this bounds what a broken or hostile caller costs, and locks nobody out.
  clientSecret: {
    most: 20,
    windowSeconds: MINUTE,
    per: ['subject', 'network'],
    told: WRONG_SECRETS,
  },
  clientSecretsOfNetwork: {
    most: 200,
    windowSeconds: MINUTE,
    per: ['network'],
    told: WRONG_SECRETS,
  },
  // A hospital is one address: thousands of people and their stale tabs.
  authorize: {
    most: 300,
    windowSeconds: MINUTE,
    per: ['network'],
    told: 'Too many authorize requests that failed. Launch the app again; a live launch is served.',
  },
  // People mistype a few times; nobody mistypes ten times in a quarter of an hour.
  password: {
    most: 10,
    windowSeconds: 15 * MINUTE,
    per: ['subject', 'network'],
    told: WRONG_PASSWORDS,
  },
  // One password tried on many accounts.
  passwordsOfNetwork: {
    most: 100,
    windowSeconds: 15 * MINUTE,
    per: ['network'],
    told: WRONG_PASSWORDS,
  },
  // One account tried from many places; more than one place alone can use up.
  passwordsOfAccount: { most: 50, windowSeconds: HOUR, per: ['subject'], told: WRONG_PASSWORDS },
  // Six digits, and whoever gets here knows the password: at this pace two years of guessing.
  secondFactor: {
    most: 5,
    windowSeconds: 15 * MINUTE,
    per: ['subject'],
    told: 'Too many wrong codes. Wait, then use a new code.',
  },
  // By themselves, so that a stolen token cannot use up the tries that its owner signs in with.
  secondFactorRemoval: {
    most: 5,
    windowSeconds: 15 * MINUTE,
    per: ['subject'],
    told: 'Too many wrong codes. Wait, then use a new code.',
  },
  // A client that nobody has opened the page for asks every two seconds.
  poll: { most: 60, windowSeconds: MINUTE, per: ['subject', 'network'], told: WRONG_POLLS },
  pollsOfNetwork: { most: 1200, windowSeconds: MINUTE, per: ['network'], told: WRONG_POLLS },
  // Each view of the sign-in page writes a row or two, before anybody has proven anything. A hospital
  // is one address, and everybody begins at seven.
  signInPage: {
    most: 600,
    windowSeconds: MINUTE,
    per: ['network'],
    told: 'Too many sign-in pages were opened from your network. Try again in a minute.',
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
