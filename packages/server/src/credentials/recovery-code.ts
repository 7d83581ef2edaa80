// Recovery codes: each stands once for a code of the authenticator app, when the device is lost. They
// are shown once and stored as hashes; 80 random bits need no slow hash. Pure. Security P08.
import { hashBearer } from '../kernel/identifiers.ts'
import type { Randomness } from '../kernel/randomness.ts'
import { toBase32 } from './totp.ts'

const COUNT = 10
const CODE_BYTES = 10
/** The pattern makes groups of four characters; a code has four groups, to write down. */
const GROUP = /.{4}/g

export const mintRecoveryCodes = (randomness: Randomness): string[] =>
  Array.from({ length: COUNT }, () =>
    (toBase32(randomness.bytes(CODE_BYTES)).toLowerCase().match(GROUP) ?? []).join('-'),
  )

/** The hash of a code as a person types it: without case, spaces and hyphens. */
export const hashRecoveryCode = (typed: string): string =>
  hashBearer(typed.toLowerCase().replace(/[\s-]/g, ''))
