// Decides which traces a node sends: a share of them and at most so many a second, because a span costs
// more than two of a hundred of a launch. The decision looks at the trace id alone, so that nodes
// keep the same traces; a busier one keeps a part of what the others keep.
import type { Clock } from '../kernel/randomness.ts'

export interface TraceSampling {
  /** The part of the traces that is sent, from 0 to 1. */
  readonly share: number
  readonly perSecond: number
}

const SECOND_MS = 1000
/** The last thirteen hexadecimal digits, which are random (W3C Trace Context 2, 5.1.2), are 52 bits. */
const RANDOM_DIGITS = 13
const RANDOM_VALUES = 16 ** RANDOM_DIGITS

/** @returns whether the request with this trace id has a span; asked once for each request */
export function traceSampler(
  { share, perSecond }: TraceSampling,
  monotonic: Clock,
): (traceId: string) => boolean {
  let startedAt = monotonic()
  let ratio = share
  let seen = 0
  let kept = 0
  return (traceId) => {
    const elapsed = monotonic() - startedAt
    if (elapsed >= SECOND_MS) {
      const rate = (seen * SECOND_MS) / elapsed
      ratio = Math.min(share, perSecond / rate)
      startedAt += elapsed
      seen = 0
      kept = 0
    }
    seen += 1
    const value = Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16)
    // A caller may send chosen trace ids, or a second may bring more than the one before it.
    if (value < (1 - ratio) * RANDOM_VALUES || kept >= perSecond) return false
    kept += 1
    return true
  }
}
