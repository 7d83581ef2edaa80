// What the command line uses of the signing keys: it lists them, rotates them, and seals them anew.
// A part of the contract with @chartside/operator (README.md); owns nothing itself.

export {
  applyPlan,
  type KeyContext,
  type KeyPlan,
  planRotation,
  planWithdrawal,
  reseal,
} from '../keys/key-rotation.ts'
export {
  decideKeyState,
  decidePublishedUntil,
  type KeyTimes,
  keyTimesOf,
} from '../keys/key-schedule.ts'
export { listSigningKeys, type StoredKey } from '../keys/key-store.ts'
export { masterKeysOf, sealedWith } from '../keys/master-key.ts'
export { SIGNING_ALGORITHMS, type SigningAlgorithm } from '../keys/signing-key.ts'
