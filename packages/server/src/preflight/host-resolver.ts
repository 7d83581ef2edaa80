// Resolves a host name by DNS, within a time. It asks with sockets of its own: getaddrinfo would hold one of
// the few threads that hash passwords for as long as a hostile name server likes.
import { Resolver } from 'node:dns/promises'

const TIMEOUT_MS = 1500
/** A hostile name can have thousands. */
const MAX_ADDRESSES = 8

/** Resolves to IPv4 first, as most servers of apps answer there. A name that does not resolve has no address. */
export async function resolveHost(
  hostname: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 })
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return found
    .flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    .slice(0, MAX_ADDRESSES)
}
