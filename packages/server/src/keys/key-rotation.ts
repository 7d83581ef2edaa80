// Makes keys and takes them out of use: the first ones, the next one when it is due, the withdrawal
// of one that leaked. Everything that is decided is decided in key-schedule.ts; every race ends in
// the store. Never prints or returns a private key.
import { type Database, UniqueViolation } from '../db/database.ts'
import type { Randomness } from '../kernel/randomness.ts'
import {
  decideKeyState,
  decideNext,
  decideNextSigning,
  decideSigner,
  earliestSigning,
  type KeyTimes,
  nextGeneration,
} from './key-schedule.ts'
import {
  findLaunchKey,
  insertLaunchKeyStatement,
  insertSigningKey,
  listSealed,
  listSigningKeys,
  retireKey,
  retireKeys,
  type StoredKey,
  updateSealed,
  updateSignsFrom,
} from './key-store.ts'
import { type MasterKeys, seal, sealedWith, unseal } from './master-key.ts'
import { makeSigningKey } from './signing-key.ts'

/** What every change of keys needs. */
export interface KeyContext {
  readonly db: Database
  readonly masters: MasterKeys
  readonly randomness: Randomness
  readonly times: KeyTimes
  readonly now: number
}

const LAUNCH_KEY_ID = 'launch-1'

/** Makes the keys of an empty installation; of several nodes that start at once one makes them. */
export async function ensureFirstKeys(work: KeyContext): Promise<void> {
  const { db, masters, randomness, now } = work
  if (await findLaunchKey(db)) return
  const launchKey = seal(masters, LAUNCH_KEY_ID, randomness.bytes(32), randomness)
  try {
    const first = await newKey(work, 1, now)
    await insertSigningKey(db, first, insertLaunchKeyStatement(LAUNCH_KEY_ID, launchKey, now))
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
  }
}

async function newKey(work: KeyContext, generation: number, signsFrom: number): Promise<StoredKey> {
  const { masters, randomness, now } = work
  const { kid, privateKey, publicJwk } = await makeSigningKey()
  const der = privateKey.export({ format: 'der', type: 'pkcs8' })
  const sealed = seal(masters, kid, der, randomness)
  return { kid, generation, publicJwk, sealed, createdAt: now, signsFrom, retiredAt: undefined }
}

/**
 * What any node does now and then: makes the next key when it is due and wipes those whose last
 * token has expired. Gives the kids of both.
 */
export async function rotateIfDue(work: KeyContext): Promise<{ made?: string; retired: string[] }> {
  const { db, now, times } = work
  const keys = await listSigningKeys(db)
  const done = keys.filter(
    (key) => key.retiredAt === undefined && decideKeyState(keys, key, now, times) === 'retired',
  )
  const retired = done.map(({ kid }) => kid)
  if (retired.length > 0) await retireKeys(db, retired, now)
  const signsFrom = decideNextSigning(keys, now, times)
  const made = signsFrom === undefined ? undefined : await makeNext(work, keys, signsFrom)
  return made ? { made: made.kid, retired } : { retired }
}

/** Undefined when another node made it first. */
async function makeNext(work: KeyContext, keys: readonly StoredKey[], signsFrom: number) {
  const key = await newKey(work, nextGeneration(keys), signsFrom)
  try {
    await insertSigningKey(work.db, key)
    return key
  } catch (error) {
    if (error instanceof UniqueViolation) return undefined
    throw error
  }
}

/** What a rotation or a withdrawal will do, before it does it. */
export interface KeyPlan {
  /** The kid that goes, when one does. */
  readonly withdraw: string | undefined
  /** The key that signs next: one that is there, or a new one. */
  readonly next: { readonly kid: string | undefined; readonly signsFrom: number }
  readonly keys: readonly StoredKey[]
}

/** The next key signs as soon as every verifier can know it, or after `afterMs` if that is later. */
export async function planRotation(work: KeyContext, afterMs: number): Promise<KeyPlan> {
  const keys = await listSigningKeys(work.db)
  const next = decideNext(keys, work.now)
  const earliest = earliestSigning(next?.createdAt ?? work.now, work.times)
  const wanted = Math.max(work.now + afterMs, earliest)
  const signsFrom = Math.min(wanted, next?.signsFrom ?? wanted)
  return { withdraw: undefined, next: { kid: next?.kid, signsFrom }, keys }
}

/** Undefined when there is no such key to withdraw. */
export async function planWithdrawal(work: KeyContext, kid: string): Promise<KeyPlan | undefined> {
  const keys = await listSigningKeys(work.db)
  const key = keys.find((other) => other.kid === kid && other.retiredAt === undefined)
  if (!key) return undefined
  const others = keys.filter((other) => other !== key)
  const signer = decideSigner(others, work.now)
  const isReplaced = decideSigner(keys, work.now) !== key
  // A key that verifiers know already, else a new one: they look again for a kid they do not know.
  // The one that signed before is known too, but it was to go.
  const next = isReplaced ? signer : decideNext(others, work.now)
  const signsFrom = isReplaced ? (signer?.signsFrom ?? work.now) : work.now
  return { withdraw: kid, next: { kid: next?.kid, signsFrom }, keys }
}

/** @throws Error when somebody changed the keys since the plan was made. */
export async function applyPlan(work: KeyContext, plan: KeyPlan): Promise<string> {
  const { db, now } = work
  const withdrawal = plan.withdraw === undefined ? [] : [retireKey(plan.withdraw, now)]
  const { kid, signsFrom } = plan.next
  if (kid === undefined) {
    const key = await newKey(work, nextGeneration(plan.keys), signsFrom)
    await insertSigningKey(db, key, ...withdrawal)
    return key.kid
  }
  const seen = plan.keys.find((key) => key.kid === kid)?.signsFrom ?? signsFrom
  if (seen !== signsFrom && !(await updateSignsFrom(db, kid, seen, signsFrom))) {
    throw new Error('The keys were changed meanwhile. Look at them and run the command again.')
  }
  // Only now, so that there is no moment without a key that signs.
  if (plan.withdraw !== undefined) await retireKeys(db, [plan.withdraw], now)
  return kid
}

/** Puts everything that an earlier master key sealed under the current one. Gives the names. */
export async function reseal(
  { db, masters, randomness }: Pick<KeyContext, 'db' | 'masters' | 'randomness'>,
  isDryRun: boolean,
): Promise<string[]> {
  const names: string[] = []
  for (const { id, sealed } of await listSealed(db)) {
    if (sealedWith(sealed) === masters.current.id) continue
    const secret = unseal(masters, id, sealed)
    if (!isDryRun) await updateSealed(db, id, sealed, seal(masters, id, secret, randomness))
    names.push(id)
  }
  return names
}
