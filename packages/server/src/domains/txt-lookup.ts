// Reads the TXT records of a name from DNS, within a time. It tells a name without a record from name servers that do
// not answer: the first ends a proof, the second does not.
import { Resolver } from 'node:dns/promises'
import type { TxtAnswer } from './domain.ts'

export interface HasTxtLookup {
  readonly lookupTxt: (name: string, signal?: AbortSignal) => Promise<TxtAnswer>
}

const TIMEOUT_MS = 3000
/** A hostile name can have thousands. */
const MAX_RECORDS = 50

/** @param servers the name servers of this machine when there are none */
export const txtLookup =
  ({
    servers,
    timeoutMs = TIMEOUT_MS,
  }: {
    readonly servers?: readonly string[]
    readonly timeoutMs?: number
  } = {}): HasTxtLookup['lookupTxt'] =>
  async (name, signal) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    signal?.addEventListener('abort', () => resolver.cancel(), { once: true })
    try {
      const records = await resolver.resolveTxt(name)
      // A record of more than 255 bytes comes in parts (RFC 7208 3.3).
      return records.slice(0, MAX_RECORDS).map((parts) => parts.join(''))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : 'unreachable'
    }
  }
