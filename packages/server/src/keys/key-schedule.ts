// Owns the life cycle of a signing key: published, signing, retiring, retired. When the next key is
// due, which one signs, which ones verifiers still need. Pure: the clock is an argument. Contract §2 (jwks: a
// key is published at least one cache lifetime before it signs, and stays until its last token has
// expired), security J05–J07. The keys of each algorithm have a schedule of their own.

import type { SigningAlgorithm } from './signing-key.ts'

/** A key, as far as the schedule needs it. Times in milliseconds. */
export interface ScheduledKey {
  readonly kid: string
  readonly alg: SigningAlgorithm
  /** The number of the key for its algorithm, 1, 2, 3 …: of several nodes that create the next key, one gets it. */
  readonly generation: number
  readonly createdAt: number
  /** The key signs from this time until a later key does. */
  readonly signsFrom: number
  /** The time is set when the key neither signs nor verifies any more. */
  readonly retiredAt: number | undefined
}

export interface KeyTimes {
  /** A key signs for this time before the next one; 0: until an operator rotates. */
  readonly rotationMs: number
  /** A key is published for this time before it signs. */
  readonly prepublishMs: number
  /** A key stays published for this time after it signed its last token. */
  readonly keepMs: number
}

/** Allows for clock differences and for a node that sees a new key late. */
const ALLOWANCE_MS = 5 * 60_000
const DAY_MS = 86_400_000
const MAX_CACHE_SECONDS = 300

export const keyTimesOf = (config: {
  readonly keyRotationDays: number
  readonly keyPrepublishSeconds: number
  readonly maxIdTokenLifetimeSeconds: number
}): KeyTimes => ({
  rotationMs: config.keyRotationDays * DAY_MS,
  prepublishMs: config.keyPrepublishSeconds * 1000,
  keepMs: config.maxIdTokenLifetimeSeconds * 1000 + ALLOWANCE_MS,
})

/** Verifiers may cache the key set for this time: half of the prepublication at most. */
export const jwksMaxAgeSeconds = ({ prepublishMs }: KeyTimes) =>
  Math.min(MAX_CACHE_SECONDS, Math.floor(prepublishMs / 2000))

const isLive = (key: ScheduledKey) => key.retiredAt === undefined
const bySigning = (a: ScheduledKey, b: ScheduledKey) =>
  b.signsFrom - a.signsFrom || b.generation - a.generation

const liveOf = <K extends ScheduledKey>(keys: readonly K[], alg: SigningAlgorithm): K[] =>
  keys.filter((key) => isLive(key) && key.alg === alg)

/**
 * The key that signs with this algorithm now: the newest whose `signsFrom` has passed. A node whose clock is
 * behind uses the only key even before that. It is undefined when there is none.
 */
export function decideSigner<K extends ScheduledKey>(
  keys: readonly K[],
  alg: SigningAlgorithm,
  now: number,
): K | undefined {
  const begun = liveOf(keys, alg).filter(({ signsFrom }) => signsFrom <= now)
  return begun.sort(bySigning)[0] ?? decideNext(keys, alg, now)
}

/** The published key that signs next with this algorithm, if any. */
export function decideNext<K extends ScheduledKey>(
  keys: readonly K[],
  alg: SigningAlgorithm,
  now: number,
): K | undefined {
  const later = liveOf(keys, alg).filter(({ signsFrom }) => signsFrom > now)
  return later.sort((a, b) => bySigning(b, a))[0]
}

/** Decides until when verifiers need this key; undefined while no later key exists. */
export function decidePublishedUntil(
  keys: readonly ScheduledKey[],
  key: ScheduledKey,
  { keepMs }: KeyTimes,
): number | undefined {
  const successor = liveOf(keys, key.alg)
    .filter((other) => bySigning(other, key) < 0)
    .sort((a, b) => bySigning(b, a))[0]
  return successor && Math.max(successor.signsFrom, key.signsFrom) + keepMs
}

export type KeyState = 'published' | 'signing' | 'retiring' | 'retired'

export function decideKeyState(
  keys: readonly ScheduledKey[],
  key: ScheduledKey,
  now: number,
  times: KeyTimes,
): KeyState {
  if (!isLive(key)) return 'retired'
  if (decideSigner(keys, key.alg, now) === key) return 'signing'
  if (key.signsFrom > now) return 'published'
  const until = decidePublishedUntil(keys, key, times)
  return until !== undefined && until <= now ? 'retired' : 'retiring'
}

/** The keys that verifiers need now: those of RS256 first, each in order of generation. */
export function decidePublished<K extends ScheduledKey>(
  keys: readonly K[],
  now: number,
  times: KeyTimes,
): K[] {
  return keys
    .filter((key) => decideKeyState(keys, key, now, times) !== 'retired')
    .sort((a, b) => b.alg.localeCompare(a.alg) || a.generation - b.generation)
}

/**
 * Returns when the standby key should sign, if it is time to create one; undefined while there is one. The
 * key after the signing one is always published, because verifiers cache: some never read the key set again.
 * It looks a moment ahead, so that there is no gap when the standby key begins to sign.
 */
export function decideNextSigning(
  keys: readonly ScheduledKey[],
  alg: SigningAlgorithm,
  now: number,
  { rotationMs, prepublishMs }: KeyTimes,
): number | undefined {
  const soon = now + STANDBY_AHEAD_MS
  const signer = decideSigner(keys, alg, soon)
  if (!signer) return now
  if (decideNext(keys, alg, soon)) return undefined
  if (rotationMs === 0) return UNTIL_ROTATED
  return Math.max(signer.signsFrom + rotationMs, now + prepublishMs)
}

/** The time is more than the interval of the job that creates keys. */
const STANDBY_AHEAD_MS = 2 * 60_000
/** The standby key waits for `chartside keys rotate` where nothing rotates by itself. */
const UNTIL_ROTATED = Date.UTC(9999, 0)

export const isUntilRotated = (at: number): boolean => at >= UNTIL_ROTATED

/** Verifiers such as jose read the key set again for an unknown key every thirty seconds at most. */
const MIN_AHEAD_MS = 60_000

/** The earliest time at which a key may sign: by then every cached key set has it. */
export const earliestSigning = (createdAt: number, times: KeyTimes) =>
  createdAt +
  Math.max(2000 + jwksMaxAgeSeconds(times) * 1000, Math.min(MIN_AHEAD_MS, times.prepublishMs))

export const nextGeneration = (keys: readonly ScheduledKey[], alg: SigningAlgorithm) =>
  1 + Math.max(0, ...keys.filter((key) => key.alg === alg).map(({ generation }) => generation))
