// Finds the caller of each request by the configured list of proxies, and warns once when a proxy seems
// to be missing from it: then all callers would share one address.
import type { FastifyBaseLogger } from 'fastify'
import ipaddr from 'ipaddr.js'
import { memoize } from '../../kernel/lru-map.ts'
import { type Caller, findCaller, trustedProxies } from './client-address.ts'

export type CallerFinder = (peer: string | undefined, forwardedFor: string | undefined) => Caller

export interface HasCallerFinder {
  readonly findCaller: CallerFinder
}

export function callerFinder(
  proxies: readonly string[],
  log: Pick<FastifyBaseLogger, 'warn'>,
): CallerFinder {
  const isTrusted = trustedProxies(proxies)
  // A space stands in no address.
  const find = memoize((addresses) => {
    const space = addresses.indexOf(' ')
    if (space < 0) return findCaller(addresses, undefined, isTrusted)
    return findCaller(addresses.slice(0, space), addresses.slice(space + 1), isTrusted)
  })
  let hasWarned = false
  return (peer = '', forwardedFor) => {
    const caller = find(forwardedFor === undefined ? peer : `${peer} ${forwardedFor}`)
    const isInside = forwardedFor !== undefined && caller.kind === 'internal'
    // A caller on the machine of a trusted proxy, such as an operator with curl, is no missing proxy.
    if (!hasWarned && isInside && !isTrusted(ipaddr.process(caller.address))) {
      hasWarned = true
      log.warn(
        { address: caller.address },
        'X-Forwarded-For came from an internal address that is not a trusted proxy. If a balancer of ' +
          'yours is there, put its address into CHARTSIDE_TRUSTED_PROXIES; else ignore this.',
      )
    }
    return caller
  }
}
