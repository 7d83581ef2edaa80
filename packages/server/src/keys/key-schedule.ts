// Owns the life of a signing key: published, signing, retiring, gone. When the next one is due, which
// one signs, which ones verifiers still need. Pure: the clock is an argument. Contract §2 (jwks: a
// key is published at least one cache lifetime before it signs, and stays until its last token has
// expired), security J05–J07.

/** What the schedule needs to know of a key. Times in milliseconds. */
export interface ScheduledKey {
  readonly kid: string
  /** 1, 2, 3 …: of several nodes that make the next key, one gets its number. */
  readonly generation: number
  readonly createdAt: number
  /** Signs from then on, until a later key does. */
  readonly signsFrom: number
  /** Withdrawn, or long out of use: neither signs nor verifies. */
  readonly retiredAt: number | undefined
}

export interface KeyTimes {
  /** How long a key signs before the next one takes over; 0: until an operator says so. */
  readonly rotationMs: number
  /** How long a key is published before it signs. */
  readonly prepublishMs: number
  /** How long a key is published after it signed its last token. */
  readonly keepMs: number
}

/** What clocks of nodes and of verifiers may differ, and a node may be late to see a new key. */
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

/** How long verifiers may keep the key set: half the time that a key is published ahead, at most. */
export const jwksMaxAgeSeconds = ({ prepublishMs }: KeyTimes) =>
  Math.min(MAX_CACHE_SECONDS, Math.floor(prepublishMs / 2000))

const isLive = (key: ScheduledKey) => key.retiredAt === undefined
const bySigning = (a: ScheduledKey, b: ScheduledKey) =>
  b.signsFrom - a.signsFrom || b.generation - a.generation

/**
 * The key that signs now: of those whose time has come the newest. A clock that is behind the one by
 * which the only key was made takes that key all the same. Undefined when there is none.
 */
export function decideSigner<K extends ScheduledKey>(
  keys: readonly K[],
  now: number,
): K | undefined {
  const begun = keys.filter((key) => isLive(key) && key.signsFrom <= now)
  return begun.sort(bySigning)[0] ?? decideNext(keys, now)
}

/** The key that is published and will sign, when there is one. */
export function decideNext<K extends ScheduledKey>(keys: readonly K[], now: number): K | undefined {
  return keys.filter((key) => isLive(key) && key.signsFrom > now).sort((a, b) => bySigning(b, a))[0]
}

/** When the last verifier is done with this key; undefined while no later key is there to sign. */
export function decidePublishedUntil(
  keys: readonly ScheduledKey[],
  key: ScheduledKey,
  { keepMs }: KeyTimes,
): number | undefined {
  const successor = keys
    .filter((other) => isLive(other) && bySigning(other, key) < 0)
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
  if (decideSigner(keys, now) === key) return 'signing'
  if (key.signsFrom > now) return 'published'
  const until = decidePublishedUntil(keys, key, times)
  return until !== undefined && until <= now ? 'retired' : 'retiring'
}

/** What verifiers need now, in the order in which the keys were made. */
export function decidePublished<K extends ScheduledKey>(
  keys: readonly K[],
  now: number,
  times: KeyTimes,
): K[] {
  return keys
    .filter((key) => decideKeyState(keys, key, now, times) !== 'retired')
    .sort((a, b) => a.generation - b.generation)
}

/** When the next key should sign, if it is time to make it; undefined otherwise. */
export function decideNextSigning(
  keys: readonly ScheduledKey[],
  now: number,
  { rotationMs, prepublishMs }: KeyTimes,
): number | undefined {
  const signer = decideSigner(keys, now)
  if (!signer) return now
  if (rotationMs === 0 || decideNext(keys, now)) return undefined
  const due = signer.signsFrom + rotationMs
  return due - prepublishMs <= now ? Math.max(due, now + prepublishMs) : undefined
}

/** The earliest moment at which a key may sign: every verifier's copy of the set has it by then. */
export const earliestSigning = (madeAt: number, times: KeyTimes) =>
  madeAt + 2000 + jwksMaxAgeSeconds(times) * 1000

export const nextGeneration = (keys: readonly ScheduledKey[]) =>
  1 + Math.max(0, ...keys.map((key) => key.generation))
