// Finds the caller of each request by the configured list of proxies, and warns once when a proxy seems
// to be missing from it: then all callers would share one address.
import type { FastifyBaseLogger } from 'fastify'
import { type Caller, findCaller, trustedProxies } from './client-address.ts'

export type CallerFinder = (peer: string | undefined, forwardedFor: string | undefined) => Caller

export function callerFinder(
  proxies: readonly string[],
  log: Pick<FastifyBaseLogger, 'warn'>,
): CallerFinder {
  const isTrusted = trustedProxies(proxies)
  let hasWarned = false
  return (peer, forwardedFor) => {
    const caller = findCaller(peer, forwardedFor, isTrusted)
    if (forwardedFor !== undefined && caller.kind === 'internal' && !hasWarned) {
      hasWarned = true
      log.warn(
        { address: caller.address },
        'X-Forwarded-For came from an internal address that is no trusted proxy. If a balancer of ' +
          'yours is there, put its address into CHARTSIDE_TRUSTED_PROXIES; else ignore this.',
      )
    }
    return caller
  }
}
