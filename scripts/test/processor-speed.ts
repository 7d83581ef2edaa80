// How much a second of this processor is worth now. Beside other guests of its host a machine needs more processor
// time for the same work, so a limit in seconds holds only together with the time of a known piece of work.
import { generateKeyPairSync, sign } from 'node:crypto'

/** Of a signature on a machine that does nothing else, where the limit of the first tier was set. */
const SIGNATURE_MICROSECONDS = 260
const SIGNATURES = 500

/** Beyond it the machine is another one, and not a busy one. */
const MAX_SLOWNESS = 1.5

/** 1 on that machine; 1.5 at most, where the same signatures take half as long again or more. */
export function measureSlowness(): number {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const input = Buffer.alloc(700, 'a')
  const before = process.cpuUsage()
  for (let count = 0; count < SIGNATURES; count++) sign('sha256', input, privateKey)
  const { user, system } = process.cpuUsage(before)
  const slowness = (user + system) / SIGNATURES / SIGNATURE_MICROSECONDS
  return Math.min(MAX_SLOWNESS, Math.max(1, slowness))
}
