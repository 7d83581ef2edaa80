// Creates keys and retires them: the first keys, the standby key after the signing one, the withdrawal of
// one that leaked. key-schedule.ts makes the decisions; the store settles the races. Never prints or
// returns a private key.
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
  retireKeyStatement,
  retireKeys,
  type StoredKey,
  updateSealed,
  updateSignsFrom,
} from './key-store.ts'
import { type MasterKeys, seal, sealedWith, unseal } from './master-key.ts'
import { generateSigningKey, SIGNING_ALGORITHMS, type SigningAlgorithm } from './signing-key.ts'

/** Dependencies of every change of keys. */
export interface KeyContext {
  readonly db: Database
  readonly masters: MasterKeys
  readonly randomness: Randomness
  readonly times: KeyTimes
  readonly now: number
}

const LAUNCH_KEY_ID = 'launch-1'

/** Creates the keys of an empty installation; of several concurrent nodes one creates them. */
export async function ensureFirstKeys(context: KeyContext): Promise<void> {
  const { db, masters, randomness, now } = context
  if (await findLaunchKey(db)) return
  const launchKey = seal(masters, LAUNCH_KEY_ID, randomness.bytes(32), randomness)
  try {
    const first = await newKey(context, 'RS256', 1, now)
    await insertSigningKey(db, first, insertLaunchKeyStatement(LAUNCH_KEY_ID, launchKey, now))
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
  }
}

/**
 * Creates the first key of an algorithm that no app used before; it signs at once. Returns its kid;
 * undefined when there is one.
 */
export async function ensureSigningKey(
  context: KeyContext,
  alg: SigningAlgorithm,
): Promise<string | undefined> {
  const keys = await listSigningKeys(context.db)
  if (decideSigner(keys, alg, context.now)) return undefined
  return (await insertNext(context, alg, keys, context.now))?.kid
}

async function newKey(
  context: KeyContext,
  alg: SigningAlgorithm,
  generation: number,
  signsFrom: number,
): Promise<StoredKey> {
  const { masters, randomness, now } = context
  const { kid, privateKey, publicJwk } = await generateSigningKey(alg, randomness)
  const der = privateKey.export({ format: 'der', type: 'pkcs8' })
  const sealed = seal(masters, kid, der, randomness)
  return {
    kid,
    alg,
    generation,
    publicJwk,
    sealed,
    createdAt: now,
    signsFrom,
    retiredAt: undefined,
  }
}

/**
 * A background job of every node: creates the next key of each algorithm in use when it is due and wipes the
 * keys whose last token has expired. Returns the kids of both.
 */
export async function rotateIfDue(
  context: KeyContext,
): Promise<{ created: string[]; retired: string[] }> {
  const { db, now, times } = context
  const keys = await listSigningKeys(db)
  const done = keys.filter(
    (key) => key.retiredAt === undefined && decideKeyState(keys, key, now, times) === 'retired',
  )
  const retired = done.map(({ kid }) => kid)
  if (retired.length > 0) await retireKeys(db, retired, now)
  const created: string[] = []
  for (const alg of SIGNING_ALGORITHMS) {
    if (!keys.some((key) => key.alg === alg)) continue
    const signsFrom = decideNextSigning(keys, alg, now, times)
    const next =
      signsFrom === undefined ? undefined : await insertNext(context, alg, keys, signsFrom)
    if (next) created.push(next.kid)
  }
  return { created, retired }
}

/** Returns undefined when another node created it first. */
async function insertNext(
  context: KeyContext,
  alg: SigningAlgorithm,
  keys: readonly StoredKey[],
  signsFrom: number,
) {
  const key = await newKey(context, alg, nextGeneration(keys, alg), signsFrom)
  try {
    await insertSigningKey(context.db, key)
    return key
  } catch (error) {
    if (error instanceof UniqueViolation) return undefined
    throw error
  }
}

/** The error when another change came between a plan and its application. */
export class KeysChanged extends Error {}

/** The plan of a rotation or a withdrawal, before it is applied. */
export interface KeyPlan {
  readonly alg: SigningAlgorithm
  /** The kid that is withdrawn, if any. */
  readonly withdraw: string | undefined
  /** The key that signs next: an existing one, or a new one without a kid. */
  readonly next: { readonly kid: string | undefined; readonly signsFrom: number }
  readonly keys: readonly StoredKey[]
}

/** The next key signs when every verifier has it in its key set, or after `afterMs` if that is later. */
export async function planRotation(
  context: KeyContext,
  alg: SigningAlgorithm,
  afterMs: number,
): Promise<KeyPlan> {
  const keys = await listSigningKeys(context.db)
  const next = decideNext(keys, alg, context.now)
  const earliest = earliestSigning(next?.createdAt ?? context.now, context.times)
  const wanted = Math.max(context.now + afterMs, earliest)
  const signsFrom = Math.min(wanted, next?.signsFrom ?? wanted)
  return { alg, withdraw: undefined, next: { kid: next?.kid, signsFrom }, keys }
}

/** Returns undefined when no live key has this kid. */
export async function planWithdrawal(
  context: KeyContext,
  kid: string,
): Promise<KeyPlan | undefined> {
  const keys = await listSigningKeys(context.db)
  const key = keys.find((other) => other.kid === kid && other.retiredAt === undefined)
  if (!key) return undefined
  const { alg } = key
  const others = keys.filter((other) => other !== key)
  const signer = decideSigner(others, alg, context.now)
  const isReplaced = decideSigner(keys, alg, context.now) !== key
  // A published key if there is one, else a new one: verifiers fetch the key set again for an unknown
  // kid. Not the previous signer, which was to be retired.
  const next = isReplaced ? signer : decideNext(others, alg, context.now)
  const signsFrom = isReplaced ? (signer?.signsFrom ?? context.now) : context.now
  return { alg, withdraw: kid, next: { kid: next?.kid, signsFrom }, keys }
}

/**
 * Applies the plan and publishes the standby key that follows. Returns the kid that signs next.
 * @throws KeysChanged, UniqueViolation when the keys were changed after the plan was made.
 */
export async function applyPlan(context: KeyContext, plan: KeyPlan): Promise<string> {
  const kid = await applyChange(context, plan)
  const keys = await listSigningKeys(context.db)
  const standbyFrom = decideNextSigning(keys, plan.alg, context.now, context.times)
  if (standbyFrom !== undefined) await insertNext(context, plan.alg, keys, standbyFrom)
  return kid
}

async function applyChange(context: KeyContext, plan: KeyPlan): Promise<string> {
  const { db, now } = context
  const withdrawal = plan.withdraw === undefined ? [] : [retireKeyStatement(plan.withdraw, now)]
  const { kid, signsFrom } = plan.next
  if (kid === undefined) {
    const key = await newKey(context, plan.alg, nextGeneration(plan.keys, plan.alg), signsFrom)
    await insertSigningKey(db, key, ...withdrawal)
    return key.kid
  }
  const planned = plan.keys.find((key) => key.kid === kid)?.signsFrom ?? signsFrom
  if (planned !== signsFrom && !(await updateSignsFrom(db, kid, planned, signsFrom))) {
    throw new KeysChanged(
      'The keys were changed meanwhile. Look at them and run the command again.',
    )
  }
  // Last, so that at every time one key signs.
  if (plan.withdraw !== undefined) await retireKeys(db, [plan.withdraw], now)
  return kid
}

/** Seals everything that a previous master key sealed with the current one. Returns the names. */
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
